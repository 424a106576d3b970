"""Files of this machine that pages may open: below the data folder, or anywhere for its own user."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from microagg.app.request_error import RequestError
from microagg.control.left_folders import ENDING
from microagg.source.file_kinds import kind_of_ending

NOTHING_THERE = "There is no such file that microagg may open: check its path, and that you may read it."
"""Refusal of a path: whether there is no file, or one that may not be opened, is not told."""

_NO_FOLDER = "There is no such folder that microagg may list: check its path, and that you may read it."
_NO_PATHS = "Paths are closed on this server, as it was started without --data-dir: upload the file."


@dataclass(frozen=True)
class FolderEntry:
    """File or folder that a listing shows.

    Parameters
    ----------
    name
        Its name.
    path
        Where it is, as `DataFolder` takes it.
    is_folder
        Whether it is a folder.
    n_bytes
        Size of a file; None for a folder.
    kind
        Kind of a file, such as "CSV"; None for a folder.
    """

    name: str
    path: str
    is_folder: bool
    n_bytes: int | None = None
    kind: str | None = None


@dataclass(frozen=True)
class FolderListing:
    """Contents of a folder: its folders, and the files that can be read.

    Parameters
    ----------
    path
        Where the folder is, as `DataFolder` takes it.
    parent
        The folder above it; None where that may not be listed.
    entries
        Folders first, each in alphabetical order; nothing that is hidden.
    """

    path: str
    parent: str | None
    entries: tuple[FolderEntry, ...]


class DataFolder:
    """Files that pages may open by their paths.

    Parameters
    ----------
    root
        Folder that all of them are below, however a path is written and wherever links lead; None: there is none.
    is_open
        Whether files anywhere may be opened, if there is no such folder.
    closed
        Folder whose files are never opened, as it holds those of other sessions.
    """

    def __init__(self, root: Path | None, *, is_open: bool = True, closed: Path | None = None) -> None:
        self._root = None if root is None else root.resolve()
        self._start = self._root or Path.cwd()
        self._is_open = is_open
        self._closed = None if closed is None else closed.resolve()

    @property
    def allows_paths(self) -> bool:
        """Whether any file can be opened by its path."""
        return self._root is not None or self._is_open

    def file(self, given: str) -> Path:
        """Return the path of a file that may be opened.

        Parameters
        ----------
        given
            Its path, as the user wrote it; a relative one begins at the data folder.

        Raises
        ------
        RequestError
            If there is no such file, or it may not be opened: which of the two is not told.
        """
        path = self._resolved(given, NOTHING_THERE)
        try:
            is_file = stat.S_ISREG(path.stat().st_mode)
        except OSError:
            is_file = False
        if not is_file or not os.access(path, os.R_OK):
            raise RequestError(404, NOTHING_THERE)
        return path

    def listing(self, given: str = "") -> FolderListing:
        """Return what is in a folder.

        Parameters
        ----------
        given
            Its path; nothing for the folder to begin with.

        Raises
        ------
        RequestError
            If there is no such folder, or it may not be listed.
        """
        path = self._resolved(given, _NO_FOLDER)
        try:
            with os.scandir(path) as found:
                entries = [self._entry(each) for each in found if _is_shown(each.name)]
        except OSError:
            raise RequestError(404, _NO_FOLDER) from None
        shown = sorted((each for each in entries if each is not None), key=_order)
        has_parent = path != path.parent and self._is_allowed(path.parent)
        return FolderListing(str(path), str(path.parent) if has_parent else None, tuple(shown))

    def _resolved(self, given: str, refusal: str) -> Path:
        """Return a path without links and dots in it; refuse one that is not allowed."""
        if not self.allows_paths:
            raise RequestError(403, _NO_PATHS)
        try:
            path = (self._start / given).resolve()
        except (OSError, RuntimeError, ValueError):  # a circle of links, or a character that no path has
            raise RequestError(404, refusal) from None
        if not self._is_allowed(path):
            raise RequestError(404, refusal)
        return path

    def _is_allowed(self, path: Path) -> bool:
        if self._closed is not None and path.is_relative_to(self._closed):
            return False
        if any(part.endswith(ENDING) for part in path.parts):  # files of other servers and of runs of this user
            return False
        return self._root is None or path.is_relative_to(self._root)

    def _entry(self, found: "os.DirEntry[str]") -> FolderEntry | None:
        """Return what a listing shows of an entry; None for a file that cannot be read, and what may not be opened."""
        try:
            path = Path(found.path).resolve()
            told = path.stat()
        except (OSError, RuntimeError):
            return None
        if not self._is_allowed(path):
            return None
        if stat.S_ISDIR(told.st_mode):
            return FolderEntry(found.name, found.path, is_folder=True)
        kind = kind_of_ending(Path(found.name))
        if kind is None or not stat.S_ISREG(told.st_mode):
            return None
        return FolderEntry(found.name, found.path, is_folder=False, n_bytes=told.st_size, kind=kind)


def _is_shown(name: str) -> bool:
    """Check that a name is not hidden, and that a page can write it: on Linux, a name may be any bytes."""
    return not name.startswith(".") and not any("\ud800" <= sign <= "\udfff" for sign in name)


def _order(entry: FolderEntry) -> tuple[bool, str]:
    return not entry.is_folder, entry.name.casefold()
