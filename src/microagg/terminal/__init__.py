"""Terminal of the command line: progress bars, notices above them, and the handling of Ctrl-C."""

from microagg.terminal.interruption import INTERRUPTION
from microagg.terminal.notices import NOTICES
from microagg.terminal.progress_bars import ProgressBars

__all__ = ["INTERRUPTION", "NOTICES", "ProgressBars"]
