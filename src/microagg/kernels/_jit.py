"""Compile kernels: the one decorator, and the one notice that it takes a moment."""

import logging
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core import event

log = logging.getLogger("microagg.kernels")
F = TypeVar("F", bound=Callable[..., object])


def kernel(function: F) -> F:
    """Compile a function when it is first called, and keep the machine code on disk.

    No `fastmath`: it breaks NaN and the order of exact ties. The numpy error model lets loops
    with a division be vectorised. The GIL is released, so threads run side by side.
    """
    compiled = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    return cast(F, compiled)


class _Notice(event.Listener):
    """Log once that kernels are being compiled; loading them from disk is not worth a word."""

    said = False

    def on_start(self, event: Any) -> None:
        if not self.said and event.data["dispatcher"].py_func.__module__.startswith("microagg."):
            self.said = True
            log.warning("compiling kernels: this happens on the first run only and takes some seconds")

    def on_end(self, event: Any) -> None:
        """Say nothing more."""


event.register("numba:compile", _Notice())  # type: ignore[no-untyped-call]
