"""Checkpoint: intermediate results of a run that are kept on disk, so that a killed run can go on."""

import json
import logging
import os
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from microagg.control.left_folders import CHECKPOINT
from microagg.control.work_folder import WorkFolder
from microagg.model.errors import InputError

Arrays = Mapping[str, np.ndarray[Any, Any]]
"""Arrays by their names."""

_FINGERPRINT = "fingerprint.json"
_LOG = logging.getLogger("microagg")


class Checkpoint(Protocol):
    """Intermediate results by their keys, which are names joined by "/"."""

    def load(self, key: str) -> dict[str, np.ndarray[Any, Any]] | None:
        """Return what was stored under a key, or None."""

    def store(self, key: str, arrays: Arrays) -> None:
        """Store arrays under a key: all of them, or, if the process is killed meanwhile, none."""

    def under(self, name: str) -> "Checkpoint":
        """Return the checkpoint of one of several tasks, whose keys all begin with its name."""


class NoCheckpoint:
    """Checkpoint that keeps nothing: the default of a run."""

    def load(self, key: str) -> dict[str, np.ndarray[Any, Any]] | None:
        """Return None."""
        return None

    def store(self, key: str, arrays: Arrays) -> None:
        """Keep nothing."""

    def under(self, name: str) -> "NoCheckpoint":
        """Return itself."""
        return self


class FolderCheckpoint:
    """Checkpoint in a work folder: one file for each key.

    Parameters
    ----------
    folder
        The work folder, in use; one that was made to resume may hold the checkpoint of a killed run.
    fingerprint
        What the results depend on, by its name: the plan, the input, the version. The checkpoint of a killed run
        must have the same.

    Attributes
    ----------
    found : bool
        Whether a killed run has left its checkpoint there.

    Raises
    ------
    InputError
        If the checkpoint there is that of a run that differs: what differs is named.

    Examples
    --------
    >>> import numpy as np
    >>> from microagg.control.work_folder import WorkFolder
    >>> with WorkFolder.temporary() as folder:
    ...     checkpoint = FolderCheckpoint(folder, {"version": "1.0"})
    ...     checkpoint.store("round1/block0", {"labels": np.array([0, 0, 1, 1])})
    ...     checkpoint.load("round1/block0")["labels"].tolist()
    [0, 0, 1, 1]
    """

    def __init__(self, folder: WorkFolder, fingerprint: Mapping[str, str]) -> None:
        self._folder = folder.path / CHECKPOINT
        self._full = False
        earlier = _read_fingerprint(self._folder / _FINGERPRINT)
        self.found = earlier is not None
        if earlier is not None:
            _check_same(earlier, fingerprint)
            return
        self._folder.mkdir(exist_ok=True)
        _replace(self._folder / _FINGERPRINT, lambda path: path.write_text(json.dumps(dict(fingerprint), indent=1)))

    def load(self, key: str) -> dict[str, np.ndarray[Any, Any]] | None:
        """Return what was stored under a key; None if nothing was, or if it cannot be read any more."""
        try:
            with self._path(key).open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                return dict(arrays)
        except (OSError, ValueError, EOFError, zipfile.BadZipFile):
            return None

    def store(self, key: str, arrays: Arrays) -> None:
        """Store arrays under a key; where the disk is full, say so and go on without."""
        if self._full:
            return
        path = self._path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _replace(path, partial(_write_arrays, arrays))
        except OSError as error:
            self._full = True
            _LOG.warning("no further checkpoint is kept, the run goes on without: %s", error.strerror or error)

    def under(self, name: str) -> "Checkpoint":
        """Return the checkpoint of one of several tasks, whose keys all begin with its name."""
        return _Under(self, name)

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.npz"


class _Under:
    """Checkpoint of one of several tasks."""

    def __init__(self, whole: Checkpoint, name: str) -> None:
        self._whole = whole
        self._name = name

    def load(self, key: str) -> dict[str, np.ndarray[Any, Any]] | None:
        return self._whole.load(f"{self._name}/{key}")

    def store(self, key: str, arrays: Arrays) -> None:
        self._whole.store(f"{self._name}/{key}", arrays)

    def under(self, name: str) -> "Checkpoint":
        return _Under(self, name)


def _write_arrays(arrays: Arrays, path: Path) -> None:
    named: dict[str, Any] = dict(arrays)
    np.savez(path, **named)


def _replace(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file beside its place, and rename it when it is complete."""
    temporary = path.with_name(f".{os.urandom(4).hex()}-{path.name}")
    try:
        write(temporary)
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def _read_fingerprint(path: Path) -> dict[str, str] | None:
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return {str(name): str(value) for name, value in read.items()} if isinstance(read, dict) else None


def _check_same(earlier: Mapping[str, str], now: Mapping[str, str]) -> None:
    names = dict.fromkeys((*earlier, *now))
    different = [name for name in names if earlier.get(name) != now.get(name)]
    if different:
        verb = "is not" if len(different) == 1 else "are not"
        raise InputError(
            f"the run that was interrupted cannot be resumed: {' and '.join(different)} {verb} the same as then; "
            "undo the change, or start from the beginning without resume (--resume)"
        )
