"""Clock of a run."""

import time


class Clock:
    """Stopwatch that a run shares with its children."""

    def __init__(self) -> None:
        self._started_at: float | None = None

    def start(self) -> None:
        """Count the time from now on, also if it was started before."""
        self._started_at = time.monotonic()

    @property
    def started(self) -> bool:
        """Whether it has been started."""
        return self._started_at is not None

    @property
    def elapsed(self) -> float:
        """Seconds since the last start; 0 before the first."""
        return 0.0 if self._started_at is None else time.monotonic() - self._started_at
