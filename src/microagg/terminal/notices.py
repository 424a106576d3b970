"""Notices of the library, printed above the progress bars."""

import logging
import sys


class Notices(logging.Handler):
    """Log handler that prints the notices of the library, above the progress bars if there are any."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print a notice."""
        print(record.getMessage(), file=sys.stderr)


NOTICES = Notices()
"""The handler of this process."""
