"""Handling of Ctrl-C and of the signal to end."""

import os
import signal
import sys
from contextlib import suppress
from typing import NoReturn

from microagg.control.run import Run
from microagg.model.names import shown_on_terminal

_EXIT_INTERRUPTED = 130


class Interruption:
    """Handler of Ctrl-C and SIGTERM that remembers them: an exception raised in foreign clean-up code would be lost.

    The first Ctrl-C while a run is solving cancels the run, and its best result is released; any other signal
    interrupts the program.

    Attributes
    ----------
    pending : bool
        Whether the program is to be interrupted.
    outcome : str
        What was written so far, in words.
    run : Run or None
        The run to cancel, while one is solving.
    promise : str
        What comes of a run that is cancelled, in words.
    """

    pending = False
    outcome = "nothing was written"
    run: Run | None = None
    promise = "ending with the best result so far; press Ctrl-C again to discard it"

    def install(self) -> None:
        """Handle the signals from now on."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._handle)

    def _handle(self, number: int, frame: object) -> None:
        if number == signal.SIGINT and self.run is not None and not self.run.cancelled:
            self.run.cancel()
            print(f"cancelled: {shown_on_terminal(self.promise)}", file=sys.stderr)
            return
        self.pending = True
        raise KeyboardInterrupt

    def check(self) -> None:
        """Raise KeyboardInterrupt if the program is to be interrupted."""
        if self.pending:
            raise KeyboardInterrupt

    def ignore(self) -> None:
        """Ignore the signals from now on."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)

    def exit(self) -> NoReturn:
        """Print what was written, and end the process."""
        while True:
            with suppress(KeyboardInterrupt):  # polars raises one of its own, and Python's comes after it
                self.ignore()
                print(f"interrupted: {shown_on_terminal(self.outcome)}", file=sys.stderr, flush=True)
                os._exit(_EXIT_INTERRUPTED)  # after a signal inside `exec` of foreign code, sys.exit would kill by it


INTERRUPTION = Interruption()
"""The handler of this process."""
