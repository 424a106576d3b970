"""Say when a refiner or a bound must stop."""

import time
from dataclasses import dataclass, field

from microagg.checks import positive_number, whole_number


@dataclass(frozen=True)
class Stop:
    """Hold the limits that the user set; none of them set: stop when nothing improves.

    Parameters
    ----------
    time_limit
        Seconds from the making of this object. Runs that end by it are not reproducible.
    iterations
        How many rounds each refiner may do, from each of its starts if it has several.
    target_gap
        The gap to the lower bound that is small enough. Of several starts at once, any may be the first to reach it.
    lower_bound
        What is proved of the sse so far, by whoever runs the stages.
    """

    time_limit: float | None = None
    iterations: int | None = None
    target_gap: float | None = None
    lower_bound: float = 0.0
    started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        if self.time_limit is not None:
            object.__setattr__(self, "time_limit", positive_number("time_limit", self.time_limit))
        if self.iterations is not None:
            object.__setattr__(self, "iterations", whole_number("iterations", self.iterations, at_least=0))
        if self.target_gap is not None:
            object.__setattr__(self, "target_gap", positive_number("target_gap", self.target_gap))

    @property
    def given(self) -> tuple[str, ...]:
        """Name the limits that were set."""
        return tuple(name for name in ("time_limit", "iterations", "target_gap") if getattr(self, name) is not None)

    def __call__(self, iteration: int, sse: float) -> bool:
        """Say whether to stop before the round of this number, counting from 0, with so much lost."""
        if self.iterations is not None and iteration >= self.iterations:
            return True
        if self.target_gap is not None and sse - self.lower_bound <= self.target_gap * sse:
            return True
        return self.time_limit is not None and time.monotonic() - self.started >= self.time_limit
