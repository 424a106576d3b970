"""Hold what `solve` found: a partition, and perhaps a number that no partition can beat."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from microagg.arrays import IntArray
from microagg.errors import VerificationError
from microagg.partition import Partition

Status = Literal["heuristic", "bounded", "optimal"]


@dataclass(frozen=True)
class LowerBound:
    """Hold a proved number: no partition of the problem has a smaller sse.

    Parameters
    ----------
    sse
        The bound, in the units of `Partition.sse`.
    kind
        How it was proved, in a word or two.
    """

    sse: float
    kind: str


class Step(NamedTuple):
    """Say how little was lost at a moment of the refining."""

    seconds: float  # since the start
    iteration: int
    sse: float


@dataclass(frozen=True, eq=False)
class Solution:
    """Hold a partition, the method that made it, and its bound if one was asked for.

    Parameters
    ----------
    history
        When the refiners had come down to what sse.
    iterations
        How many rounds the refiners did, the most of any; from each start, if it had several.
    ended_by
        What ended the refining before its own end: "time_limit", "iterations", "target_gap", "interruption", or None.
    """

    partition: Partition
    method: str
    bound: LowerBound | None = None
    history: tuple[Step, ...] = field(default=(), repr=False)
    iterations: int = 0
    ended_by: str | None = None

    def __post_init__(self) -> None:
        if self.bound is not None and self.bound.sse > self.sse:
            raise VerificationError(
                f"a {self.bound.kind} bound of {self.bound.sse} lies above a partition of sse {self.sse}"
            )

    @property
    def labels(self) -> IntArray:
        """The group of each record, of shape (n,)."""
        return self.partition.labels

    @property
    def n_groups(self) -> int:
        """How many groups there are."""
        return self.partition.n_groups

    @property
    def sizes(self) -> IntArray:
        """How many records each group has, of shape (n_groups,)."""
        return self.partition.sizes

    @property
    def sse(self) -> float:
        """The squares within the groups."""
        return self.partition.sse

    @property
    def sst(self) -> float:
        """The total squares."""
        return self.partition.problem.sst

    @property
    def information_loss(self) -> float:
        """100·sse/sst in percent."""
        return self.partition.information_loss

    @property
    def lower_bound(self) -> float | None:
        """What no partition can beat, as sse; None while no bound was asked for."""
        return None if self.bound is None else self.bound.sse

    @property
    def gap(self) -> float | None:
        """(sse − lower_bound)/sse; None while no bound was asked for."""
        if self.lower_bound is None:
            return None
        return (self.sse - self.lower_bound) / self.sse if self.sse else 0.0

    @property
    def reproducible(self) -> bool:
        """Whether the same `random_state` gives the same groups again: not where time or a person ended the search."""
        return self.ended_by not in ("time_limit", "interruption")

    @property
    def status(self) -> Status:
        """Say how much is proved of this solution."""
        if self.gap is None:
            return "heuristic"
        return "optimal" if self.gap == 0.0 else "bounded"
