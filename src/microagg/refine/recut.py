"""Walk through the groups and cut the walk anew."""

from dataclasses import dataclass
from itertools import count
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from microagg.partition import Partition
from microagg.progress import Progress
from microagg.stop import Stop


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

    def __call__(self, partition: Partition, rng: Generator, stop: Stop, progress: Progress) -> Partition:
        """Refine the partition; `rng` is not needed."""
        for iteration in count():
            progress("recut", None, f"loss {partition.information_loss:.4f} %")
            if stop(iteration):
                return partition
            recut = _recut(partition)
            if not recut.sse < partition.sse:
                return partition
            partition = recut
        raise AssertionError("unreachable")


def _recut(partition: Partition) -> Partition:
    from microagg.kernels.blocks import pack
    from microagg.kernels.cut import best_rotation, cut_path
    from microagg.kernels.order import group_by_group

    X, k, labels = partition.problem.X, partition.problem.k, partition.labels
    members = np.argsort(labels, kind="stable")
    starts = np.concatenate([[0], np.cumsum(partition.sizes)])
    tour = group_by_group(pack(X), X, labels, members, starts)
    path = np.roll(tour, -best_rotation(X, tour, k))
    return Partition.along(partition.problem, path, cut_path(X, path, k))
