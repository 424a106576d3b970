"""ICSM: tour cuts, exchanges and cyclic moves."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.random import Generator

from microagg.control.round_progress import RoundProgress
from microagg.control.run import Run
from microagg.control.stopping import StoppedError
from microagg.model.arrays import IntArray
from microagg.model.checks import one_of, whole_number
from microagg.model.errors import InputError
from microagg.model.partition import Partition
from microagg.refine.icsm_rounds import IcsmRounds
from microagg.refine.multistart import MultiStart
from microagg.refine.walk_preparation import prepare_walks

if TYPE_CHECKING:
    from microagg.kernels.walks.walk_context import WalkContext

_N_PERTURBED = 20  # records that get another group before another start: [1], section 5.3
_N_NEIGHBOURS = 16
_BATCH_SIZE = 8  # starts from one best partition
_PERTURB = ("start", "best")


@dataclass(frozen=True)
class Icsm:
    """Optimal cut of a tour through the groups, migrations, exchanges and cyclic moves of records, in turn.

    Until nothing improves: the tour step (see `Recut`) finds the number of groups; then the first 100
    migrations (1-opt) and exchanges (2-opt) that gain are made, the best first, no two of them in one group; where
    there are none, the best cycle of moves (n-opt) through the group of the lowest score. O(n²·(d + k)) a round at
    worst; pairs of groups too far from each other, or unchanged since they were examined, are skipped.

    Readings: the pool takes the first changes found, record by record, as the pseudo-code says, each pair once. Of the
    cycles, only the one that gains most is made before the tour step comes again. Ties go to the lowest index.

    Parameters
    ----------
    max_iterations
        The number of rounds of tour and exchanges from each start; None: no limit.
    starts
        The number of starts: the first from the partition as it is, the others from one in which 20 records got random
        groups. The best is kept.
    perturb
        The partition in which they get them: "start", the one to refine, as in the paper; or "best", in the second half
        of the starts the best so far, eight starts at a time: ours, and better.

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
        progress = RoundProgress("icsm", partition.problem, run)
        try:
            context = prepare_walks(partition, progress, _N_NEIGHBOURS)
        except StoppedError:
            return partition
        if self.starts == 1:
            return _refine(partition, partition.labels, context, self.max_iterations, progress)
        multistart = MultiStart("icsm", partition, self.starts, run)
        for numbers in self._batches():
            base = multistart.best
            labels = (_perturb(base, rng.spawn(1)[0]) if number else base.labels for number in numbers)
            starts = (partial(_refine, base, start, context, self.max_iterations) for start in labels)
            if not multistart.refine_batch(starts):
                break
        return multistart.best

    def _batches(self) -> Iterator[range]:
        """Yield the numbers of the starts that begin from the same partition."""
        first = self.starts if self.perturb == "start" else (self.starts + 1) // 2
        yield range(first)
        for done in range(first, self.starts, _BATCH_SIZE):
            yield range(done, min(done + _BATCH_SIZE, self.starts))


def _perturb(partition: Partition, rng: Generator) -> IntArray:
    """Give some records random groups ([1] section 5.3), which may then be below k: the tour is cut anew."""
    n_perturbed = min(partition.problem.n, _N_PERTURBED)
    groups = rng.integers(partition.n_groups, size=n_perturbed)
    records = rng.choice(partition.problem.n, n_perturbed, replace=False)
    labels = partition.labels.copy()
    labels[records] = groups
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _refine(
    base: Partition, labels: IntArray, context: "WalkContext", max_rounds: int | None, progress: RoundProgress
) -> Partition:
    """Refine the groups of some labels until nothing improves; return the best of the result and `base`."""
    try:
        rounds = IcsmRounds(base, labels, context, progress)
    except StoppedError:
        return base
    with suppress(StoppedError):
        rounds.repeat(max_rounds)
    if rounds.iteration == 0:
        return base
    return min(base, Partition(base.problem, rounds.labels), key=lambda partition: partition.sse)
