"""Nodes of a branching tree, and records of how each was left."""

from dataclasses import dataclass, field, replace

import numpy as np

from microagg.exact.column_pool import ColumnPool
from microagg.lp.duals import Duals
from microagg.lp.group_columns import GroupColumns
from microagg.lp.pair_rules import PairRule

PENALTY_FACTOR = 10.0  # times the highest dual: the penalty for a record that is left out
COLUMNS_PER_RECORD = 3  # of a pool, that a linear programme starts with


@dataclass(frozen=True)
class BranchNode:
    """Node of a branching tree: the partitions that obey its rules.

    Parameters
    ----------
    index
        Of this node in the tree.
    parent
        Index of its parent; None: it is the root.
    rules
        On pairs of records, from the root on.
    columns, duals
        Warm start of its linear programme.
    lower_bound
        Of the scaled sse of every such partition that stays below the cutoff of the tree.
    pool
        All groups that such a partition can hold; None: they are not listed.
    """

    index: int
    parent: int | None
    rules: tuple[PairRule, ...]
    columns: GroupColumns
    duals: Duals
    lower_bound: float
    pool: ColumnPool | None = None


@dataclass
class NodeRecord:
    """Record of how a node was left.

    Parameters
    ----------
    proofs
        Duals, in the order in which they were proofs; the first lists the groups where `listed`.
    ends
        "bound", "integer" or "branches".
    listed
        Whether the first proof has listed groups.
    inherits
        Whether the first proof is about the groups that were left at the parent.
    """

    node: BranchNode
    proofs: list[Duals] = field(default_factory=list)
    ends: str = "bound"
    listed: bool = False
    inherits: bool = False

    def release_columns(self) -> None:
        """Free the columns, which only a further visit would need."""
        nothing = self.node.columns.select(np.empty(0, dtype=np.int64))
        self.node = replace(self.node, columns=nothing, pool=None)
