"""V-MDAV: MDAV with groups of variable size."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from microagg.construct.partial_grouping import groups_per_tick
from microagg.construct.slabs import group_rest_in_slabs
from microagg.control.run import Run
from microagg.control.stopping import StoppedError
from microagg.kernels.tick import Tick
from microagg.model.arrays import IntArray
from microagg.model.checks import positive_number
from microagg.model.nearest_group import join_nearest
from microagg.model.partition import Partition
from microagg.model.problem import Problem

GAMMA_SCATTERED = 0.2  # the paper's γ for scattered data
GAMMA_CLUSTERED = 1.1  # and for clustered data


@dataclass(frozen=True)
class VMdav:
    """MDAV with variable group size: groups around the outermost records, extended while other records are near.

    While at least k records are left: the one farthest from the centroid of all records and its k − 1 nearest are a
    group. Then, up to 2k − 1: e is the record left that is nearest to any in the group, at d_in from it and at d_out
    from the nearest other record left; it joins while d_in < γ·d_out. Fewer than k in the end join the nearest
    groups, which may then have more. Ties go to the lowest index. O(n²·d/k) mostly.

    With γ = 0.2 on Census nothing is ever extended, and the figures are those that the MF-TSP paper prints as MDAV.

    Parameters
    ----------
    gamma
        How readily groups are extended. The paper names 0.2 for scattered and 1.1 for clustered data and lets the
        user choose; None tries both and keeps what loses less, 0.2 where they lose the same.

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

        If the run ends it, the records left are grouped in slabs, unless another γ has been tried before.
        """
        gammas = [GAMMA_SCATTERED, GAMMA_CLUSTERED] if self.gamma is None else [self.gamma]
        tried: list[Partition] = []
        for number, gamma in enumerate(gammas):
            labels = np.full(problem.n, -1, dtype=np.int64)
            try:
                _group(problem, gamma, labels, _GammaTick(run, gamma, number, len(gammas)))
            except StoppedError:
                if tried:
                    break
                run.log.fallback_share = group_rest_in_slabs(problem.X, labels, problem.k)
                return Partition(problem, labels)
            tried.append(Partition(problem, labels))
        run.report("v-mdav", 1.0)
        return min(tried, key=lambda partition: partition.sse)


@dataclass(frozen=True)
class _GammaTick:
    """Tick of one of several γ, each of which is the same share of the work."""

    run: Run
    gamma: float
    number: int
    n_gammas: int

    def __call__(self, done: float | None = None) -> None:
        share = self.number / self.n_gammas + 1 / self.n_gammas * (done or 0.0)
        self.run.tick("v-mdav", share, f"γ = {self.gamma:g}")


def _group(problem: Problem, gamma: float, labels: IntArray, tick: Tick) -> None:
    """Label the records (OUT) group by group."""
    from microagg.kernels.geometry.record_blocks import pack
    from microagg.kernels.grouping.growth import take_and_extend

    X, k, n = problem.X, problem.k, problem.n
    tick(0.0)
    blocks = pack(X)
    n_left = n
    group = 0
    every = groups_per_tick(X)
    members = np.empty(2 * k - 1, dtype=np.int64)
    for record in np.argsort(-np.square(X - X.mean(axis=0)).sum(axis=1), kind="stable"):
        if labels[record] < 0 and n_left >= k:
            size = take_and_extend(blocks, n_left, record, k, gamma, members)
            labels[members[:size]] = group
            n_left -= size
            group += 1
            if group % every == 0:
                tick(1 - (n_left / n) ** 2)
    join_nearest(X, labels, np.flatnonzero(labels < 0))
