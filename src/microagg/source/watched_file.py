"""File that must stay the same as long as it is read."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from microagg.model.errors import ReadError


class FileState(NamedTuple):
    """What shows that a file is still the same."""

    size: int
    modified: int
    inode: int


@dataclass(frozen=True)
class WatchedFile:
    """File that is read piece by piece, and refused as soon as it has changed.

    Parameters
    ----------
    path
        Where it is.
    label
        What messages call it.
    state
        Its state when it was opened.
    """

    path: Path
    label: str
    state: FileState

    @classmethod
    def opened(cls, path: Path, label: str) -> "WatchedFile":
        """Return the file as it is now; raise `ReadError` if it cannot be read."""
        try:
            with path.open("rb"):
                return cls(path.absolute(), label, _state(path))
        except (OSError, ValueError) as error:  # ValueError: a null byte in a name
            raise ReadError(f"cannot read {label}: {getattr(error, 'strerror', None) or error}") from None

    def beginning(self, n_bytes: int) -> bytes:
        """Return the first bytes."""
        with self.unchanged(), self.path.open("rb") as file:
            return file.read(n_bytes)

    def ending(self, n_bytes: int) -> bytes:
        """Return the last bytes."""
        with self.unchanged(), self.path.open("rb") as file:
            file.seek(max(self.state.size - n_bytes, 0))
            return file.read()

    def sha256(self) -> str:
        """Return the checksum, as `sha256sum` prints it."""
        with self.unchanged(), self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Raise `ReadError` if the file is changed or gone before, during or after what is done in this context."""
        self.check()
        try:
            yield
        except Exception:
            self.check()  # a file that has changed looks damaged
            raise
        self.check()

    def check(self) -> None:
        """Raise `ReadError` if the file is not as it was when it was opened."""
        try:
            state = _state(self.path)
        except OSError as error:
            raise ReadError(
                f"{self.label} can no longer be read ({error.strerror}): leave it in its place until the run ends, and "
                "start again"
            ) from None
        if state != self.state:
            raise ReadError(
                f"{self.label} was changed while it was read: leave it as it is until the run ends, and start again"
            )


def _state(path: Path) -> FileState:
    found = path.stat()
    return FileState(found.st_size, found.st_mtime_ns, found.st_ino)
