"""TFRP2 and IGD: dissolve groups, split large ones, shrink others."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from numpy.random import Generator

from microagg.control.run import Run, StoppedError
from microagg.model.checks import one_of
from microagg.model.partition import Partition
from microagg.refine.multistart import tick

_CENTROIDS = ("fixed", "moved")


@dataclass(frozen=True)
class Tfrp2:
    """Dissolve each group whose records are better off in their nearest groups, then split the groups of 2k or more.

    The second phase of TFRP, also of GSMS-T2: `Igd` cut off after its first step. O(n²·d/k).

    Parameters
    ----------
    centroids
        By which centroids a group is judged: "fixed" compares its sse with the squared distances of its records from
        the nearest centroids as they are, "moved" from where these would move, which is the exact sse. The paper's
        pseudo-code says the latter, its figures come from the former.

    References
    ----------
    Chang, Li & Huang (2007), TFRP: an efficient microaggregation algorithm, Journal of Systems and Software 80(11); as
    figures 2 and 3 of the paper of `Igd`.
    """

    centroids: str = "fixed"
    reference: ClassVar[str] = "Chang, Li & Huang 2007"

    def __post_init__(self) -> None:
        one_of("centroids", self.centroids, _CENTROIDS)

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition; `rng` is not needed."""
        return _rounds("tfrp2", partition, self.centroids == "moved", False, 1, run)


@dataclass(frozen=True)
class Igd:
    """Dissolve groups, split large ones, move records out of groups of more than k, in turn until nothing improves.

    Decompose, SplitLargeGroups, Shrink, SplitLargeGroups. Groups are gone through in the order of their first records.
    A round is O(n²·d/k): each record's nearest group is looked up once, and then only where groups have changed.

    Three readings that reproduce the published figures (docs/reproduction.md). Decompose judges by fixed centroids:
    see `centroids` of `Tfrp2`; "moved" loses up to 14 % less than published. Shrink judges by the exact sse.
    SplitLargeGroups goes on while k records are left, not k + 1. A round that loses more, which splitting may
    do, is undone and ends the search.

    Parameters
    ----------
    centroids
        By which centroids a group is judged before it is dissolved, "fixed" or "moved": see `Tfrp2`.

    References
    ----------
    Khomnotai, Lin, Peng & Santra (2018), Iterative group decomposition for refining microaggregation solutions,
    Symmetry 10(7), figures 1 to 4.
    """

    centroids: str = "fixed"
    reference: ClassVar[str] = "Khomnotai, Lin, Peng & Santra 2018"

    def __post_init__(self) -> None:
        one_of("centroids", self.centroids, _CENTROIDS)

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition; `rng` is not needed."""
        return _rounds("igd", partition, self.centroids == "moved", True, None, run)


def _rounds(name: str, best: Partition, moved: bool, shrinks: bool, most: int | None, run: Run) -> Partition:
    """Do rounds while they improve, at most `most` of them."""
    iteration = 0
    while most is None or iteration < most:
        say = partial(tick, name, best.problem, run, best.sse, iteration)
        latest, stopped = _round(best, moved, shrinks, say)
        iteration += 1
        if stopped or not latest.sse < best.sse:
            return min(best, latest, key=lambda partition: partition.sse)
        best = latest
    return best


def _round(
    partition: Partition, moved: bool, shrinks: bool, say: Callable[[float | None], None]
) -> tuple[Partition, bool]:
    """Do one round; give what it came to, and whether it was told to stop."""
    from microagg.kernels.moves import decomposition as kernels
    from microagg.kernels.moves.linked_groups import link_groups

    problem = partition.problem
    X, k = problem.X, problem.k
    labels = partition.labels
    stopped = False
    try:
        say(None)
        groups = link_groups(X, labels, partition.n_groups, 3 * (problem.n // k))  # two splits make n/k each
        labels = groups.labels
        kernels.decompose(X, groups, moved, say)
        kernels.split(X, groups, k, say)
        if shrinks:
            kernels.shrink(X, groups, k, say)
            kernels.split(X, groups, k, say)
    except StoppedError:  # between slices the groups are legal
        stopped = True
    return Partition(problem, labels), stopped
