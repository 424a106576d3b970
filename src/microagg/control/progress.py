"""Progress reports: the callback of the user, and how often it is called."""

import math
import time
from typing import Protocol

MIN_REPORT_INTERVAL = 0.05  # seconds between two reports of the same stage


class Progress(Protocol):
    """Callback for progress reports; it is called often and must return quickly."""

    def __call__(self, stage: str, done: float | None, note: str = "") -> None:
        """Receive a report.

        Parameters
        ----------
        stage
            The name of the stage, e.g. "mdav".
        done
            The share of the stage that is done, from 0 to 1; None where it is unknown.
        note
            Further details, e.g. the loss reached.
        """


def silent(stage: str, done: float | None, note: str = "") -> None:
    """Ignore the report: the default."""


class ThrottledProgress:
    """Progress that passes on the first report of each stage, the one that it is done, and few in between.

    Parameters
    ----------
    progress
        The callback that gets the reports.
    """

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._stage = ""
        self._reported_at = 0.0

    def __call__(self, stage: str, done: float | None, note: str = "") -> None:
        """Pass a report on, unless the last one of this stage was a moment ago."""
        now = time.monotonic()
        if stage != self._stage or done == 1.0 or now - self._reported_at >= MIN_REPORT_INTERVAL:
            self._stage = stage
            self._reported_at = now
            self._progress(stage, done, note)


def floor_percent(percent: float) -> str:
    """Format a proved percentage: rounding it up would claim more than is proved."""
    return f"{math.floor(1e4 * percent) / 1e4:.4f} %"
