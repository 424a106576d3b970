"""Groups as linked lists of their records, with the weights and means of their cells.

A cell weighs what its record weighs, and nothing where its value is missing: the sse is the sum over all cells of the
weight times the squared distance from the mean of the group's cells in that column, weighted likewise.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import inlined_kernel, inner_kernel, kernel
from microagg.model.arrays import FloatArray, IntArray

NOBODY = -1

_RELATIVE_NOISE = 1e-13  # of the squares of the largest record


class MemberLists(NamedTuple):
    """Groups that are being changed; one without records does not exist."""

    X: FloatArray  # (n, d)
    cells: FloatArray  # (n, d) weight of each cell, ≥ 0
    labels: IntArray  # (n,)
    heads: IntArray  # (n_groups,) first record of each group
    nexts: IntArray  # (n,) next record of the same group
    lasts: IntArray  # (n,) previous record of the same group
    sizes: IntArray  # (n_groups,)
    weights: FloatArray  # (n_groups, d) sums of the cells' weights
    means: FloatArray  # (n_groups, d) 0 where there is no cell that counts
    savings: FloatArray  # (n,) by how much the sse of a record's group falls as it leaves
    noise: float  # a smaller gain may consist of rounding errors alone, and be made for ever
    first: IntArray  # (n + 1,) scratch: records of one group
    second: IntArray  # (n + 1,) scratch: records of another


def member_lists(X: FloatArray, cells: FloatArray, labels: IntArray, n_groups: int) -> MemberLists:
    """Return the groups of records; numbers up to `n_groups` are kept for further ones: O(n·d)."""
    n, d = X.shape
    groups = MemberLists(
        X=X.copy(),
        cells=cells.copy(),
        labels=labels.copy(),
        heads=np.full(n_groups, NOBODY),
        nexts=np.full(n, NOBODY),
        lasts=np.full(n, NOBODY),
        sizes=np.zeros(n_groups, dtype=np.int64),
        weights=np.zeros((n_groups, d)),
        means=np.zeros((n_groups, d)),
        savings=np.zeros(n),
        noise=_RELATIVE_NOISE * float((cells * np.square(X)).sum(axis=1).max()),
        first=np.empty(n + 1, dtype=np.int64),
        second=np.empty(n + 1, dtype=np.int64),
    )
    _link_all(groups)
    return groups


def total_sse(groups: MemberLists) -> float:
    """Return the sse of all groups: O(n·d)."""
    return float((groups.cells * np.square(groups.X - groups.means[groups.labels])).sum())


@kernel
def _link_all(groups: MemberLists) -> None:
    """Link the records of each group, as `labels` tells (OUT in the others)."""
    for i in range(len(groups.labels)):
        record = len(groups.labels) - 1 - i
        put_in(groups, record, groups.labels[record])
    for group in range(len(groups.sizes)):
        update(groups, group)


@inlined_kernel
def put_in(groups: MemberLists, record: int, group: int) -> None:
    """Put a record, which is in no list, into a group; `update` is left to the caller."""
    head = groups.heads[group]
    groups.nexts[record] = head
    groups.lasts[record] = NOBODY
    if head != NOBODY:
        groups.lasts[head] = record
    groups.heads[group] = record
    groups.labels[record] = group
    groups.sizes[group] += 1


@inlined_kernel
def take_out(groups: MemberLists, record: int) -> None:
    """Take a record out of its group; `update` is left to the caller."""
    group = groups.labels[record]
    before = groups.lasts[record]
    after = groups.nexts[record]
    if before == NOBODY:
        groups.heads[group] = after
    else:
        groups.nexts[before] = after
    if after != NOBODY:
        groups.lasts[after] = before
    groups.sizes[group] -= 1


@inlined_kernel
def gather(groups: MemberLists, group: int, records: IntArray, start: int) -> int:
    """List the records of a group in `records` (OUT) from `start` on; return where they end."""
    nexts = groups.nexts
    record = groups.heads[group]
    while record != NOBODY:
        records[start] = record
        start += 1
        record = nexts[record]
    return start


@inner_kernel
def update(groups: MemberLists, group: int) -> None:
    """Compute the means of a group, and what each of its records saves by leaving: O(size·d)."""
    X = groups.X
    cells = groups.cells
    nexts = groups.nexts
    savings = groups.savings
    head = groups.heads[group]
    record = head
    while record != NOBODY:
        savings[record] = 0.0
        record = nexts[record]
    for column in range(X.shape[1]):
        weight = 0.0
        total = 0.0
        record = head
        while record != NOBODY:
            weight += cells[record, column]
            total += cells[record, column] * X[record, column]
            record = nexts[record]
        mean = total / weight if weight > 0.0 else 0.0
        groups.weights[group, column] = weight
        groups.means[group, column] = mean
        record = head
        while record != NOBODY:
            rest = weight - cells[record, column]
            if rest > 0.0:
                savings[record] += cells[record, column] * weight / rest * (X[record, column] - mean) ** 2
            record = nexts[record]


@inlined_kernel
def joining_cost(groups: MemberLists, record: int, group: int) -> float:
    """Return by how much the sse rises as a record joins a group: O(d)."""
    cost = 0.0
    for column in range(groups.X.shape[1]):
        weight = groups.weights[group, column]
        cell = groups.cells[record, column]
        if weight > 0.0 and cell > 0.0:
            difference = groups.X[record, column] - groups.means[group, column]
            cost += weight * cell / (weight + cell) * difference * difference
    return cost


@inlined_kernel
def replacing_cost(groups: MemberLists, record: int, leaving: int, group: int) -> float:
    """Return by how much the sse rises as a record joins a group that another one has left: O(d)."""
    cost = 0.0
    for column in range(groups.X.shape[1]):
        left = groups.cells[leaving, column]
        weight = groups.weights[group, column] - left
        cell = groups.cells[record, column]
        if weight > 0.0 and cell > 0.0:
            mean = groups.means[group, column]
            mean -= left / weight * (groups.X[leaving, column] - mean)
            difference = groups.X[record, column] - mean
            cost += weight * cell / (weight + cell) * difference * difference
    return cost
