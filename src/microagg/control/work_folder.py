"""Work folder: all temporary files of a run, beside its output, removed at its end or swept after a kill."""

import hashlib
import itertools
import logging
import os
import re
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from microagg.control.file_lock import lock
from microagg.control.left_folders import ENDING, MARKER, clear, has_results, is_same, remove, sweep
from microagg.model.errors import WriteError

_LOG = logging.getLogger("microagg")
_LONGEST_NAME = 200  # bytes of an output's name: file systems allow 255 for ours, which is longer
_SECONDS_TO_WAIT = 2.0  # for another run that just removes what a killed one has left
_SECONDS_BETWEEN_ATTEMPTS = 0.05


class WorkFolder:
    """Folder of all temporary files of a run, locked while it is in use; a context manager.

    It is made on entering, with the folders swept that killed runs have left beside it, and removed on leaving.

    Parameters
    ----------
    path
        Where the folder is to be; its name ends in ".microagg-work".
    resume
        Whether the checkpoint that a killed run has left in it is kept, to go on from there: also on leaving, unless a
        run has taken it over.

    Attributes
    ----------
    path : Path
        The folder.

    Examples
    --------
    >>> with WorkFolder.temporary() as folder:
    ...     file = folder.new_file("ages.bin")
    ...     _ = file.write_bytes(b"0")
    >>> file.exists()
    False
    """

    def __init__(self, path: Path, *, resume: bool = False) -> None:
        self.path = path
        self._resume = resume
        self._kept = resume  # what is to be resumed is there until a run has taken it over, whatever happens before
        self._numbers = itertools.count()
        self._marker: BinaryIO | None = None

    @classmethod
    def beside(cls, output: Path, *, resume: bool = False) -> "WorkFolder":
        """Return the work folder of the run that writes an output: on the same file system, always of the same name.

        Parameters
        ----------
        output
            The file that is to be written; where it is a link, the folder is beside the file that it points to.
        resume
            Whether to go on from the checkpoint that a killed run has left there.
        """
        place = output.resolve()
        return cls(place.with_name(f".{_shortened(place.name)}{ENDING}"), resume=resume)

    @classmethod
    def for_writing(cls, target: Path) -> "WorkFolder":
        """Return a work folder in which a file is written before it is renamed, unlike that of any other run."""
        place = target.resolve()
        return cls(place.with_name(f".{_shortened(place.name)}.{os.urandom(4).hex()}{ENDING}"))

    @classmethod
    def temporary(cls) -> "WorkFolder":
        """Return a work folder in the system's temporary folder, for a run that has no output file."""
        return cls(Path(tempfile.gettempdir(), f".{os.urandom(6).hex()}{ENDING}"))

    def __enter__(self) -> "WorkFolder":
        sweep(self.path.parent, besides=self.path)
        try:
            self._marker = self._acquire()
            if not self._resume and has_results(self.path):
                _LOG.warning("what an interrupted run had left for this output is removed: --resume would have gone on")
            clear(self.path, keep_checkpoint=self._resume)
        except OSError as error:
            raise WriteError(f"cannot make the work folder {self.path}: {error.strerror or error}") from None
        return self

    def __exit__(self, *_: object) -> None:
        if self._marker is None:
            return
        with suppress(OSError):  # what cannot be removed now is swept later
            remove(self.path, self._marker, keep_checkpoint=self._kept)
        self._marker = None

    def keep(self) -> None:
        """Keep the checkpoint on leaving, for a later run to go on from; all else is removed."""
        self._kept = True

    def take_over(self) -> None:
        """Let the checkpoint that is to be resumed be that of this run: on leaving, it is removed like all else."""
        self._kept = False

    def new_file(self, name: str) -> Path:
        """Return the path of a new file in the folder.

        Parameters
        ----------
        name
            What the file holds, with its ending; letters that a file system may not allow are replaced.
        """
        safe = re.sub(r"[^\w.-]", "_", name)[-80:]
        return self.path / f"{next(self._numbers):05d}-{safe}"

    def _acquire(self) -> BinaryIO:
        """Make the folder, or take that of a killed run over; return its locked marker."""
        give_up = time.monotonic() + _SECONDS_TO_WAIT
        while True:
            self.path.mkdir(mode=0o700, exist_ok=True)
            marker_path = self.path / MARKER
            if not marker_path.exists() and any(self.path.iterdir()):
                raise WriteError(
                    f"the folder {self.path} is not one that a run has left, and its name is needed: rename it"
                )
            with suppress(FileNotFoundError):  # somebody has just swept it: make it again
                marker = marker_path.open("ab")
                if _is_locked(marker) and is_same(marker, marker_path):
                    return marker
                marker.close()
            if time.monotonic() > give_up:
                raise WriteError(
                    f"another run uses the work folder {self.path}: wait until it has ended, or choose another output"
                )
            time.sleep(_SECONDS_BETWEEN_ATTEMPTS)


def _is_locked(marker: BinaryIO) -> bool:
    try:
        return lock(marker)
    except OSError:  # a file system without locks: two runs with one output are not told apart there
        return True


def _shortened(name: str) -> str:
    encoded = os.fsencode(name)
    return name if len(encoded) <= _LONGEST_NAME else hashlib.sha256(encoded).hexdigest()[:32]
