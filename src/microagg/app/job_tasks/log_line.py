"""Line of the server's log about an unexpected error: its type and its place, and nothing of the data."""

import os
import traceback
from pathlib import Path

_PACKAGE = Path(__file__).parents[2]
_log_descriptor = 2


def log_to(descriptor: int) -> None:
    """Let lines of the log go to a file descriptor."""
    global _log_descriptor
    _log_descriptor = descriptor


def log_error(error: BaseException) -> None:
    """Write the type and the place of an error to the server's log; its message may hold values of the data."""
    places = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_ours(frame.filename)]
    where = ""
    if places:
        last = places[-1]
        where = f" in {Path(last.filename).relative_to(_PACKAGE)}, line {last.lineno}"
    os.write(_log_descriptor, f"microagg: unexpected {type(error).__name__}{where}\n".encode())


def _is_ours(file: str) -> bool:
    return Path(file).is_relative_to(_PACKAGE)
