"""Remaining time of a phase, estimated from the shares that were reported so far."""

import math

_MIN_SHARE = 0.02  # of a phase that must be done before the time of the rest is estimated
_MIN_SECONDS = 1.0  # that a phase must have taken before
_MEMORY_SECONDS = 15.0  # over which the speed is averaged: the last ones count most
_MEMORY_SHARE = 0.3  # of the time that the phase has taken, if that is more


class RemainingTime:
    """Estimate of the seconds that are left of a phase, by its speed of late.

    Parameters
    ----------
    started
        When the phase began, by the monotonic clock.
    """

    def __init__(self, started: float) -> None:
        self._started = started
        self._reported_at = started
        self._done: float | None = None
        self._speed = 0.0
        self._weight = 0.0

    def report(self, done: float | None, now: float) -> None:
        """Take note of the share that is done; None where it is unknown.

        The first share of a phase that goes on from a checkpoint is not counted as done in this run, and a share that
        falls begins the estimate anew.
        """
        if done is None or self._done is None or done < self._done:
            self._restart(done, now)
            return
        seconds = now - self._reported_at
        if seconds <= 0.0 or done == self._done:
            return
        memory = max(_MEMORY_SECONDS, _MEMORY_SHARE * (now - self._started))
        fading = math.exp(-seconds / memory)
        self._speed = self._speed * fading + (done - self._done) / seconds * (1.0 - fading)
        self._weight = self._weight * fading + 1.0 - fading
        self._done = done
        self._reported_at = now

    def left(self, now: float) -> float | None:
        """Return the seconds that are left; None while that is not known."""
        if self._done is None or self._done < _MIN_SHARE or now - self._started < _MIN_SECONDS or not self._weight:
            return None
        left = (1.0 - self._done) * self._weight / self._speed
        return max(0.0, left - (now - self._reported_at))

    def _restart(self, done: float | None, now: float) -> None:
        self._started = now
        self._reported_at = now
        self._done = done
        self._speed = 0.0
        self._weight = 0.0
