"""File that a page has opened: what shows that it is still the same, and the way to read that one and no other."""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from microagg.model.errors import ReadError
from microagg.source.file_kinds import FORMATS, N_FIRST_BYTES, kind_of

_FILE = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_ANOTHER = (
    "{} is not the file that was opened: it was changed, replaced or moved since, so it was not used. Open it again, "
    "so that the pages show what it holds now"
)


class FileMark(NamedTuple):
    """What tells a file, as it was at one moment, from all others."""

    device: int
    inode: int
    size: int
    modified: int
    changed: int  # also by what sets the time of modification back

    @classmethod
    def of(cls, path: Path) -> "FileMark":
        """Return the mark of the file at a path; raise `OSError` if there is none, or if a link leads to it."""
        descriptor = _opened(path)
        try:
            return cls.of_descriptor(descriptor)
        finally:
            os.close(descriptor)

    @classmethod
    def of_descriptor(cls, descriptor: int) -> "FileMark":
        """Return the mark of an open file; raise `OSError` for what is no regular file."""
        told = os.fstat(descriptor)
        if not stat.S_ISREG(told.st_mode):
            raise FileNotFoundError("no regular file")
        return cls(told.st_dev, told.st_ino, told.st_size, told.st_mtime_ns, told.st_ctime_ns)


@contextmanager
def same_file(path: Path, mark: Sequence[int], name: str, folder: Path) -> Iterator[Path]:
    """Yield a path from which a file is read in a `with` block, if it has a mark, and still has it at the end.

    Where the system can, that path leads to the open file itself, and goes on to do so until the process ends: nothing
    that happens to the file's own path leads anywhere else. Databases are read by their own paths, as what was last
    written to them may be in a log beside them.

    Parameters
    ----------
    path
        The file's own path.
    mark
        Its mark when it was opened.
    name
        What the user calls it.
    folder
        Folder for the path to read from, which nobody else can write to.

    Raises
    ------
    ReadError
        If it is another file.
    """
    descriptor = _opened_as(path, mark, name)
    try:
        yield _pinned(descriptor, path, folder)
    except Exception:
        os.close(_opened_as(path, mark, name))  # a file that has changed looks damaged
        raise
    os.close(_opened_as(path, mark, name))


def _opened_as(path: Path, mark: Sequence[int], name: str) -> int:
    """Open a file that has a mark."""
    with suppress(OSError):
        descriptor = _opened(path)
        if FileMark.of_descriptor(descriptor) == tuple(mark):
            return descriptor
        os.close(descriptor)
    raise ReadError(_ANOTHER.format(name))


def _opened(path: Path) -> int:
    """Open a file to which no link leads, also not by a folder above it."""
    if os.open not in os.supports_dir_fd:
        return os.open(path, _FILE)
    folder = os.open(path.anchor, _FOLDER)
    try:
        for part in path.parts[1:-1]:
            below = os.open(part, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = below
        return os.open(path.name, _FILE, dir_fd=folder)
    finally:
        os.close(folder)


def _pinned(descriptor: int, path: Path, folder: Path) -> Path:
    """Return a path that leads to an open file, with the name that tells its kind."""
    kind = kind_of(os.pread(descriptor, N_FIRST_BYTES, 0), path, path.name)
    target = Path(f"/proc/{os.getpid()}/fd/{descriptor}")  # of Linux
    if FORMATS[kind].in_place or not target.exists():
        return path
    link = folder / f"read-{descriptor}" / path.name
    link.parent.mkdir(mode=0o700)
    link.symlink_to(target)
    return link
