"""A certificate of optimality: what is claimed of some data, and the branching tree that is to prove it.

What is here has the right shape and may be wrong: `certify` says whether it is.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from microagg.model.arrays import FloatArray, IntArray

ENDS = ("bound", "integer", "branches")
"""Why a node has no partition below the claimed bound: see `Node`."""


class Decision(NamedTuple):
    """Branching decision: two records are together, in one group, or apart."""

    one: int
    other: int
    together: bool


@dataclass(frozen=True)
class Cut:
    """Rank-1 cut Σ_C ⌊w(C)/q⌋ ≤ ⌊w/q⌋ over the groups C of a partition, w being the sum of all its weights.

    Parameters
    ----------
    records, weights
        The records of the cut, and the weight of each.
    denominator
        q.
    dual
        μ.
    """

    records: tuple[int, ...]
    weights: tuple[int, ...]
    denominator: int
    dual: float

    @property
    def right_hand_side(self) -> int:
        """⌊w/q⌋, which no partition exceeds."""
        return sum(self.weights) // self.denominator


@dataclass(frozen=True, eq=False)
class DualSolution:
    """Duals of the records, and cuts with theirs."""

    duals: FloatArray = field(repr=False)
    cuts: tuple[Cut, ...]


@dataclass(frozen=True)
class Node:
    """Node of the branching tree; the root has no parent and no decision.

    Parameters
    ----------
    parent
        Index of the node that it branches from.
    decision
        What it adds to the decisions of that node.
    lists
        Whether its first dual solution is applied to all groups that obey the decisions, and not only to the candidate
        groups that are left at the parent.
    proofs
        Dual solutions; each but the first is applied to the candidate groups that the one before it left.
    ends
        Why there is no partition below the claimed bound: by the "bound" that a dual solution proves, as the candidate
        groups left make no better partition ("integer"), or as there is none in either of the "branches".
    """

    parent: int | None
    decision: Decision | None
    lists: bool
    proofs: tuple[DualSolution, ...]
    ends: str

    @property
    def is_leaf(self) -> bool:
        """Whether it has no children."""
        return self.ends != "branches"


@dataclass(frozen=True, eq=False)
class ClaimedPart:
    """Claim that no partition of some records has an sse below `lower_bound`.

    Parameters
    ----------
    records
        The records, ascending or not.
    lower_bound
        Share of the whole bound that is claimed of them.
    nodes
        Branching tree that is to prove it, each node after its parent, the root first; its records are counted within
        the part. Empty where the checker needs no proof: see `certify.unproved_part`.
    """

    records: IntArray = field(repr=False)
    lower_bound: float
    nodes: tuple[Node, ...] = field(repr=False)


@dataclass(frozen=True, eq=False)
class Certificate:
    """Claim that no partition of some data has an sse below `lower_bound`, and the branching trees that shall prove it.

    Parameters
    ----------
    labels, sse
        A partition, and what its sse is said to be.
    parts
        Parts of the records, none of which a group may leave; one of all records where they are not divided.
    is_divided
        Whether the certificate says which parts there are.
    """

    k: int
    n_records: int
    columns: tuple[str, ...]
    standardise: bool
    labels: IntArray = field(repr=False)
    sse: float
    lower_bound: float
    parts: tuple[ClaimedPart, ...] = field(repr=False)
    is_divided: bool = False

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes of all parts."""
        return tuple(node for part in self.parts for node in part.nodes)
