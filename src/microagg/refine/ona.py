"""ONA: records moved out of groups, groups dissolved and split, from random groups."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from microagg.control.round_progress import RoundProgress
from microagg.control.run import Run
from microagg.control.stopping import StoppedError
from microagg.kernels.tick import Tick
from microagg.model.checks import whole_number
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.refine.multistart import MultiStart


@dataclass(frozen=True)
class Ona:
    """ONA: records moved out of groups, groups dissolved and split, until nothing improves; from several starts.

    A round moves records out of groups above k, each to its nearest other group, while that lowers the sse; dissolves
    groups where that lowers it, each record to its nearest group; and splits groups of 2k or more: the three operations
    of `Igd`, all judged by the exact sse. A round that does not lower the sse is undone and ends the start. O(n²·d/k) a
    round at worst.

    No description was at hand but a summary: each group in turn loses records or is dissolved, groups are split at 2k,
    until nothing changes, and the best of several random starts is kept. Figures at k = 3 are remembered only: 15.10 on
    Tarragona and 5.26 on Census; the default gives 14.991 and 5.459. Another reading (group by group, first shrunk and
    then dissolved, records to the group where they cost least, groups split in two by swaps) gave 15.099 and 5.444 from
    twenty random starts of k records a group; starts of random sizes are far worse.

    Parameters
    ----------
    starts
        The number of starts: the first from the partition as it is, the others from random groups of k. The best is
        kept.

    References
    ----------
    [1] Soria-Comas, Domingo-Ferrer & Mulero (2019), Efficient near-optimal variable-size microaggregation, Modeling
        Decisions for Artificial Intelligence.
    [2] Thaeter & Reischuk (2021), Scalable k-anonymous microaggregation: exploiting the tradeoff between computational
        complexity and information loss, SECRYPT: the same, faster (ONA*).
    """

    starts: int = 20
    reference: ClassVar[str] = "Soria-Comas, Domingo-Ferrer & Mulero 2019"

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", whole_number("starts", self.starts, at_least=1))

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition."""
        multistart = MultiStart("ona", partition, self.starts, run)
        multistart.refine_batch(partial(_refine, start) for start in self._starts(partition, rng))
        return multistart.best

    def _starts(self, partition: Partition, rng: Generator) -> Iterator[Partition]:
        """Yield the partition itself, then random ones."""
        yield partition
        for own_rng in rng.spawn(self.starts - 1):
            yield _random_partition(partition.problem, own_rng)


def _random_partition(problem: Problem, rng: Generator) -> Partition:
    """Return random groups of k; records left over join the last one."""
    groups = np.minimum(np.arange(problem.n) // problem.k, problem.n // problem.k - 1)
    return Partition(problem, rng.permutation(groups))


def _refine(partition: Partition, progress: RoundProgress) -> Partition:
    """Repeat rounds while they lower the sse; a round that does not is undone."""
    best = partition
    iteration = 0
    try:
        while True:
            latest = _round(best, progress.ticker(iteration, best.sse))
            iteration += 1
            if not latest.sse < best.sse:
                return best
            best = latest
    except StoppedError:
        return best


def _round(partition: Partition, tick: Tick) -> Partition:
    """Move records out of each group above k, then dissolve groups, then split those of 2k or more."""
    from microagg.kernels.moves.decomposition import decompose, shrink, split
    from microagg.kernels.moves.linked_groups import link_groups

    problem = partition.problem
    X, k = problem.X, problem.k
    tick()
    groups = link_groups(X, partition.labels, partition.n_groups, 2 * (problem.n // k))
    shrink(X, groups, k, tick)
    decompose(X, groups, True, tick)
    split(X, groups, k, k, tick)
    return Partition(problem, groups.labels)
