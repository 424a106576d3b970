"""Notices of the library, printed above the progress bars."""

import logging
import sys

from microagg.model.names import shown_on_terminal


class Notices(logging.Handler):
    """Log handler that prints the notices of the library, above the progress bars if there are any."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print a notice."""
        print(shown_on_terminal(record.getMessage()), file=sys.stderr)


NOTICES = Notices()
"""The handler of this process."""
