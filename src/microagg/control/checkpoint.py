"""Checkpoint: intermediate results of a run that are kept on disk, so that a killed run can go on."""

import json
import logging
import os
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from microagg.control.left_folders import CHECKPOINT, RESULT_SUFFIX
from microagg.control.work_folder import WorkFolder
from microagg.model.errors import InputError

Arrays = Mapping[str, np.ndarray[Any, Any]]
"""Arrays by their names."""

_BEGINNING = "beginning.json"
_LOG = logging.getLogger("microagg")


class _Beginning(NamedTuple):
    """What a run notes at its beginning."""

    fingerprint: dict[str, str]
    random_state: int | None


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
    random_state
        The random state of this run, if it was drawn: that of the killed run comes in its place.

    Attributes
    ----------
    found : bool
        Whether a killed run has left its checkpoint there.
    random_state : int or None
        The random state of the run that was killed, or else of this one.

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

    def __init__(self, folder: WorkFolder, fingerprint: Mapping[str, str], random_state: int | None = None) -> None:
        self._folder = folder.path / CHECKPOINT
        self._full = False
        self.random_state = random_state
        earlier = _read_beginning(self._folder / _BEGINNING)
        self.found = earlier is not None
        if earlier is None:
            self._begin(_Beginning(dict(fingerprint), random_state))
        else:
            _check_same(earlier.fingerprint, fingerprint)
            self.random_state = earlier.random_state

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
            self._go_on_without(error)

    def under(self, name: str) -> "Checkpoint":
        """Return the checkpoint of one of several tasks, whose keys all begin with its name."""
        return _Under(self, name)

    def _begin(self, beginning: "_Beginning") -> None:
        text = json.dumps(beginning._asdict(), indent=1)
        try:
            self._folder.mkdir(exist_ok=True)
            _replace(self._folder / _BEGINNING, lambda path: path.write_text(text, encoding="utf-8"))
        except OSError as error:
            self._go_on_without(error)

    def _go_on_without(self, error: OSError) -> None:
        self._full = True
        _LOG.warning("no further checkpoint is kept, the run goes on without: %s", error.strerror or error)

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}{RESULT_SUFFIX}"


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


def _read_beginning(path: Path) -> _Beginning | None:
    """Return what a killed run has noted at its beginning; None if there is nothing that can be read."""
    try:
        return _Beginning(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _check_same(earlier: Mapping[str, str], now: Mapping[str, str]) -> None:
    names = dict.fromkeys((*earlier, *now))
    different = [name for name in names if earlier.get(name) != now.get(name)]
    if different:
        verb = "is not" if len(different) == 1 else "are not"
        raise InputError(
            f"the run that was interrupted cannot be resumed: {' and '.join(different)} {verb} the same as then; "
            "undo the change, or start from the beginning without resume (--resume)"
        )
