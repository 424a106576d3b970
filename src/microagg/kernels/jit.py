"""Compile kernels: the one decorator, and the one notice that it takes a moment."""

import hashlib
import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import config, event

from microagg.kernels.compile_hook import before_compiling

log = logging.getLogger("microagg.kernels")
F = TypeVar("F", bound=Callable[..., object])
_SOURCES = sorted(Path(__file__).parent.rglob("*.py"))
_DIGEST = hashlib.sha256(b"".join(source.read_bytes() for source in _SOURCES)).hexdigest()[:16]


def kernel(function: F) -> F:
    """Compile a function when it is first called, and keep the machine code on disk if there is a place for it.

    No `fastmath`: it breaks NaN and the order of exact ties. The numpy error model lets loops
    with a division be vectorised. The GIL is released, so threads run side by side.
    """
    if getattr(config, "DISABLE_JIT", False):  # NUMBA_DISABLE_JIT=1, to look into kernels with a debugger
        return function
    jit = partial(numba.njit, nogil=True, error_model="numpy")
    try:
        compiled = jit(cache=True)(function)
        _forget_old(Path(str(compiled.stats.cache_path)))
    except (RuntimeError, OSError):  # no folder to write to
        compiled = jit()(function)
    return cast(F, compiled)


def _forget_old(cache: Path) -> None:
    """Empty the cache when any kernel has changed: numba looks only at a kernel's own file, not at those it calls."""
    stamp = cache / f"kernels-{_DIGEST}"
    if stamp.exists():
        return
    for old in [*cache.glob("*.nbi"), *cache.glob("*.nbc"), *cache.glob("kernels-*")]:
        old.unlink(missing_ok=True)
    cache.mkdir(parents=True, exist_ok=True)
    stamp.touch()


class _Compiling(event.Listener):
    """Listener that looks, before each compilation, whether to go on, and logs once that kernels are being compiled.

    Loading them from disk is not worth a word.
    """

    said = False

    def on_start(self, event: Any) -> None:
        """Look whether to go on: what is raised here comes out of the call of the kernel."""
        check = before_compiling.get()
        if check is not None:
            check()
        if not self.said and event.data["dispatcher"].py_func.__module__.startswith("microagg."):
            self.said = True
            log.warning("compiling kernels: this happens on the first use of a method only and takes some seconds")

    def on_end(self, event: Any) -> None:
        """Say nothing more."""


event.register("numba:compile", _Compiling())  # type: ignore[no-untyped-call]
