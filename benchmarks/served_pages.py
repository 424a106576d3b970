"""Server of the pages in a process of its own, as the command line starts it, for benchmarks and for tests."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from urllib.parse import urlsplit

_SECONDS_TO_END = 600


class ServedPages:
    """Server of the pages, started by `microagg web`; it ends with the block.

    Parameters
    ----------
    folder
        Folder that takes its temporary files.
    *arguments
        Further arguments of the command.

    Attributes
    ----------
    address : str
        The printed address, with the token.
    root : str
        The address without the token, as "http://127.0.0.1:8800".
    """

    def __init__(self, folder: Path, *arguments: object) -> None:
        command = [sys.executable, "-m", "microagg", "web", "--no-browser", *map(str, arguments)]
        environment = {**os.environ, "TMPDIR": str(folder)}
        self.folder = folder
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip()
        if not self.address:
            raise RuntimeError(f"the server did not start: {self.end()}")
        place = urlsplit(self.address)
        self.root = f"{place.scheme}://{place.netloc}"

    def __enter__(self) -> "ServedPages":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.end()

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def children(self) -> list[int]:
        """Return the numbers of all child processes, as Linux tells them."""
        tasks = Path(f"/proc/{self._process.pid}/task")
        return [int(number) for task in tasks.iterdir() for number in (task / "children").read_text().split()]

    def end(self, number: int = signal.SIGINT) -> str:
        """End the server by a signal, and return what it logged."""
        if self.is_running:
            self._process.send_signal(number)
        try:
            _, log = self._process.communicate(timeout=_SECONDS_TO_END)
        except ValueError:  # it was ended before
            return ""
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            raise
        return str(log)

    def folders(self) -> list[Path]:
        """Return the folders that servers have made in the temporary folder."""
        return [*self.folder.glob(".web-*")]
