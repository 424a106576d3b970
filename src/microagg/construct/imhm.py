"""IMHM: ordered cut and transport problem in turn."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from numpy.random import Generator

from microagg.construct.fixed_size import FixedSize
from microagg.construct.grow import Nearest
from microagg.construct.mdav import Mdav
from microagg.partition import Partition
from microagg.problem import Problem
from microagg.progress import Progress


@dataclass(frozen=True)
class Imhm:
    """Walk through the groups of MDAV and cut the walk, move the records to the best centroids, and so on in turn.

    The cut finds the number of groups and their centroids; with these fixed, the best assignment of the
    records with k to 2k − 1 in each group is a transport problem. In turn until a round does not improve the best
    partition met. O(n²·d/k) for the walk; the transport mostly O(n²·d/k) too.

    The walk is that of the same authors' ICSM (nearest record next). Published (RepOrdMic paper, table 2) and ours: see
    docs/reproduction.md.

    References
    ----------
    Mortazavi, Jalili & Gohargazi (2013), Multivariate microaggregation by iterative optimization, Applied Intelligence
    39(3).
    """

    reference: ClassVar[str] = "Mortazavi, Jalili & Gohargazi 2013"

    def __call__(self, problem: Problem, rng: Generator, progress: Progress) -> Partition:
        """Make the partition; `rng` is not needed."""
        start = FixedSize(Mdav(), Nearest())(problem, rng, progress)
        best = latest = _walk_and_cut(start, progress)
        while True:
            latest = _walk_and_cut(_transported(latest, progress), progress)
            if not latest.sse < best.sse:
                return best
            best = latest


def _walk_and_cut(partition: Partition, progress: Progress) -> Partition:
    from microagg.kernels.cut import cut_path
    from microagg.kernels.order import group_by_group

    X, k, tick = partition.problem.X, partition.problem.k, partial(_tick, partition, "imhm: cut", progress)
    walk = group_by_group(X, partition.labels, partition.sizes, tick)
    return Partition.along(partition.problem, walk, cut_path(X, walk, k, tick))


def _transported(partition: Partition, progress: Progress) -> Partition:
    from microagg.kernels.transport import transport

    X, k, tick = partition.problem.X, partition.problem.k, partial(_tick, partition, "imhm: transport", progress)
    return Partition(partition.problem, transport(X, partition.centroids, k, 2 * k - 1, tick))


def _tick(partition: Partition, stage: str, progress: Progress, done: float) -> None:
    progress(stage, done, f"loss {partition.information_loss:.4f} %")
