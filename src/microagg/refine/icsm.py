"""ICSM: cut a tour through the groups, exchange records, move them on in circles."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.random import Generator

from microagg.control.run import Run, StoppedError
from microagg.model.arrays import BoolArray, IntArray
from microagg.model.checks import one_of, whole_number
from microagg.model.errors import InputError
from microagg.model.partition import Partition, labels_along
from microagg.refine.multistart import Hear, best_of, surveyed, tick
from microagg.refine.recut import walk_and_cut

if TYPE_CHECKING:
    from microagg.kernels.walks.orderings import Ground

_POOL = 100  # p_n of [1], section 5.1
_PERTURBED = 20  # records that get another group before another start: [1], section 5.3
_NEIGHBOURS = 16
_TOGETHER = 8  # starts from one best partition
_PERTURB = ("start", "best")


@dataclass(frozen=True)
class Icsm:
    """Cut a tour through the groups, let records migrate and change places, and move them on in circles.

    In turn until nothing improves: the tour step (see `Recut`) finds the number of groups; then the first 100
    migrations (1-opt) and exchanges (2-opt) that gain are made, the best first, no two of them in one group; where
    there are none, the best circle of moves (n-opt) through the group of the lowest score. O(n²·(d + k)) a round at
    worst; pairs of groups too far from each other, or unchanged since they were looked at, are passed over.

    Readings: the pool takes the first changes found, record by record, as the pseudo-code says, each pair once. Of the
    circles, only the one that gains most is made before the tour step comes again. Ties go to the lowest index.

    Parameters
    ----------
    max_iterations
        How many rounds of tour and exchanges at most, from each start; None: no limit.
    starts
        How many starts: the first from the partition as it is, the others from one in which 20 records got random
        groups. The best is kept.
    perturb
        Which partition these are taken from: "start", the one that came, as the paper has it; or "best", in the second
        half of the starts the best so far, eight starts at a time: ours, and better.

    References
    ----------
    [1] Mortazavi & Jalili (2015), A novel local search method for microaggregation, The ISC International Journal of
        Information Security 7(1), algorithms 2 to 5 and section 5.3.
    """

    max_iterations: int | None = None
    starts: int = 1
    perturb: str = "start"
    reference: ClassVar[str] = "Mortazavi & Jalili 2015"

    def __post_init__(self) -> None:
        if self.max_iterations is not None:
            object.__setattr__(self, "max_iterations", whole_number("max_iterations", self.max_iterations, at_least=0))
        object.__setattr__(self, "starts", whole_number("starts", self.starts, at_least=1))
        if one_of("perturb", self.perturb, _PERTURB) == "best" and self.starts == 1:
            raise InputError("perturb=best needs several starts, as in 'icsm(starts=200, perturb=best)', found one")

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition; `rng` is needed for several starts."""
        hear = partial(tick, "icsm", partition.problem, run)
        try:
            ground = surveyed(partition, hear, _NEIGHBOURS)
        except StoppedError:
            return partition
        most = np.inf if self.max_iterations is None else self.max_iterations
        if self.starts == 1:
            return _descend(partition, partition.labels, ground, most, hear)
        best, number = partition, 0
        for together in self._batches():
            base, numbers = best, range(number, number + together)
            starts = (_perturbed(base, rng.spawn(1)[0]) if start else base.labels for start in numbers)
            runs = (partial(_descend, base, labels, ground, most) for labels in starts)
            best = best_of("icsm", best, runs, number, self.starts, run)
            number += together
        return best

    def _batches(self) -> Iterator[int]:
        """Say how many starts go from the same partition."""
        first = self.starts if self.perturb == "start" else (self.starts + 1) // 2
        yield first
        for done in range(first, self.starts, _TOGETHER):
            yield min(_TOGETHER, self.starts - done)


def _perturbed(partition: Partition, rng: Generator) -> IntArray:
    """Give some records random groups ([1] section 5.3); these need not have k records, as the tour is cut anew."""
    n = partition.problem.n
    labels = partition.labels.copy()
    labels[rng.choice(n, min(n, _PERTURBED), replace=False)] = rng.integers(partition.n_groups, size=min(n, _PERTURBED))
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _descend(base: Partition, labels: IntArray, ground: "Ground", most: float, hear: Hear) -> Partition:
    """Improve the groups of some labels until nothing improves: the best of that and `base`."""
    least = np.inf
    try:
        descent = _Descent(base, labels, ground, hear)
    except StoppedError:
        return base
    try:
        while True:
            while descent.iteration < most and descent.round():
                pass
            if descent.iteration >= most or not descent.sse < least or not descent.circle():
                break
            least = descent.sse  # what gains by rounding only is not done again
    except StoppedError:
        pass
    if not descent.iteration:
        return base
    return min(base, Partition(base.problem, descent.labels), key=lambda partition: partition.sse)


class _Descent:
    """Hold groups that improve; after the first round they are legal."""

    def __init__(self, base: Partition, labels: IntArray, ground: "Ground", hear: Hear) -> None:
        from microagg.kernels.walks.orderings import beside

        self.X, self.k, self.labels, self.hear = base.problem.X, base.problem.k, labels, hear
        self.ground = beside(ground)
        self.sizes = np.bincount(labels)
        self.iteration, self.sse = 0, base.sse if labels is base.labels else base.problem.sst
        self.fresh: BoolArray = np.ones(len(self.sizes), dtype=np.bool_)  # not yet looked at together with all others

    def round(self) -> bool:
        """Cut a tour, then let records migrate and change places; say whether that improved anything."""
        from microagg.kernels.moves.exchange import fresh_groups_after, measure_groups

        self.say()
        path, starts = walk_and_cut(self.ground, self.labels, self.sizes, self.k, self.say)
        labels = labels_along(path, starts)
        sizes = np.bincount(labels)
        self.fresh = fresh_groups_after(self.labels, self.sizes, self.fresh, labels, sizes)
        self.labels, self.sizes = labels, sizes
        self.exchange()
        self.shape = measure_groups(self.X, self.labels, len(sizes))
        before, self.sse = self.sse, float(np.square(self.shape.radii).sum())
        self.iteration += 1
        return self.sse < before

    def exchange(self) -> None:
        """Make the best of the first changes that gain: [1] algorithm 3."""
        from microagg.kernels.moves.exchange import find_moves, make_best_moves, measure_groups

        n_groups = len(self.sizes)
        shape = measure_groups(self.X, self.labels, n_groups)
        pool = find_moves(self.X, shape, self.k, self.fresh, _POOL, self.say)
        changed = make_best_moves(self.labels, n_groups, pool)
        self.sizes = np.bincount(self.labels)
        self.fresh = changed if len(pool.records) < _POOL else self.fresh | changed

    def circle(self) -> bool:
        """Make the best circle of moves through the group of the lowest score: [1] algorithm 4; say if there is one."""
        from microagg.kernels.moves.cycles import apply_cycle, find_cycle

        nodes = find_cycle(self.X, self.shape, self.k, self.say)
        before = self.labels.copy()
        apply_cycle(self.labels, nodes)
        moved = self.labels != before
        self.sizes = np.bincount(self.labels)
        self.fresh[before[moved]] = self.fresh[self.labels[moved]] = True
        return len(nodes) > 0

    def say(self, done: float | None = None) -> None:
        """Say how far the round is, and leave it when told to."""
        self.hear(self.sse, self.iteration, done)
