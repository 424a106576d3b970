"""A clean standard output, whatever compiled code prints."""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_STDOUT = 1  # file descriptors
_STDERR = 2


@contextmanager
def printing_to_stderr() -> Iterator[None]:
    """Redirect standard output to standard error, for other threads and below Python too.

    Some versions of HiGHS print a line of their own although their output is switched off.
    """
    try:
        kept = os.dup(_STDOUT)
    except OSError:  # there is no standard output
        yield
        return
    libc = ctypes.CDLL(None) if os.name != "nt" else ctypes.cdll.msvcrt
    if sys.stdout is not None:
        sys.stdout.flush()
    libc.fflush(None)
    os.dup2(_STDERR, _STDOUT)
    try:
        yield
    finally:
        libc.fflush(None)
        os.dup2(kept, _STDOUT)
        os.close(kept)
