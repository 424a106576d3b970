"""RepOrdMic: put the records in a sequence group by group, cut it, and again."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.random import Generator

from microagg.control.run import Run, StoppedError
from microagg.control.stages import handed_in
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.checks import whole_number
from microagg.model.partition import Partition
from microagg.refine.multistart import Hear, best_of, surveyed, tick

if TYPE_CHECKING:
    from microagg.kernels.walks.orderings import Ground

_SIGNIFICANT = 1e-7  # of sse, where columns have variance 1: a round that gains less is the last one
_NEIGHBOURS = 32
_TABLE = 5_000  # records whose distances are kept: 200 MB


@dataclass(frozen=True)
class Reorder:
    """Order each group's records from end to end by cheapest insertion, cut the sequence optimally, and again.

    Until a round lowers the sse of standardised columns by less than 1e-7. A round is O(n·k·d) and, for the way from
    group to group, O(n²·d/k) at worst. The distances of up to 5 000 records are kept: 200 MB.

    References
    ----------
    Mortazavi (2020), Repeated record ordering for constrained size clustering, International Journal of Engineering
    33(7), algorithm 1. Its text inserts the record nearest to the sequence, its pseudo-code the one that lengthens it
    least: the pseudo-code is followed.
    """

    reference: ClassVar[str] = "Mortazavi 2020"

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition; `rng` is not needed."""
        hear = partial(tick, "reorder", partition.problem, run)
        try:
            ground = surveyed(partition, hear, _NEIGHBOURS, _TABLE)
        except StoppedError:
            return partition
        return _reorder(partition, partition.labels, ground, _most(run), hear)


@dataclass(frozen=True)
class RepOrder:
    """Order and cut again and again, as `reorder` does, from the parts of k-means with 1, 2, … means; keep the best.

    As many starts as are asked for, or fewer where there are fewer different records. The partition that came, in the
    system "reporder" the cut walk through all records, is kept where none is better.

    Parameters
    ----------
    parts_of_means
        Gives the nearest mean of each record, from the records, the number of means and a random generator.
    starts
        How many starts, and means in the last one.

    References
    ----------
    Mortazavi (2020), Repeated record ordering for constrained size clustering, International Journal of Engineering
    33(7), section 5.
    """

    parts_of_means: Callable[[FloatArray, int, Generator], IntArray] = handed_in()
    starts: int = 200
    reference: ClassVar[str] = "Mortazavi 2020"

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", whole_number("starts", self.starts, at_least=1))

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition."""
        try:
            ground = surveyed(partition, partial(tick, "reporder", partition.problem, run), _NEIGHBOURS, _TABLE)
        except StoppedError:
            return partition
        parts = self._parts(partition.problem.X, rng)
        runs = (partial(_reorder, partition, labels, ground, _most(run)) for labels in parts)
        return best_of("reporder", partition, runs, 0, self.starts, run)

    def _parts(self, X: FloatArray, rng: Generator) -> Iterator[IntArray]:
        """Give the parts of 1, 2, … means, at most as many as there are different records."""
        from microagg.kernels.geometry.equal_records import distinct_points

        for means in range(1, min(self.starts, len(distinct_points(X)[1])) + 1):
            yield self.parts_of_means(X, means, rng.spawn(1)[0])


def _most(run: Run) -> float:
    """Say how many rounds there may be from each start."""
    return np.inf if run.limits.iterations is None else run.limits.iterations


def _reorder(base: Partition, labels: IntArray, ground: "Ground", most: float, hear: Hear) -> Partition:
    """Go through rounds from the parts of some labels 0, 1, …, of any size: the best of that and `base`."""
    from microagg.kernels.walks.orderings import beside
    from microagg.kernels.walks.repeated_ordering import first_round, more_rounds, open_state

    problem, iteration = base.problem, 0
    k, significant = problem.k, _SIGNIFICANT * problem.sst / problem.X.size
    try:
        ground = beside(ground)
        state = open_state(labels, base.sse if labels is base.labels else problem.sst)
        hear(state.sse, iteration, None)
        state, iteration, gaining = first_round(ground, k, state, partial(hear, state.sse, iteration)), 1, True
        while gaining:
            hear(state.sse, iteration, None)
            state, rounds, gaining = more_rounds(ground, k, state, significant, most - iteration)
            iteration += rounds
    except StoppedError:
        pass
    if not iteration:
        return base
    return min(base, Partition(base.problem, state.labels), key=lambda partition: partition.sse)
