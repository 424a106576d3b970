"""Arrays in temporary files: read and written like others, dropped from memory when that grows too large."""

import errno
import math
import mmap
import os
import threading
import weakref
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numpy as np
import numpy.typing as npt

from microagg.control.resident_memory import resident_bytes
from microagg.model.arrays import read_only
from microagg.model.column import Column
from microagg.model.errors import WriteError
from microagg.model.memory_budget import in_words

_SECONDS_BETWEEN_LOOKS = 0.01  # a disk cache yields some 100 MB in that time
_SMALL = 2**18  # bytes: smaller arrays share files
_SHARED_FILE = 2**22
_ALIGNMENT = 64
_SHARE_KEPT = 0.6  # of the budget: above, mapped pages are dropped; the rest is for what grows between two looks


class MappedArrays:
    """Arrays in files of a work folder, for data that do not fit in memory.

    The operating system reads and writes their pages as they are used. A thread watches the memory of the process:
    where it comes near the budget, all pages are dropped from it, which changes no array. The files have no names:
    each vanishes with the last array in it, and with the process in any case.

    Parameters
    ----------
    folder
        Where the files are, on a disk with room for the arrays.
    budget
        Bytes that the process may occupy.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, MappedArrays(Path(folder), 10**9) as arrays:
    ...     numbers = arrays.empty((3,))
    ...     numbers[:] = 1.5
    >>> numbers.tolist()
    [1.5, 1.5, 1.5]
    """

    def __init__(self, folder: Path, budget: int) -> None:
        self.folder = folder
        self.budget = budget
        self._maps: weakref.WeakSet[mmap.mmap] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._sharing = threading.Lock()
        self._shared = memoryview(b"")
        self._closed = threading.Event()
        self._watcher: threading.Thread | None = None

    def __enter__(self) -> "MappedArrays":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def empty(self, shape: tuple[int, ...], dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
        """Return a new array of zeros in a file of its own.

        Parameters
        ----------
        shape
            Its shape.
        dtype
            The type of its numbers.

        Returns
        -------
        ndarray
            Writable; it stays valid after `close`.

        Raises
        ------
        WriteError
            If the disk has no room for it.
        """
        size = math.prod(shape) * np.dtype(dtype).itemsize
        if not size:
            return np.zeros(shape, dtype)
        buffer = self._small(size) if size < _SMALL else memoryview(self._mapped(size))
        return np.frombuffer(buffer, dtype).reshape(shape)

    def _mapped(self, size: int) -> mmap.mmap:
        """Map a new file."""
        with TemporaryFile(dir=self.folder) as file:
            _reserve(file.fileno(), size, self.folder)
            mapped = mmap.mmap(file.fileno(), size)
        with self._lock:
            self._maps.add(mapped)
            if self._watcher is None:
                self._watcher = threading.Thread(target=self._watch, name="microagg-memory", daemon=True)
                self._watcher.start()
        return mapped

    def _small(self, size: int) -> memoryview:
        """Take the place of a small array from a file of many: a process may map only so many files."""
        with self._sharing:
            if len(self._shared) < size:
                self._shared = memoryview(self._mapped(_SHARED_FILE))
            place = self._shared[:size]
            self._shared = self._shared[-(-size // _ALIGNMENT) * _ALIGNMENT :]
            return place

    def copy(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return a read-only copy of an array in a file; an array of Python objects, which no file holds, as it is."""
        if array.dtype.hasobject:
            return array
        copied = self.empty(array.shape, array.dtype)
        copied[...] = array
        read_only(copied)
        return copied

    def column(self, column: Column) -> Column:
        """Return the same column, its values in files.

        Parameters
        ----------
        column
            The column.
        """
        missing = None if column.missing is None else self.copy(column.missing)
        blank = None if column.blank is None else self.copy(column.blank)
        return replace(column, values=self.copy(column.values), missing=missing, blank=blank)

    def drop(self) -> None:
        """Drop the pages of all arrays from the memory of the process; they are read again when they are used."""
        if not hasattr(mmap, "MADV_DONTNEED"):
            return
        with self._lock:
            for mapped in self._maps:
                mapped.madvise(mmap.MADV_DONTNEED)

    def close(self) -> None:
        """End the thread that watches the memory."""
        self._closed.set()
        if self._watcher is not None:
            self._watcher.join()
        self._shared = memoryview(b"")

    def _watch(self) -> None:
        while not self._closed.wait(_SECONDS_BETWEEN_LOOKS):
            resident = resident_bytes()
            if resident is not None and resident > _SHARE_KEPT * self.budget:
                self.drop()


def _reserve(descriptor: int, size: int, folder: Path) -> None:
    """Give a file its size, with room on the disk: a mapped file that cannot grow would end the whole process."""
    os.ftruncate(descriptor, size)
    if not hasattr(os, "posix_fallocate"):
        return
    try:
        os.posix_fallocate(descriptor, 0, size)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            return  # a file system that cannot reserve
        raise WriteError(
            f"the disk of {folder} has no room for temporary files of {in_words(size)}: {error.strerror}; free some, "
            "or choose an output on another disk"
        ) from None
