"""Keep standard output clean, whatever compiled code prints."""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_OUT, _ERR = 1, 2  # numbers of the two files


@contextmanager
def printing_to_stderr() -> Iterator[None]:
    """Send to standard error what the process prints to standard output, in other threads and below Python too.

    Some versions of HiGHS print a line of their own, although they are told not to.
    """
    try:
        kept = os.dup(_OUT)
    except OSError:  # there is no standard output
        yield
        return
    libc = ctypes.CDLL(None) if os.name != "nt" else ctypes.cdll.msvcrt
    if sys.stdout is not None:
        sys.stdout.flush()
    libc.fflush(None)
    os.dup2(_ERR, _OUT)
    try:
        yield
    finally:
        libc.fflush(None)
        os.dup2(kept, _OUT)
        os.close(kept)
