"""Optimal cut of a tour through the groups, repeated."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from numpy.random import Generator

from microagg.control.round_progress import RoundProgress
from microagg.control.run import Run
from microagg.control.stopping import StoppedError
from microagg.kernels.tick import Tick
from microagg.model.arrays import IntArray
from microagg.model.partition import Partition

if TYPE_CHECKING:
    from microagg.kernels.walks.walk_context import WalkContext

_MAX_TOUR_WORK = 5e8  # n·k² beyond which only the path is cut: cutting the tour costs more than it gains


@dataclass(frozen=True)
class Recut:
    """Optimal cut of a tour through the records group by group, repeated until nothing improves.

    The old groups are one way to cut the tour, so no cut is worse. This is the tour step of ICSM on its
    own: it finds the number of groups. O(n²·d/k + n·k·(k + d)) a round.

    References
    ----------
    Mortazavi & Jalili (2015), ICSM, section 4.2; Domingo-Ferrer et al. (2006), Efficient multivariate
    data-oriented microaggregation, The VLDB Journal 15(4).
    """

    reference: ClassVar[str] = "Mortazavi & Jalili 2015, section 4.2"

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition; `rng` is not needed."""
        progress = RoundProgress("recut", partition.problem, run)
        iteration = 0
        while True:
            try:
                recut = _recut(partition, progress.ticker(iteration, partition.sse))
            except StoppedError:
                return partition
            if not recut.sse < partition.sse:
                return partition
            partition = recut
            iteration += 1


def _recut(partition: Partition, tick: Tick) -> Partition:
    from microagg.kernels.walks.walk_context import make_walk_context

    tick()
    problem = partition.problem
    order, starts = walk_and_cut(make_walk_context(problem.X), partition.labels, partition.sizes, problem.k, tick)
    return Partition.along(problem, order, starts)


def walk_and_cut(
    context: "WalkContext", labels: IntArray, sizes: IntArray, k: int, tick: Tick
) -> tuple[IntArray, IntArray]:
    """Walk through the groups, and cut that tour optimally.

    Returns
    -------
    order, starts : ndarray
        The records in order, and where each group starts among them.
    """
    from microagg.kernels.walks.optimal_cut import cut_path, cut_tour
    from microagg.kernels.walks.orderings import group_by_group

    order = group_by_group(context, labels, sizes, tick)
    if len(order) * k**2 <= _MAX_TOUR_WORK:
        return cut_tour(context.X, order, k, tick)
    return order, cut_path(context.X, order, k, tick)
