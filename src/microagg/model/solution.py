"""What `solve` found: a partition, and perhaps a number that no partition can beat."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from microagg.model.arrays import IntArray
from microagg.model.encoding import Encoding
from microagg.model.errors import VerificationError
from microagg.model.gap import NO_GAP, gap_between
from microagg.model.history import Step
from microagg.model.partition import Partition
from microagg.model.presentation import Shown

Status = Literal["heuristic", "bounded", "optimal"]


@dataclass(frozen=True)
class LowerBound:
    """A proved number: no partition of the problem has a smaller sse.

    Parameters
    ----------
    sse
        The bound, in the units of `Partition.sse`.
    kind
        How it was proved, in a word or two.
    ended_by
        What ended the proving before its own end: "time_limit", "cancelled", "target_gap", "effort", "tolerance"
        where rounding hid what is left, "heuristic pricing", which proves nothing; or None.
    proof
        Writes the proof down, if it is one that `certify` can check: the nodes of a branching tree, as it reads them.
    """

    sse: float
    kind: str
    ended_by: str | None = None
    proof: Callable[[], tuple[dict[str, Any], ...]] | None = field(default=None, repr=False, compare=False)

    @property
    def converged(self) -> bool:
        """Whether this kind of proof can give no more."""
        return self.ended_by is None


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Shown):
    """A partition, the method that made it, and its bound if one was asked for.

    Parameters
    ----------
    history
        When the refiners had come down to what sse.
    iterations
        How many rounds the refiners did, the most of any; from each start, if it had several.
    ended_by
        What ended the work before its own end: "time_limit", "iterations", "cancelled", or None.
    fallback_share
        The share of the records whose groups were made in haste, in slabs along principal axes, as the constructor was
        stopped before it had placed them; 0 where it was not.
    improved_by_bound
        Whether the proof of the bound met better groups than the stages before it made.
    random_state
        With which the groups can be made again; None where nobody said one.
    encoding
        How columns became the coordinates of the problem; None where these were given.
    """

    partition: Partition
    method: str
    bound: LowerBound | None = None
    history: tuple[Step, ...] = field(default=(), repr=False)
    iterations: int = 0
    ended_by: str | None = None
    fallback_share: float = 0.0
    improved_by_bound: bool = False
    random_state: int | None = None
    encoding: Encoding | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.bound is not None and self.bound.sse > self.sse:
            raise VerificationError(
                f"a {self.bound.kind} bound of {self.bound.sse} lies above a partition of sse {self.sse}"
            )

    def __repr__(self) -> str:
        problem = self.partition.problem
        loss = f"{self.information_loss:.4f} % lost"
        return f"Solution({problem.n} records in {self.n_groups} groups, k = {problem.k}, {loss}, {self.status})"

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
        return gap_between(self.sse, self.lower_bound)

    @property
    def reproducible(self) -> bool:
        """Whether the same `random_state` gives all this again: not where time or a person ended the work."""
        endings = (self.ended_by, None if self.bound is None else self.bound.ended_by)
        return not {"time_limit", "cancelled"} & set(endings)

    @property
    def status(self) -> Status:
        """Say how much is proved of this solution: "optimal" is a gap of at most 1e-7."""
        if self.gap is None:
            return "heuristic"
        return "optimal" if self.gap <= NO_GAP else "bounded"
