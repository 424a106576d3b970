"""IMHM: optimal cut and transportation problem in turn."""

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from microagg.control.round_progress import RoundProgress
from microagg.control.run import Run
from microagg.control.stopping import StoppedError
from microagg.kernels.tick import Tick
from microagg.model.partition import Partition


@dataclass(frozen=True)
class Imhm:
    """Optimal cut of a path through the groups, and optimal assignment of the records to the centroids, in turn.

    The cut finds the number of groups and their centroids; with these fixed, the best assignment of the
    records with k to 2k − 1 in each group is a transportation problem. In turn until a round does not improve the best
    partition found. A round is O(n²·d/k) for the path, and O(n·d) for each centroid that a search of the transportation
    problem visits: about O(n²·d) in all.

    The method "imhm" starts from MDAV. The path is that of the same authors' ICSM (nearest record next). Published
    figures and ours: docs/reproduction/reporder.md.

    References
    ----------
    Mortazavi, Jalili & Gohargazi (2013), Multivariate microaggregation by iterative optimization, Applied Intelligence
    39(3).
    """

    reference: ClassVar[str] = "Mortazavi, Jalili & Gohargazi 2013"

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition; `rng` is not needed."""
        progress = RoundProgress("imhm", partition.problem, run)
        best = partition
        latest = partition
        iteration = 0
        while True:
            tick = progress.ticker(iteration, best.sse)
            try:
                tick()
                if iteration > 0:
                    latest = _assign(latest, tick)
                latest = _walk_and_cut(latest, tick)
            except StoppedError:
                return best
            if iteration > 0 and not latest.sse < best.sse:
                return best
            best = min(latest, best, key=lambda partition: partition.sse)
            iteration += 1


def _walk_and_cut(partition: Partition, tick: Tick) -> Partition:
    from microagg.kernels.walks.optimal_cut import cut_path
    from microagg.kernels.walks.orderings import group_by_group
    from microagg.kernels.walks.walk_context import make_walk_context

    X, k = partition.problem.X, partition.problem.k
    path = group_by_group(make_walk_context(X), partition.labels, partition.sizes, tick)
    return Partition.along(partition.problem, path, cut_path(X, path, k, tick))


def _assign(partition: Partition, tick: Tick) -> Partition:
    """Assign the records to the centroids of a partition, k to 2k − 1 to each, with the least squared distances."""
    from microagg.kernels.grouping.transport import transport

    X, k = partition.problem.X, partition.problem.k
    return Partition(partition.problem, transport(X, partition.centroids, k, 2 * k - 1, tick))
