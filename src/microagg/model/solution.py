"""Solution of a problem: a partition, and a lower bound if one was asked for."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from microagg.model.arrays import IntArray
from microagg.model.division import Part
from microagg.model.encoding import Encoding
from microagg.model.errors import VerificationError
from microagg.model.gap import OPTIMALITY_TOL, relative_gap
from microagg.model.history import Step
from microagg.model.partition import Partition
from microagg.model.presentation import Reportable
from microagg.model.rule_cost import RuleCost

Status = Literal["heuristic", "bounded", "optimal"]


@dataclass(frozen=True)
class LowerBound:
    """Proved lower bound: no partition of the problem has a smaller sse.

    Parameters
    ----------
    sse
        The bound, in the units of `Partition.sse`.
    kind
        Kind of proof, in a word or two.
    ended_by
        What ended the proof early: "time_limit", "cancelled", "target_gap", "effort", "tolerance" where rounding hides
        what is left, "heuristic pricing", which proves nothing; or None.
    proof
        Function that returns the proof, where `certify` can check it: the nodes of a branching tree.
    sst
        Total squares of the problem; None where they are not known.

    Examples
    --------
    >>> import microagg
    >>> bound = microagg.solve([[1.0], [2.0], [8.0], [9.0]], k=2).bound
    >>> bound.kind, bound.converged
    ('sorted cut', True)
    """

    sse: float
    kind: str
    ended_by: str | None = None
    proof: Callable[[], tuple[dict[str, Any], ...]] | None = field(default=None, repr=False, compare=False)
    sst: float | None = field(default=None, repr=False, compare=False)

    @property
    def information_loss(self) -> float | None:
        """100·sse/sst in percent: no partition loses less; None where the total squares are not known."""
        if self.sst is None:
            return None
        return 100.0 * self.sse / self.sst if self.sst else 0.0

    @property
    def converged(self) -> bool:
        """Whether the proof was carried to its end: this kind of proof yields no better bound."""
        return self.ended_by is None


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Reportable):
    """Partition, the method that made it, and its lower bound if one was asked for.

    Parameters
    ----------
    partition
        The groups.
    method
        Name of the method, as it was carried out.
    bound
        Lower bound of the sse; None if none was asked for.
    history
        Times at which the refiners improved the sse.
    iterations
        Number of rounds of the refiners, the most of any; of all its starts together, if there were several.
    starts
        Number of starts that were asked of the refiners, the most of any; 1 where none has several.
    ended_by
        What ended the work early: "time_limit", "iterations", "cancelled", or None.
    fallback_share
        Share of the records that were grouped in slabs along principal axes because the constructor was stopped
        before it had placed them; 0 where it was not.
    improved_by_bound
        Whether the groups are better ones, which the proof of the bound found: only where the method takes these.
    better
        Better groups that the proof of the bound found and the method does not take; None where there are none.
    random_state
        Random state that makes the same groups again; None where it is not known.
    encoding
        How columns became the coordinates of the problem; None where these were given.
    parts
        Solution of each part, where hard walls divide the records.
    merged_parts
        Names of parts that were too small, each with that of the part that it has joined.
    rule_costs
        What each rule of privacy has cost.
    reason
        Why the method was carried out so, where the data decide that; else empty.

    Raises
    ------
    VerificationError
        If the bound lies above the sse of the partition.

    Examples
    --------
    >>> import microagg
    >>> solution = microagg.solve([[1.0], [2.0], [8.0], [9.0]], k=2)
    >>> solution
    Solution(4 records in 2 groups, k = 2, 2.0000 % lost, optimal)
    >>> solution.labels.tolist(), solution.sizes.tolist()
    ([0, 0, 1, 1], [2, 2])
    """

    partition: Partition
    method: str
    bound: LowerBound | None = None
    history: tuple[Step, ...] = ()
    iterations: int = 0
    starts: int = 1
    ended_by: str | None = None
    fallback_share: float = 0.0
    improved_by_bound: bool = False
    better: Partition | None = None
    random_state: int | None = None
    encoding: Encoding | None = None
    parts: tuple["SolvedPart", ...] = ()
    merged_parts: tuple[tuple[str, str], ...] = ()
    rule_costs: tuple[RuleCost, ...] = ()
    reason: str = ""

    def __post_init__(self) -> None:
        least = min(one.sse for one in (self.partition, self.better) if one is not None)
        if self.bound is not None and self.bound.sse > least:
            raise VerificationError(
                f"a {self.bound.kind} bound of {self.bound.sse} lies above a partition of sse {least}"
            )

    def __repr__(self) -> str:
        problem = self.partition.problem
        loss = f"{self.information_loss:.4f} % lost"
        return f"Solution({problem.n} records in {self.n_groups} groups, k = {problem.k}, {loss}, {self.status})"

    @property
    def labels(self) -> IntArray:
        """Group of each record, of shape (n,)."""
        return self.partition.labels

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return self.partition.n_groups

    @property
    def sizes(self) -> IntArray:
        """Number of records in each group, of shape (n_groups,)."""
        return self.partition.sizes

    @property
    def sse(self) -> float:
        """Within-group squares."""
        return self.partition.sse

    @property
    def sst(self) -> float:
        """Total squares."""
        return self.partition.problem.sst

    @property
    def information_loss(self) -> float:
        """100·sse/sst in percent."""
        return self.partition.information_loss

    @property
    def improved(self) -> "Solution | None":
        """The better groups that the proof of the bound found, under a name of their own; None where there are none.

        Only "auto", "search", "exact" and "column-generation" take such groups themselves: the groups of any other
        method, its loss and its gap are its own.
        """
        if self.better is None:
            return None
        assert self.bound is not None
        parts = tuple(replace(one, solution=one.solution.improved or one.solution) for one in self.parts)
        name = f"{self.method}, improved by {self.bound.kind}"
        taken = replace(self, partition=self.better, method=name, better=None, parts=parts)
        return replace(taken, history=(), improved_by_bound=True)

    @property
    def lower_bound(self) -> float | None:
        """Proved lower bound of the sse of any partition; None if none was asked for."""
        return None if self.bound is None else self.bound.sse

    @property
    def gap(self) -> float | None:
        """(sse − lower_bound)/sse; None if no bound was asked for."""
        if self.lower_bound is None:
            return None
        return relative_gap(self.sse, self.lower_bound)

    @property
    def reproducible(self) -> bool:
        """Whether the same `random_state` gives all this again: not where time or a person ended the work."""
        endings = {self.ended_by}
        if self.bound is not None:
            endings.add(self.bound.ended_by)
        return not endings & {"time_limit", "cancelled"}

    @property
    def status(self) -> Status:
        """What is proved: "heuristic" without a bound, "optimal" with a gap of at most 1e-7, "bounded" otherwise."""
        if self.gap is None:
            return "heuristic"
        return "optimal" if self.gap <= OPTIMALITY_TOL else "bounded"


@dataclass(frozen=True, eq=False)
class SolvedPart:
    """Part of the records, and its solution.

    Parameters
    ----------
    part
        The records.
    solution
        Their groups.
    """

    part: Part
    solution: Solution
