"""Decorators that compile kernels, and the one notice that compiling takes a moment."""

import gc
import logging
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core import config, event
from numba.core.types import Dispatcher

from microagg.kernels.compile_hook import before_compiling
from microagg.kernels.inner_library import InlinedCompiler, InnerCompiler, InnerDispatcher, OptionalCompiler
from microagg.kernels.kernel_cache import KernelCache
from microagg.kernels.kernel_compiler import KernelCompiler

log = logging.getLogger("microagg.kernels")
F = TypeVar("F", bound=Callable[..., object])

# No `fastmath`: it breaks NaN and the order of exact ties. The numpy error model lets loops with a division be
# vectorised. The GIL is released, so that threads run side by side.
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_INNER_OPTIONS: dict[str, Any] = {
    **_OPTIONS,
    "nopython": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


def kernel(function: F) -> F:
    """Compile a function that Python calls, at its first call, and keep the machine code on disk."""
    if config.DISABLE_JIT:  # NUMBA_DISABLE_JIT=1, to look into kernels with a debugger
        return function
    compiled = numba.njit(no_cfunc_wrapper=True, pipeline_class=KernelCompiler, **_OPTIONS)(function)
    try:
        compiled._cache = KernelCache(function)
    except (RuntimeError, OSError):  # no folder to write to: each process compiles anew
        log.debug("no folder for the machine code of %s", function.__name__)
    return cast(F, compiled)


def inner_kernel(function: F) -> F:
    """Let kernels call a function; it is compiled as a part of theirs. Called from Python, it runs uncompiled.

    What Python never calls needs no wrapper that turns Python objects into arrays and numbers. Where a function takes a
    tuple of many arrays, its wrapper takes longer to compile than its body, again in each kernel that calls it.
    """
    return _for_kernels(function, InnerCompiler)


def inlined_kernel(function: F) -> F:
    """Let kernels call a function without the cost of a call: as `inner_kernel`, for those called in one place.

    A call passes each array of a tuple as seven numbers; for a tuple of many arrays that takes as long as a short body.
    """
    return _for_kernels(function, InlinedCompiler)


def optional_kernel(function: F) -> F:
    """Let kernels call a function of an argument that may be None: as `inlined_kernel`, with a branch on that.

    It is compiled for None and for an array apart, each without the other side of the branch. For short functions only:
    to look for such branches takes time.
    """
    return _for_kernels(function, OptionalCompiler)


def _for_kernels(function: F, compiler: type[InnerCompiler]) -> F:
    """Tell numba what a function is where kernels call it; for Python it stays as it is."""
    if not config.DISABLE_JIT:
        dispatcher = InnerDispatcher(function, targetoptions=_INNER_OPTIONS, pipeline_class=compiler)
        function.__dict__.update(_numba_type_=Dispatcher(dispatcher), dispatcher=dispatcher)  # the type alone is weak
    return function


class _CompileListener(event.Listener):  # type: ignore[misc]
    """Listener that, before each compilation, checks whether to go on, and logs once that kernels are compiled.

    Loading kernels from disk is not worth a notice. While compiling, cyclic garbage is not collected: numba makes so
    many objects that looking through them takes a tenth of the time, and finds next to nothing.
    """

    def __init__(self) -> None:
        self.is_notified = False
        self.depth = 0  # compilations under way, one inside the other: numba holds a lock for them
        self.gc_was_enabled = False

    def on_start(self, event: Any) -> None:
        """Check whether to go on: an exception raised here comes out of the call of the kernel."""
        self.depth += 1
        if self.depth == 1 and gc.isenabled():
            gc.disable()
            self.gc_was_enabled = True
        check = before_compiling.get()
        if check is not None:
            check()
        module = event.data["dispatcher"].py_func.__module__ or ""
        if not self.is_notified and module.startswith("microagg."):
            self.is_notified = True
            log.warning("compiling kernels: this happens on the first use of a method only and takes some seconds")

    def on_end(self, event: Any) -> None:
        """Collect garbage again once the outermost compilation has ended, well or not."""
        self.depth -= 1
        if self.depth == 0 and self.gc_was_enabled:
            self.gc_was_enabled = False
            gc.enable()


event.register("numba:compile", _CompileListener())
