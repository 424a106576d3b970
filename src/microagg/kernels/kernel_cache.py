"""Cache of compiled kernels on disk that any number of processes and versions share safely.

numba's own cache looks only at the file of a kernel, not at those of the kernels that it calls, and keeps an index that
two processes may overwrite for each other. Here each state of the sources has a folder, each signature of a kernel a
file in it, written at once under its final name. Nothing is ever changed, and no version empties the folder of another,
unless nobody has begun to use it for a month.
"""

import hashlib
import logging
import os
import pickle
import shutil
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import numba
from numba.core.caching import FunctionCache
from numba.core.serialize import dumps

from microagg.version import __version__

log = logging.getLogger("microagg.kernels")
_PREFIX = "microagg-kernels-"
_UNUSED_SECONDS = 30 * 24 * 3600  # after which the folder of another state of the sources is removed
_KERNELS = Path(__file__).parent


def _state(sources: list[Path]) -> str:
    """Return a digest of the sources of all kernels, and of the versions that compile them."""
    digest = hashlib.sha256(f"{__version__} {numba.__version__}".encode())
    for source in sources:
        digest.update(source.relative_to(_KERNELS).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


FOLDER_NAME = _PREFIX + _state(sorted(_KERNELS.rglob("*.py")))
"""Name of the folder for this state of the sources."""


class KernelCache(FunctionCache):  # type: ignore[misc]
    """Compiled versions of one kernel, in the folder that numba would take."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        folder = Path(self.cache_path) / FOLDER_NAME
        self._cache_path = str(folder)
        self._cache_file = _KernelFiles(folder, self._impl.filename_base)

    def save_overload(self, signature: Any, data: Any) -> None:
        """Save a compiled version, if there is room: the kernel is in memory all the same."""
        try:
            super().save_overload(signature, data)
        except OSError as error:  # a full disk, a folder that has become read-only
            log.debug("the machine code of %r is not kept: %s", self, error)


class _KernelFiles:
    """Files of one kernel, one for each signature and processor; stands in for numba's `IndexDataCacheFile`."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name

    def save(self, key: Any, data: Any) -> None:
        """Write a compiled version; its name appears only once all of it is written."""
        _make_folder(self.folder)
        path = self._path(key)
        temporary = path.with_name(f"{path.name}.{uuid4().hex}")
        try:
            temporary.write_bytes(dumps((repr(key), data)))
            temporary.replace(path)
        except OSError:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise

    def load(self, key: Any) -> Any:
        """Read a compiled version; None where there is none, or a damaged one, which the next `save` replaces."""
        try:
            stored, data = pickle.loads(self._path(key).read_bytes())
        except FileNotFoundError:
            return None
        except Exception as error:  # whatever a damaged pickle raises
            log.debug("a damaged file of machine code is ignored: %s", error)
            return None
        _mark_used(self.folder)
        return data if stored == repr(key) else None

    def flush(self) -> None:
        """Remove every compiled version."""
        for path in self.folder.glob(f"{self.name}.*"):
            path.unlink(missing_ok=True)

    def _path(self, key: Any) -> Path:
        return self.folder / f"{self.name}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.nbc"


def _make_folder(folder: Path) -> None:
    """Make a folder; remove those of other states of the sources that nobody has begun to use for a month."""
    if folder.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    for other in folder.parent.glob(f"{_PREFIX}*"):
        if other != folder and time.time() - _last_use(other) > _UNUSED_SECONDS:
            shutil.rmtree(other, ignore_errors=True)


@cache
def _mark_used(folder: Path) -> None:
    """Note, once in a process, that a folder is in use."""
    with suppress(OSError):  # of another user, or gone
        os.utime(folder)


def _last_use(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:  # another process was faster
        return time.time()
