"""Dive: take the groups that a choice of parts is nearly sure of, choose parts anew of what is left, and so on."""

import numpy as np

from microagg.exact.branch_and_price import FINE, KEPT, NONE, Ground
from microagg.exact.branch_node import Node
from microagg.exact.column_pool import Pool
from microagg.exact.separation import separate
from microagg.lp import Master, Vertex
from microagg.lp.column_generator import Generation
from microagg.lp.group_columns import Columns
from microagg.lp.rounding import take_largest
from microagg.model.arrays import IntArray
from microagg.model.partition import Partition

_KIND = "dive"
_CLOSE = 1e-6  # of the sse: what may be left to gain when groups are taken
_CUTS = 200  # of a round


def dive(ground: Ground, node: Node, pool: Pool, sure: float) -> Partition:
    """Make a partition of groups of a list.

    Ours, from what branch-and-price codes do. The linear programme over the list, with the cuts of a node that bind and
    a round of others, chooses parts of groups. Of those that share no record with a group taken before, it takes the
    ones with a part above `sure`, or else the one of the largest part; then only groups that share no record with these
    are left in the list. What is uncovered in the end, as no group fits it, is rounded.

    Parameters
    ----------
    node
        Whose duals and cuts are begun with.
    pool
        The list.
    sure
        A part for which a group is taken without asking again.
    """
    problem, duals, rows = pool.problem, node.duals, node.rows
    n, fine = problem.n, FINE * float(duals[: problem.n].max())
    columns, taken = pool.cheapest(KEPT * n, duals, rows), np.full(n, -1)
    while (taken < 0).any():
        binding = np.flatnonzero(duals[n:])
        rows, duals = rows.only(binding), np.append(duals[:n], duals[n:][binding])
        generation = Generation(Master(columns, rows, fine), ground.run, ground.hear, lambda *_: None)
        generation.start(duals, 0.0, _KIND)
        generation.choose(pool, _KIND, 0.0, _CLOSE)
        if generation.vertex is not None:
            others = separate(
                generation.master.columns, generation.vertex.parts, _CUTS, ground.rng, ground.run.workers, ground.hear
            )
            generation.cut(others)
            generation.choose(pool, _KIND, 0.0, _CLOSE)
        vertex, columns, rows = generation.vertex, generation.master.columns, generation.master.rows
        if vertex is None or not _take(columns, vertex, sure, taken):
            break
        pool, columns, duals = pool.fitting(taken), columns.only(columns.fitting(taken)), vertex.duals
    is_taken = taken[columns.records[columns.starts[:-1]]] >= 0
    (partition,) = take_largest(problem, columns, is_taken.astype(np.float64))
    return partition


def _take(columns: Columns, vertex: Vertex, sure: float, taken: IntArray) -> bool:
    """Label the records of groups that are taken; say whether there were any."""
    group = before = int(taken.max()) + 1
    for column in np.argsort(-vertex.parts, kind="stable").tolist():
        if vertex.parts[column] <= (sure if group > before else NONE):
            break
        members = columns.records[columns.starts[column] : columns.starts[column + 1]]
        if (taken[members] < 0).all():
            taken[members] = group
            group += 1
    return group > before
