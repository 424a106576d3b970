"""Walk through the groups and cut the walk anew."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from numpy.random import Generator

from microagg.control.run import Run, StoppedError
from microagg.model.arrays import IntArray
from microagg.model.partition import Partition
from microagg.refine.multistart import tick

if TYPE_CHECKING:
    from microagg.kernels.walks.walk_context import WalkContext

_OPENINGS = 5e8  # n·k² beyond which a tour is opened where the walk began: each other place costs more than it gives


@dataclass(frozen=True)
class Recut:
    """Order the records group by group, cut that tour optimally, and again until nothing improves.

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
        iteration = 0
        while True:
            say = partial(tick, "recut", partition.problem, run, partition.sse, iteration)
            try:
                say(None)
                recut = _recut(partition, say)
            except StoppedError:
                return partition
            if not recut.sse < partition.sse:
                return partition
            partition, iteration = recut, iteration + 1


def _recut(partition: Partition, say: Callable[[float], None]) -> Partition:
    from microagg.kernels.walks.walk_context import make_walk_context

    ground = make_walk_context(partition.problem.X)
    return Partition.along(
        partition.problem, *walk_and_cut(ground, partition.labels, partition.sizes, partition.problem.k, say)
    )


def walk_and_cut(
    ground: "WalkContext", labels: IntArray, sizes: IntArray, k: int, say: Callable[[float], None]
) -> tuple[IntArray, IntArray]:
    """Walk through the groups, and cut that tour optimally.

    Returns
    -------
    path, starts : ndarray
        The records in order, and where each group starts among them.
    """
    from microagg.kernels.walks.optimal_cut import cut_path, cut_tour
    from microagg.kernels.walks.orderings import group_by_group

    path = group_by_group(ground, labels, sizes, say)
    if len(path) * k**2 <= _OPENINGS:
        return cut_tour(ground.X, path, k, say)
    return path, cut_path(ground.X, path, k, say)
