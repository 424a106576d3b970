"""Events of a child process, written as lines: few of them, and the last one of each state always."""

import os
import threading
import time
from dataclasses import replace

from microagg.app.job import Event

_SECONDS_BETWEEN = 0.2


class EventWriter:
    """Writer of events to a file descriptor; several threads may use it.

    Parameters
    ----------
    descriptor
        Where the lines go.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()
        self._begun = time.monotonic()
        self._written_at = -_SECONDS_BETWEEN
        self._held: Event | None = None
        self._last = Event("queued")

    @property
    def elapsed(self) -> float:
        """Seconds since the job was begun."""
        return time.monotonic() - self._begun

    def begin(self) -> None:
        """Count the time from now on."""
        self._begun = time.monotonic()

    def write(self, event: Event) -> None:
        """Write an event, unless it tells the same state and stage as one that was written a moment ago.

        What is held back is written before an event of another state or stage, so that the last of each is there.
        """
        with self._lock:
            timed = replace(event, elapsed=round(self.elapsed, 3))
            is_new = (event.state, event.stage) != (self._last.state, self._last.stage)
            if is_new and self._held is not None:
                self._put(self._held)
            if is_new or time.monotonic() - self._written_at >= _SECONDS_BETWEEN:
                self._put(timed)
            else:
                self._held = timed
            self._last = timed

    def line(self, text: str) -> None:
        """Write a line that is no event."""
        with self._lock:
            self._send(text)

    def _put(self, event: Event) -> None:
        self._held = None
        self._written_at = time.monotonic()
        self._send(event.to_line())

    def _send(self, text: str) -> None:
        data = f"{text}\n".encode()
        while data:
            data = data[os.write(self._descriptor, data) :]
