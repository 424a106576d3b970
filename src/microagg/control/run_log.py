"""Log of a run."""

import threading
from dataclasses import dataclass, field

from microagg.control.clock import Clock
from microagg.control.stopping import Ending
from microagg.model.history import Step


@dataclass
class RunLog:
    """History of a run: how the sse fell, how many rounds there were, and what ended them.

    Parameters
    ----------
    steps
        The sse whenever it had fallen.
    iterations
        The number of rounds, the most of any stage; of all its starts together, where it has several.
    starts
        The number of starts that were asked for, the most of any stage; 1 where none has several.
    ended_by
        The last limit that ended a stage.
    fallback_share
        The share of the records that were grouped by the fallback, as the constructor was stopped.
    """

    steps: list[Step] = field(default_factory=list)
    iterations: int = 0
    starts: int = 1
    ended_by: Ending | None = None
    fallback_share: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def add_step(self, iteration: int, sse: float, clock: Clock) -> None:
        """Add a step if its sse is below that of the last one; several threads may do so at once."""
        with self._lock:
            if not self.steps or sse < self.steps[-1].sse:
                self.steps.append(Step(clock.elapsed, iteration, sse))
            self.iterations = max(self.iterations, iteration)
