"""Work folders that killed runs have left: found by a marker that only a living run holds locked, and removed."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from microagg.control.file_lock import lock

ENDING = ".microagg-work"
"""How the name of every work folder ends."""

MARKER = "lock-of-microagg"
"""Name of a file that is in every work folder, and in no other; it is locked while the folder is in use."""

CHECKPOINT = "checkpoint"
"""Name of the folder in a work folder that `--resume` needs: all that is kept of a killed run."""

RESULT_SUFFIX = ".npz"
"""Ending of the files of a checkpoint that hold results; one without any is not worth keeping."""


def sweep(folder: Path, besides: Path | None = None) -> list[Path]:
    """Remove the work folders that killed runs have left in a folder.

    Those in use, those of other users, and whatever this package has not made, stay. Of a run that has got somewhere,
    the checkpoint stays until a run writes the same output.

    Parameters
    ----------
    folder
        The folder that outputs are written to.
    besides
        A work folder that is left as it is.

    Returns
    -------
    list of Path
        The work folders that are gone, in alphabetical order.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sweep(pathlib.Path(folder))
    []
    """
    removed = []
    for path in _work_folders(folder):
        if path == besides:
            continue
        with suppress(OSError), _left_behind(path) as marker:
            if marker is not None:
                remove(path, marker, keep_checkpoint=True)
        if not path.exists():
            removed.append(path)
    return removed


def _work_folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            found = [Path(entry) for entry in entries if entry.name.endswith(ENDING) and _is_ours(entry)]
    except OSError:
        return []
    return sorted(found)


def _is_ours(entry: "os.DirEntry[str]") -> bool:
    """Check that an entry is a folder of this user, and no link to one."""
    with suppress(OSError):
        own = not hasattr(os, "getuid") or entry.stat(follow_symlinks=False).st_uid == os.getuid()
        return own and entry.is_dir(follow_symlinks=False)
    return False


@contextmanager
def _left_behind(path: Path) -> Iterator[BinaryIO | None]:
    """Lock the marker of a work folder in a `with` block; None if the folder is in use, or is not ours."""
    with (path / MARKER).open("r+b") as marker:
        yield marker if lock(marker) and is_same(marker, path / MARKER) else None


def is_same(marker: BinaryIO, path: Path) -> bool:
    """Check that an open file is still the one at a path: who held its lock before may have removed it."""
    return os.path.samestat(os.fstat(marker.fileno()), path.stat())


def has_results(path: Path) -> bool:
    """Check whether a work folder holds a checkpoint with results, from which a run could go on."""
    return any((path / CHECKPOINT).rglob(f"*{RESULT_SUFFIX}"))


def clear(path: Path, *, keep_checkpoint: bool) -> bool:
    """Remove all files in a work folder but its marker; return whether a checkpoint is kept."""
    kept = False
    for entry in path.iterdir():
        if entry.name == CHECKPOINT and keep_checkpoint and has_results(path):
            kept = True
        elif entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        elif entry.name != MARKER:
            entry.unlink()
    return kept


def remove(path: Path, marker: BinaryIO, *, keep_checkpoint: bool) -> None:
    """Remove a work folder whose marker is locked, the marker last, and close that."""
    try:
        if not clear(path, keep_checkpoint=keep_checkpoint):
            if os.name == "nt":  # an open file cannot be removed there
                marker.close()
            (path / MARKER).unlink()
            path.rmdir()
    finally:
        marker.close()
