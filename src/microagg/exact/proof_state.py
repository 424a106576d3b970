"""What a proof of optimality has come to."""

from functools import partial

from microagg.exact.branch_and_price import BranchTree
from microagg.exact.branch_node import BranchNode, NodeRecord
from microagg.exact.proof_record import proof_nodes, trivial_proof
from microagg.lp.incumbent import bounds_note
from microagg.lp.root_relaxation import COLUMN_GENERATION, RootRelaxation
from microagg.model.solution import LowerBound

_KIND = "exact"
_ROUNDING_MARGIN = 1e-9  # of the bound: subtracted, so that it can be checked with other rounding


class ProofState:
    """Lower bound proved so far, by the linear programme over all groups and by branching trees.

    Parameters
    ----------
    root
        The linear programme over all groups.
    """

    def __init__(self, root: RootRelaxation) -> None:
        self.root = root
        self.trees: list[BranchTree] = []

    @property
    def lower_bound(self) -> float:
        """What no partition loses less than, scaled."""
        return max([self.root.generator.lower_bound, *(tree.lower_bound for tree in self.trees)])

    @property
    def is_closed(self) -> bool:
        """Whether the incumbent is proved optimal."""
        return self.lower_bound >= self.root.incumbent.cutoff

    def root_node(self) -> BranchNode:
        """Return the root of a branching tree, with the columns and duals of the linear programme."""
        generator = self.root.generator
        return BranchNode(0, None, (), generator.master.columns, generator.centre, generator.lower_bound)

    def bound(self, ended_by: str | None) -> LowerBound:
        """Return the lower bound, with the proof by the tree that proved most."""
        root, scale = self.root, self.root.incumbent.scale
        kind = root.generator.kind
        lower_bound = max(0.0, self.lower_bound * (1 - _ROUNDING_MARGIN) / scale)
        if lower_bound == 0.0:
            return LowerBound(lower_bound, kind, ended_by, partial(trivial_proof, root.problem.n))
        if self.trees:
            best = max(self.trees, key=lambda tree: tree.lower_bound)
            return LowerBound(lower_bound, _KIND, ended_by, partial(proof_nodes, best.records, scale))
        if kind != COLUMN_GENERATION:
            return LowerBound(lower_bound, kind, ended_by)
        records = [NodeRecord(self.root_node(), [root.generator.proof])]
        return LowerBound(lower_bound, kind, ended_by, partial(proof_nodes, records, scale))

    def tick(self, done: float | None = None) -> None:
        """Report the bounds, and end the stage by `StoppedError` where the run must end."""
        best, run = self.root.incumbent.best, self.root.run
        lower_bound = self.lower_bound / self.root.incumbent.scale
        n_branches = sum(len(tree.records) for tree in self.trees)
        run.report("proof", done, bounds_note(best, lower_bound).after(f"{n_branches} branches, "))
        run.check_round(0, best.sse, lower_bound)
