"""Hold the nodes of a branching tree, and how each was left."""

from dataclasses import dataclass, field, replace

import numpy as np

from microagg.exact.column_pool import Pool
from microagg.lp.column_generator import Proof
from microagg.lp.group_columns import Columns, Rows
from microagg.lp.group_pricing import Pair
from microagg.model.arrays import FloatArray


@dataclass(frozen=True)
class Node:
    """Hold a branch: what is known of partitions that obey its pairs.

    Parameters
    ----------
    number
        By which others call it.
    parent
        Of which it is a branch.
    pairs
        Two records each, and whether they are together, from the root on.
    columns, rows, duals
        What the linear programme begins with.
    proved
        What no partition that obeys the pairs loses less than, unless it loses more than the tree asks for.
    pool
        All groups that such a partition can hold; None: they are not listed.
    """

    number: int
    parent: int | None
    pairs: tuple[Pair, ...]
    columns: Columns
    rows: Rows
    duals: FloatArray
    proved: float
    pool: Pool | None = None


@dataclass
class Step:
    """Say how a node was left.

    Parameters
    ----------
    proofs
        Duals and rows, in the order in which they were proofs; the first one lists the groups, if that is so.
    ends
        "bound", "integer" or "branches".
    listed
        Whether the first proof has listed groups.
    inherits
        Whether the first proof is about the groups that were left at the parent.
    """

    node: Node
    proofs: list[Proof] = field(default_factory=list)
    ends: str = "bound"
    listed: bool = False
    inherits: bool = False

    def close(self) -> None:
        """Forget what only those need who still have to visit the node."""
        nothing = self.node.columns.only(np.empty(0, dtype=np.int64))
        self.node = replace(self.node, columns=nothing, pool=None)
