"""Line of the server's log about an unexpected error: its type and its place, and nothing of the data."""

import os
import traceback
from pathlib import Path

_N_PLACES = 4
_log_descriptor = 2


def log_to(descriptor: int) -> None:
    """Let lines of the log go to a file descriptor."""
    global _log_descriptor
    _log_descriptor = descriptor


def log_error(error: BaseException) -> None:
    """Write the type and the place of an error to the server's log."""
    os.write(_log_descriptor, f"microagg: {type_and_place(error)}\n".encode())


def type_and_place(error: BaseException) -> str:
    """Return what kind of error it is and where it was raised: its words may hold values of the data."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{Path(frame.filename).name}, line {frame.lineno}" for frame in reversed(frames[-_N_PLACES:])]
    return f"unexpected {type(error).__name__} at {' < '.join(places)}"
