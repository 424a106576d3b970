"""Prove the optimum: column generation, cuts, lists of all groups that are cheap enough, and branches."""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar

import numpy as np

from microagg.bound.column_generation import COLUMN_GENERATION, ColumnGeneration, Root
from microagg.bound.neighbour_bound import bounds_note
from microagg.control.run import Run
from microagg.control.stage_fields import INJECTED
from microagg.control.stages import Construct, Refine
from microagg.control.stopping import StoppedError
from microagg.exact.branch_and_price import PATIENCE, Ground, Tree
from microagg.exact.branch_node import Node, Step
from microagg.exact.column_pool import Pool
from microagg.exact.diving import dive
from microagg.exact.proof_record import no_proof, nodes
from microagg.lp import Vertex
from microagg.lp.column_generator import least
from microagg.lp.group_columns import Columns
from microagg.lp.group_pricing import TooDearError
from microagg.lp.rounding import take_largest
from microagg.model.checks import whole_number
from microagg.model.limits import Limits
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.model.solution import LowerBound

_KIND = "exact"
_ROUNDING = 1e-9  # of the bound: taken off, so that it can be checked with other rounding
_SLACK = 2e-8  # of the sse: what lies so little below the best partition is not looked for
_STAGES = (3_000, 12_000, 50_000, 200_000, 800_000, 2_000_000)  # groups that are listed, from stage to stage
_STAGE = 300  # branches of a stage
_LOOKS = 3_000_000  # sets of records that are looked at for a root
_GUESS = 50  # groups for each record that are listed to dive among
_SURE = 0.9, 0.7  # see `dive`
_COVERED = 0.1  # of the gap: where so many groups cover less, more of them would not help
_NOTHING = 1e-9  # of the bound: a ceiling that is none
_GROW = 3.0  # of the ceiling, from one stage to the next at most
_SHRINK, _NEAR = 0.25, 1.2  # of a ceiling that is too high, and how near to such a one others come


@dataclass(frozen=True)
class Exact:
    """Prove the optimum, or how far from it the best partition is at most: by cuts, lists of groups, and branches.

    Ours, from known parts. The linear programme over all groups (see `ColumnGeneration`) is cut by rank-1 cuts, as long
    as that gains, and better partitions are looked for among its cheapest groups (see `dive`). Groups that cost more
    than their duals and the gap between the bound and the best partition are in no better one: the others are listed,
    first those for a part of the gap only, and the best choice of whole ones is looked for among them, with more cuts,
    by an integer programme, and by branches that put two records together or apart. Where nothing below that part is
    found, nothing is there; and so on with larger parts, until one covers the gap: then the best partition is optimal.
    Where as many groups as can be listed cover little of the gap, branches come first.

    Parameters
    ----------
    branches
        How many are looked at, at most.
    first
        Make the partitions whose groups are the first columns, besides those of the incumbent.
    refine
        Makes partitions better that are made of parts of columns; a quick one, as no limit ends it.
    search
        Searches on from partitions that are made of cheap groups.

    References
    ----------
    Baldacci, Christofides & Mingozzi (2008), An exact algorithm for the vehicle routing problem based on the set
    partitioning formulation with additional cuts, Mathematical Programming 115: listing what the gap allows.
    Ryan & Foster (1981), An integer programming approach to scheduling: branching on pairs.
    """

    branches: int = 100_000
    first: tuple[Construct, ...] = field(default=(), metadata=INJECTED)
    refine: Refine | None = field(default=None, metadata=INJECTED)
    search: Refine | None = field(default=None, metadata=INJECTED)
    reference: ClassVar[str] = "microagg"
    limits: ClassVar[frozenset[str]] = frozenset({"time_limit", "target_gap"})

    def __post_init__(self) -> None:
        object.__setattr__(self, "branches", whole_number("branches", self.branches, at_least=1))

    def __call__(self, problem: Problem, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
        """Prove the bound."""
        generation = ColumnGeneration(first=self.first)
        scale = incumbent.n_groups / incumbent.sse if incumbent.sse else np.inf
        if problem.k == 1 or problem.sst == 0.0 or not np.isfinite(scale):
            bound, partition = generation(problem, incumbent, run)
            return replace(bound, proof=partial(no_proof, problem.n)), partition
        root = Root(generation, problem, incumbent, scale, run)
        proof = _Proof(self, root)
        ended_by: str | None
        try:
            ended_by = root.prove() or proof.go()
        except StoppedError as error:
            ended_by = error.ending
        return proof.bound(ended_by), root.best


class _Proof:
    """Go on from the linear programme over all groups, tree after tree; hold what is proved."""

    def __init__(self, settings: Exact, root: Root) -> None:
        self.settings, self.root = settings, root
        self.trees: list[Tree] = []

    @property
    def proved(self) -> float:
        """What no partition loses less than, scaled."""
        return max([self.root.generation.proved, *(tree.proved for tree in self.trees)])

    def bound(self, ended_by: str | None) -> LowerBound:
        """Say what is proved, and how: by the tree that proved most."""
        root = self.root
        proved = max(0.0, self.proved * (1 - _ROUNDING) / root.scale)
        if proved == 0.0:
            return LowerBound(proved, root.generation.kind, ended_by, partial(no_proof, root.problem.n))
        if self.trees:
            best = max(self.trees, key=lambda tree: tree.proved)
            return LowerBound(proved, _KIND, ended_by, partial(nodes, best.steps, root.scale))
        exactly = root.generation.kind == COLUMN_GENERATION
        steps = [Step(self.node(), [root.generation.proof])]
        proof = partial(nodes, steps, root.scale) if exactly else None
        return LowerBound(proved, root.generation.kind, ended_by, proof)

    def node(self) -> Node:
        """Begin from the linear programme over all groups."""
        generation = self.root.generation
        master = generation.master
        return Node(0, None, (), master.columns, master.rows, generation.centre, generation.proved)

    def known(self) -> float:
        """Say what the best partition loses, and a little less, scaled."""
        return self.root.scale * self.root.best.sse * (1 - _SLACK)

    def go(self) -> str | None:
        """Cut, list and branch; say what ended that before its own end."""
        root, left, ceiling = self.root, self.settings.branches, np.inf
        told = self.known, root.meet, self.polish, self.hear
        ground = Ground(root.price, np.random.default_rng(0), root.run, *told, _LOOKS)
        self.trees.append(Tree(ground, self.node(), np.inf))
        gained = True
        for patience in (1, PATIENCE):
            node = self.trees[-1].tightened(patience)
            pool, listed = self.listed(node, _GUESS * root.problem.n, np.inf)
            enough = listed >= _COVERED * (self.known() - node.proved)
            gained = gained and pool is not None and self.guess(ground, node, pool)
        for most in _STAGES if enough else ():
            if self.proved >= self.known():
                return None
            pool, listed = self.listed(node, most, _GROW * ceiling)
            if pool is None:
                continue
            ceiling = listed
            self.trees.append(Tree(ground, replace(node, pool=pool), node.proved + ceiling))
            finished = self.trees[-1].grow(min(_STAGE, left))
            left -= len(self.trees[-1].steps)
            if not finished:
                break
        if self.proved >= self.known():
            return None
        if left <= 0:
            return "effort"
        self.trees.append(Tree(ground, node, np.inf))
        return None if self.trees[-1].grow(left) else "effort"

    def guess(self, ground: Ground, node: Node, pool: Pool) -> bool:
        """Look for better partitions: dive among cheap groups, and search on from there; say whether there was one."""
        root, before = self.root, self.root.best
        for sure in _SURE:
            found = self.refined(dive(ground, node, pool, sure))
            root.best = least(root.best, found, self.searched(found))
            self.hear()
        return root.best is not before

    def listed(self, node: Node, most: int, highest: float) -> tuple[Pool | None, float]:
        """List groups that cost less than a ceiling: what lies between bound and best partition, or a part of that.

        Gives them, and the ceiling; None: there are too many that cost next to nothing.
        """
        price, nothing = self.root.price, _NOTHING * self.known()
        ceiling = top = min(highest, self.known() - node.proved)
        # all groups below `covered` are listed, those below `high` are too many
        pool, covered, high = None, 0.0, np.inf
        while ceiling > nothing and high > _NEAR * covered:
            try:
                columns = price.list_below(ceiling, node.duals, node.rows, _LOOKS, most, self.hear)
            except TooDearError:
                high = ceiling
            else:
                pool, covered = Pool(self.root.problem, columns), ceiling
                if ceiling == top:
                    break
            ceiling = _SHRINK * high if pool is None else float(np.sqrt(covered * high))
        return pool, covered

    def polish(self, columns: Columns, vertex: Vertex) -> None:
        """Make whole groups of parts of columns, and refine them."""
        (rounded,) = take_largest(self.root.problem, columns, vertex.parts)
        self.root.best = least(self.root.best, self.refined(rounded))

    def refined(self, partition: Partition) -> Partition:
        """Refine a partition to the end: that takes a moment only, and half of it would depend on the clock."""
        refine, run = self.settings.refine, self.root.run
        if refine is None:
            return partition
        return refine(partition, np.random.default_rng(0), run.child(Limits(), own_log=True, silent=True))

    def searched(self, partition: Partition) -> Partition:
        """Search on from a partition."""
        search = self.settings.search
        return partition if search is None else search(partition, np.random.default_rng(0), self.root.run)

    def hear(self) -> None:
        """Say how far the work is, and leave it when told to."""
        root, proved = self.root, self.proved / self.root.scale
        branches = sum(len(tree.steps) for tree in self.trees)
        root.run.report("proof", None, f"{branches} branches, {bounds_note(root.problem, root.best, proved)}")
        root.run.check_round(0, root.best.sse, proved)
