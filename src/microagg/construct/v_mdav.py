"""V-MDAV: MDAV with groups of variable size."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from microagg.construct.fixed_size import groups_between_looks
from microagg.construct.slabs import finish
from microagg.control.run import Run, StoppedError
from microagg.kernels.tick import Tick
from microagg.model.arrays import IntArray
from microagg.model.checks import positive_number
from microagg.model.nearest_group import join_nearest
from microagg.model.partition import Partition
from microagg.model.problem import Problem

_SCATTERED, _CLUSTERED = 0.2, 1.1  # the paper's γ for either kind of data


@dataclass(frozen=True)
class VMdav:
    """Group around the record farthest from the centroid of all, and extend the group while records are near.

    While at least k records are left: the one farthest from the centroid of all records and its k − 1 nearest are a
    group. Then, up to 2k − 1: e is the record left that is nearest to any in the group, at d_in from it and at d_out
    from the nearest other record left; it joins while d_in < γ·d_out. Fewer than k in the end join the nearest
    groups, which may then have more. Ties go to the lowest index. O(n²·d/k) mostly.

    With γ = 0.2 on Census nothing is ever extended, and the figures are those that the MF-TSP paper prints as MDAV.

    Parameters
    ----------
    gamma
        How readily groups are extended. The paper names 0.2 for scattered and 1.1 for clustered data and leaves
        the choice to the user; None tries both and keeps what loses less, 0.2 where they lose the same.

    References
    ----------
    Solanas & Martínez-Ballesté (2006), V-MDAV: a multivariate microaggregation with variable group size,
    COMPSTAT.
    """

    gamma: float | None = None
    reference: ClassVar[str] = "Solanas & Martínez-Ballesté 2006"

    def __post_init__(self) -> None:
        if self.gamma is not None:
            object.__setattr__(self, "gamma", positive_number("gamma", self.gamma))

    def __call__(self, problem: Problem, rng: Generator, run: Run) -> Partition:
        """Make the partition; `rng` is not needed.

        Where the run ends it, the records left are grouped in haste, unless another γ has already been tried.
        """
        gammas = [_SCATTERED, _CLUSTERED] if self.gamma is None else [self.gamma]
        made: list[Partition] = []
        for turn, gamma in enumerate(gammas):
            labels = np.full(problem.n, -1, dtype=np.int64)
            try:
                _extend(problem, gamma, labels, partial(_tick, turn / len(gammas), 1 / len(gammas), gamma, run))
            except StoppedError:
                if made:
                    break
                run.log.fallback_share = finish(problem.X, labels, problem.k)
                return Partition(problem, labels)
            made.append(Partition(problem, labels))
        run.tell("v-mdav", 1.0)
        return min(made, key=lambda partition: partition.sse)


def _tick(before: float, share: float, gamma: float, run: Run, done: float) -> None:
    run.tick("v-mdav", before + share * done, f"γ = {gamma:g}")


def _extend(problem: Problem, gamma: float, labels: IntArray, tick: Tick) -> None:
    """Label the records (OUT) group by group."""
    from microagg.kernels.geometry.record_blocks import pack
    from microagg.kernels.grouping.growth import take_and_extend

    X, k, n = problem.X, problem.k, problem.n
    tick(0.0)
    blocks, left, group = pack(X), n, 0
    every = groups_between_looks(X)
    members = np.empty(2 * k - 1, dtype=np.int64)
    for record in np.argsort(-np.square(X - X.mean(axis=0)).sum(axis=1), kind="stable"):
        if labels[record] < 0 and left >= k:
            size = take_and_extend(blocks, left, record, k, gamma, members)
            labels[members[:size]] = group
            left, group = left - size, group + 1
            if group % every == 0:
                tick(1 - (left / n) ** 2)
    join_nearest(X, labels, np.flatnonzero(labels < 0))
