"""Cache of compiled kernels on disk that any number of processes and versions share safely.

numba's own cache looks only at the file of a kernel, not at those of the kernels that it calls, and keeps an index that
two processes may overwrite for each other. Here each state of the sources has a folder, each signature of a kernel a
file in it, written at once under its final name: nothing is ever changed, and nobody empties what another one uses.
"""

import hashlib
import os
import pickle
import shutil
import time
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import numba
from numba.core.caching import FunctionCache
from numba.core.serialize import dumps

_FOLDER = "microagg-kernels-"
_UNUSED_SECONDS = 30 * 24 * 3600  # after which the folder of another state of the sources is removed
_SOURCES = sorted(Path(__file__).parent.rglob("*.py"))
_STATE = hashlib.sha256(b"".join([*(source.read_bytes() for source in _SOURCES), numba.__version__.encode()]))
FOLDER = _FOLDER + _STATE.hexdigest()[:16]
"""Name of the folder for this state of the sources."""


class KernelCache(FunctionCache):  # type: ignore[misc]
    """Compiled versions of one kernel, in the folder that numba would take."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        folder = Path(self.cache_path) / FOLDER
        self._cache_path = str(folder)
        self._cache_file = _KernelFiles(folder, self._impl.filename_base)


class _KernelFiles:
    """Files of one kernel, one for each signature and processor; stands in for numba's `IndexDataCacheFile`."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name

    def save(self, key: Any, data: Any) -> None:
        """Write a compiled version, if there is room; its name appears only once all of it is written."""
        path = self._path(key)
        temporary = path.with_name(f"{path.name}.{uuid4().hex}")
        try:
            _make_folder(self.folder)
            temporary.write_bytes(dumps((repr(key), data)))
            temporary.replace(path)
        except OSError:  # a full disk, a folder that has become read-only: the kernel is in memory all the same
            temporary.unlink(missing_ok=True)

    def load(self, key: Any) -> Any:
        """Read a compiled version; None where there is none."""
        try:
            content = self._path(key).read_bytes()
        except OSError:
            return None
        _mark_used(self.folder)
        stored, data = pickle.loads(content)
        return data if stored == repr(key) else None

    def flush(self) -> None:
        """Remove every compiled version."""
        for path in self.folder.glob(f"{self.name}.*"):
            path.unlink(missing_ok=True)

    def _path(self, key: Any) -> Path:
        return self.folder / f"{self.name}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.nbc"


@cache
def _make_folder(folder: Path) -> None:
    """Make a folder, once; remove those of other states of the sources that nobody has used for a month."""
    folder.mkdir(parents=True, exist_ok=True)
    _mark_used(folder)
    for other in folder.parent.glob(f"{_FOLDER}*"):
        if time.time() - _last_use(other) > _UNUSED_SECONDS:
            shutil.rmtree(other, ignore_errors=True)


@cache
def _mark_used(folder: Path) -> None:
    """Note, once in a process, that a folder is in use."""
    try:
        os.utime(folder)
    except OSError:  # of another user, or gone
        return


def _last_use(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:  # another process was faster
        return time.time()
