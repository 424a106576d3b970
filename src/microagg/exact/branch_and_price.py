"""Branch on pairs of records, together in one group or apart, until no partition below some sse is left."""

import heapq
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from microagg.control.run import Run
from microagg.control.stopping import StoppedError
from microagg.exact.branch_node import Node, Step
from microagg.exact.column_pool import Pool
from microagg.exact.separation import separate
from microagg.lp import Master, Vertex, settle
from microagg.lp.column_generator import CLOSE, Generation, Price
from microagg.lp.group_columns import Columns
from microagg.lp.group_pricing import BranchAndBound, TooDearError, units_of
from microagg.model.arrays import FloatArray

_KIND = "cuts and branches"
_CUTS, _RECORDS = 600, 5  # cuts of a round, or one for so many records
_GAIN = 0.02  # of the gap: what a round of cuts must gain
PATIENCE = 3  # rounds one after another that gain less: at the root, and where groups are listed
_SMOOTH, _REACH = 0.2, 1.0  # see `Generation.choose`
_CLOSE = 0.002  # of the gap: what may be left to gain before the next cuts
FINE = 10.0  # times the highest dual, for a record that is left out
KEPT = 3  # columns for each record that a branch begins with
_LISTED = 60_000  # groups that are listed, at most
_FEW, _SOME = (4000, 150), (900, 30)  # groups of which HiGHS chooses, and its patience: at the root, and elsewhere
_TRIED = 6  # pairs that are tried before branching, by each of two rankings
NONE = 1e-6  # a part that is none, or but for that all
_LITTLE = 1e-3  # of the gap: a branch that gains less gains so much


class Ground(NamedTuple):
    """Hold what all branches stand on.

    Parameters
    ----------
    price
        Prices all groups.
    known
        Gives what the best partition loses, scaled and a little less, so that it is not looked for again.
    meet, polish
        Are told of a vertex: take a choice of whole columns; make whole ones of parts.
    hear
        Is called now and then, and may raise `StoppedError`.
    looks
        See `price_roots`.
    """

    price: BranchAndBound
    rng: Generator
    run: Run
    known: Callable[[], float]
    meet: Callable[[Columns, Vertex], None]
    polish: Callable[[Columns, Vertex], None]
    hear: Callable[[], None]
    looks: int


class Tree:
    """Search the branches, the one of the lowest bound first.

    Parameters
    ----------
    target
        Partitions that lose as much are not looked for.
    """

    def __init__(self, ground: Ground, root: Node, target: float) -> None:
        self.ground, self.target = ground, target
        self.fine = max(FINE * float(root.duals[: root.rows.n].max()), 2 * (ground.known() - root.proved))
        self.steps = [Step(root)]
        self.open = [(root.proved, 0)]
        self.now: Generation | None = None

    @property
    def cutoff(self) -> float:
        """What partitions must stay below."""
        return min(self.target, self.ground.known())

    @property
    def proved(self) -> float:
        """What no partition loses less than."""
        current = [] if self.now is None else [self.now.proved]
        return min([self.cutoff, *current, *(proved for proved, _ in self.open)])

    def tightened(self, patience: int) -> Node:
        """Cut the root, of which no groups are listed, and do nothing else."""
        (step,), self.open = self.steps, []
        step.proofs.clear()
        self.now = self.generation(step.node)
        try:
            self.tighten(self.now, self.exactly(step.node), patience)
        except TooDearError:
            pass
        finally:
            self.leave_open(step, self.now)
        return step.node

    def grow(self, most: int) -> bool:
        """Go through the branches, at most so many; say whether none is left."""
        for _ in range(most):
            if not self.open:
                break
            proved, number = heapq.heappop(self.open)
            if proved < self.cutoff:
                step = self.steps[number]
                self.now = self.generation(step.node)
                try:
                    self.visit(step, self.now)
                except TooDearError:
                    self.leave_open(step, self.now)
                    break
                except StoppedError:
                    self.leave_open(step, self.now)
                    raise
                self.now = None
                step.close()
        return not self.open

    def leave_open(self, step: Step, generation: Generation) -> None:
        """Let a node that is not finished be open again, with what is proved of it by now."""
        if not step.proofs or step.proofs[-1] is not generation.proof:
            step.proofs.append(generation.proof)
        duals, rows = generation.proof
        columns, proved = generation.master.columns, generation.proved
        step.node = replace(step.node, columns=columns, rows=rows, duals=duals, proved=proved)
        heapq.heappush(self.open, (proved, step.node.number))
        self.now = None

    def generation(self, node: Node) -> Generation:
        """Begin where the parent ended."""
        ground, columns = self.ground, node.columns
        if node.pool is not None:
            columns = node.pool.cheapest(KEPT * node.rows.n, node.duals, node.rows)
        master = Master(columns, node.rows, self.fine)
        generation = Generation(master, ground.run, ground.hear, ground.meet)
        generation.start(node.duals, max(0.0, node.proved), _KIND)
        return generation

    def visit(self, step: Step, generation: Generation) -> None:
        """Prove what can be proved of a node; if that is not enough, list groups, or branch."""
        node, pool = step.node, step.node.pool
        if pool is not None and node.parent is None:
            step.proofs.append((node.duals, node.rows))
            step.listed = True
        price = self.exactly(node) if pool is None else pool
        self.tighten(generation, price, PATIENCE if node.parent is None else 1)
        if generation.proved < self.cutoff and pool is None:
            pool = self.listed(generation)
            if pool is not None:
                step.proofs.append(generation.proof)
                step.listed = True
                self.tighten(generation, pool, PATIENCE)
        step.proofs.append(generation.proof)
        if generation.proved >= self.cutoff:
            return
        if pool is not None:
            pool = pool.below(self.cutoff - generation.proved, *generation.proof)
            most, patience = _FEW if node.parent is None else _SOME
            if pool.size <= most and self.settled(pool, generation, patience):
                step.ends = "integer"
                return
        self.branch(step, generation, pool)
        step.ends = "branches"

    def exactly(self, node: Node) -> Price:
        """Price all groups that obey the pairs of a node."""
        from microagg.kernels.pricing.branch_and_bound import EXACT

        price = self.ground.price
        price.obey(node.pairs)
        return lambda duals, rows: price(duals, rows, EXACT, self.ground.looks, self.ground.hear)

    def tighten(self, generation: Generation, price: Price, patience: int) -> None:
        """Add cuts that the parts of columns chosen break, round after round, while that gains."""
        ground, stalled = self.ground, 0
        while stalled < patience:
            if generation.proved >= self.cutoff:
                return
            before, gap = generation.proved, self.cutoff - generation.proved
            vertex = self.converge(generation, price, _CLOSE * gap / self.cutoff)
            if generation.proved >= self.cutoff:
                return
            columns = generation.master.columns
            ground.polish(columns, vertex)
            gain = generation.proved - before
            stalled = stalled + 1 if gain <= _GAIN * gap else 0
            most = max(_CUTS, columns.n // _RECORDS)
            rows = separate(columns, vertex.parts, most, ground.rng, ground.run.workers, ground.hear)
            if not rows.n_rows:
                break
            generation.cut(rows)
        self.converge(generation, price, CLOSE)

    def converge(self, generation: Generation, price: Price, close: float) -> Vertex:
        """Generate columns until so little is left to gain."""
        reach = np.inf if isinstance(price, Pool) else _REACH
        ended_by = generation.choose(price, _KIND, _SMOOTH, max(CLOSE, close), self.cutoff, reach)
        if ended_by is not None or generation.vertex is None:
            self.ground.run.stop("time_limit" if ended_by == "time_limit" else "tolerance")
        return generation.vertex

    def listed(self, generation: Generation) -> Pool | None:
        """List all groups that a partition below the cutoff can hold; None: they are too many."""
        price = self.ground.price
        ceiling = self.cutoff - generation.proved
        try:
            columns = price.list_below(ceiling, *generation.proof, self.ground.looks, _LISTED, self.ground.hear)
        except TooDearError:
            return None
        return Pool(price.problem, columns)

    def settled(self, pool: Pool, generation: Generation, patience: int) -> bool:
        """Choose whole columns of a pool by an integer programme; say whether that leaves nothing open."""
        duals, rows = generation.proof
        active = rows.only(np.flatnonzero(duals[rows.n :] != 0.0))
        if not pool.size:
            return True
        found = settle(pool.columns, active, patience, self.ground.run.time_left, generation.told)
        self.ground.hear()
        if found.chosen is not None:
            parts = np.isin(np.arange(pool.size), found.chosen).astype(np.float64)
            self.ground.meet(pool.columns, Vertex(found.least, duals, parts))
        return found.least >= self.cutoff

    def branch(self, step: Step, generation: Generation, pool: Pool | None) -> None:
        """Put two records together, and apart."""
        node, (duals, rows), (one, other) = step.node, generation.proof, self.pair(step.node, generation)
        columns = generation.master.columns
        for together in (True, False):
            number = len(self.steps)
            child = Node(
                number,
                node.number,
                (*node.pairs, (one, other, together)),
                columns.only(np.flatnonzero(columns.obeys(one, other, together))),
                rows,
                duals,
                generation.proved,
                None if pool is None else pool.obeying(one, other, together),
            )
            self.steps.append(Step(child, inherits=pool is not None))
            heapq.heappush(self.open, (child.proved, number))

    def pair(self, node: Node, generation: Generation) -> tuple[int, int]:
        """Choose two records that share parts of columns: of those that matter, the two whose branches gain most."""
        master, vertex = generation.master, generation.vertex
        assert vertex is not None
        shares = _shares(master.columns, vertex.parts)
        for unit in units_of(master.columns.n, node.pairs):  # the fine for a record may leave part of a unit out
            for joined in combinations(unit.tolist(), 2):
                shares.pop(joined, None)
        even = {pair: min(part, 1 - part) for pair, part in shares.items() if NONE < part < 1 - NONE}
        if not even:  # what is left is a matter of rounding
            self.ground.run.stop("tolerance")
        worth = {pair: part * (vertex.duals[pair[0]] + vertex.duals[pair[1]]) for pair, part in even.items()}
        some = {pair for rank in (even, worth) for pair in sorted(rank, key=lambda pair: (-rank[pair], pair))[:_TRIED]}
        little, gains = _LITTLE * (self.cutoff - generation.proved), {}
        for pair in sorted(some):
            self.ground.hear()
            both = [
                min(self.cutoff, master.without(np.flatnonzero(~master.columns.obeys(*pair, together)))) - vertex.sse
                for together in (True, False)
            ]
            gains[pair] = max(both[0], little) * max(both[1], little)
        return max(gains, key=lambda pair: gains[pair])


def _shares(columns: Columns, parts: FloatArray) -> dict[tuple[int, int], float]:
    """Add up the parts of the columns that hold both of two records, for all pairs that share any."""
    shares: dict[tuple[int, int], float] = {}
    chosen = np.flatnonzero((parts > NONE) & (parts < 1 - NONE))
    for column, part in zip(columns.only(chosen).sets(), parts[chosen].tolist(), strict=True):
        for pair in combinations(sorted(column), 2):
            shares[pair] = shares.get(pair, 0.0) + part
    return shares
