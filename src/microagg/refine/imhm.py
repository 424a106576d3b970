"""IMHM: ordered cut and transport problem in turn."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from numpy.random import Generator

from microagg.control.run import Run, StoppedError
from microagg.model.partition import Partition
from microagg.refine.multistart import tick


@dataclass(frozen=True)
class Imhm:
    """Cut a walk through the groups, move the records to the best centroids, and so on in turn.

    The cut finds the number of groups and their centroids; with these fixed, the best assignment of the
    records with k to 2k − 1 in each group is a transport problem. In turn until a round does not improve the best
    partition met. A round is O(n²·d/k) for the walk, and O(n·d) for each centre that a search of the transport visits:
    about O(n²·d) in all.

    The method "imhm" starts from MDAV. The walk is that of the same authors' ICSM (nearest record next). Published
    figures and ours: docs/reproduction.md.

    References
    ----------
    Mortazavi, Jalili & Gohargazi (2013), Multivariate microaggregation by iterative optimization, Applied Intelligence
    39(3).
    """

    reference: ClassVar[str] = "Mortazavi, Jalili & Gohargazi 2013"

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition; `rng` is not needed."""
        iteration, best, latest = 0, partition, partition
        while True:
            say = partial(tick, "imhm", best.problem, run, best.sse, iteration)
            try:
                say(None)
                latest = _walk_and_cut(latest if not iteration else _transported(latest, say), say)
            except StoppedError:
                return best
            if iteration and not latest.sse < best.sse:
                return best
            best, iteration = min(latest, best, key=lambda partition: partition.sse), iteration + 1


def _walk_and_cut(partition: Partition, say: Callable[[float], None]) -> Partition:
    from microagg.kernels.walks.optimal_cut import cut_path
    from microagg.kernels.walks.orderings import group_by_group
    from microagg.kernels.walks.walk_context import make_walk_context

    X, k = partition.problem.X, partition.problem.k
    walk = group_by_group(make_walk_context(X), partition.labels, partition.sizes, say)
    return Partition.along(partition.problem, walk, cut_path(X, walk, k, say))


def _transported(partition: Partition, say: Callable[[float], None]) -> Partition:
    from microagg.kernels.grouping.transport import transport

    X, k = partition.problem.X, partition.problem.k
    return Partition(partition.problem, transport(X, partition.centroids, k, 2 * k - 1, say))
