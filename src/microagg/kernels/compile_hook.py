"""Callback before each compilation: compiling takes seconds, and a run may end between two kernels."""

from collections.abc import Callable
from contextvars import ContextVar

before_compiling: ContextVar[Callable[[], None] | None] = ContextVar("before_compiling", default=None)
"""Is called in the thread that compiles, and may raise to end it; this module does not import numba."""
