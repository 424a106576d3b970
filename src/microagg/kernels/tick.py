"""Progress callback of kernels, and the amount of work between two of its calls."""

from typing import Protocol

WORK_PER_TICK = 2e8  # elementary operations: a fraction of a second


class Tick(Protocol):
    """Progress callback of a long computation; it may raise an exception to end the computation."""

    def __call__(self, done: float | None = None) -> None:
        """Report the share that is done, from 0 to 1; None where it is unknown."""


def no_tick(done: float | None = None) -> None:
    """Report nothing and never end the computation."""


def steps_per_tick(work_per_step: float) -> int:
    """Return how many steps to take between two ticks, at least one."""
    return max(1, int(WORK_PER_TICK / work_per_step))
