"""Child process that carries out one job: its environment, its lines in and out, and its end."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from contextlib import suppress

_WORKER = "microagg.app.job_worker"
_LINE_LIMIT = 1 << 20  # bytes of one event
READY = "ready"
"""Line by which a child tells that it has imported everything."""

_KEPT_NAMES = frozenset(
    {"HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "TEMP", "TMP", "TMPDIR", "TZ", "USER", "VIRTUAL_ENV"}
    | {"APPDATA", "COMSPEC", "LOCALAPPDATA", "PATHEXT", "SYSTEMDRIVE", "SYSTEMROOT", "USERPROFILE", "WINDIR"}
    | {"LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "XDG_CACHE_HOME"}
)
_KEPT_PREFIXES = ("LC_", "MKL_", "NUMBA_", "OMP_", "OPENBLAS_", "POLARS_", "PYTHON", "COVERAGE_")


class JobChild:
    """Child process that imports everything, waits for a job, and tells events as lines.

    Parameters
    ----------
    process
        The process.
    """

    def __init__(self, process: Process) -> None:
        self._process = process
        self.is_ready = False

    @classmethod
    async def begin(cls) -> "JobChild":
        """Start a child, which needs some time to be ready; a job may be given to it before."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # no module is imported from the working folder, which may be anybody's
            "-m",
            _WORKER,
            stdin=PIPE,
            stdout=PIPE,
            env=child_environment(os.environ),
            limit=_LINE_LIMIT,
        )
        return cls(process)

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process has not ended, as far as is known."""
        return self._process.returncode is None

    async def wait_until_ready(self) -> bool:
        """Wait until the child has imported everything; return whether it has, and did not end before."""
        if not self.is_ready:
            line = await self._line()
            self.is_ready = line == READY
        return self.is_ready

    async def send(self, line: str) -> None:
        """Send a line; a child that has ended gets none."""
        stdin = self._process.stdin
        assert stdin is not None, "made with a pipe"
        with suppress(ConnectionError, RuntimeError):
            stdin.write(f"{line}\n".encode())
            await stdin.drain()

    async def next_line(self) -> str:
        """Return the next line of the child; an empty one after its end."""
        line = await self._line()
        if line == READY:
            self.is_ready = True
            line = await self._line()
        return line

    async def ended(self) -> int:
        """Wait for the end of the process; return its exit code, or the number of a signal below 0."""
        code = await self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
        return code

    def kill(self) -> None:
        """End the process at once."""
        if not self.is_alive:
            return
        with suppress(ProcessLookupError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.kill(self.pid, signal.SIGKILL)  # `Process.kill` would take the exit code away from `ended`

    async def _line(self) -> str:
        stdout = self._process.stdout
        assert stdout is not None, "made with a pipe"
        return (await stdout.readline()).decode("utf-8", "replace").strip()


def child_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return those variables of an environment that a child needs: folders, language, and options of the libraries.

    Parameters
    ----------
    environment
        That of the server, which may hold passwords and tokens of anything.
    """
    return {
        name: value
        for name, value in environment.items()
        if name.upper() in _KEPT_NAMES or name.upper().startswith(_KEPT_PREFIXES)
    }


def end_in_words(code: int) -> str:
    """Say how a process ended that should not have: by which signal, or with which exit code.

    Parameters
    ----------
    code
        Its exit code; the number of a signal below 0.
    """
    if code >= 0:
        return f"its process ended with the exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"{-code}"
    ended = f"its process was ended by the signal {name}"
    if name in ("SIGKILL", "SIGABRT"):
        return f"{ended}, as happens when memory runs out"
    return ended
