"""Rounding heuristics: partitions made of the fractional solution of a linear programme.

References
----------
[1] The column generation paper, section 5.2.
"""

from collections.abc import Iterator

import numpy as np

from microagg.lp.group_columns import GroupColumns
from microagg.lp.incumbent import Rounding
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.nearest_group import join_nearest
from microagg.model.partition import Partition
from microagg.model.problem import Problem

_MIN_VALUE = 1e-9  # of a column that counts


def round_largest(problem: Problem, columns: GroupColumns, values: FloatArray) -> Iterator[Partition]:
    """Take the column of the largest value, then the largest disjoint from it, and so on: SimpleRoundingHeuristic.

    Until fewer than 2k records are left, or no column is disjoint. If k to 2k − 1 are left, they become a group, else
    they join the groups of the nearest centroids. Among equal values the first column goes first.
    """
    labels = np.full(problem.n, -1, dtype=np.int64)
    n_groups = 0
    n_left = problem.n
    starts = columns.starts.tolist()
    for column in np.argsort(-values, kind="stable").tolist():  # [1] 2
        if n_left < 2 * problem.k:
            break
        members = columns.records[starts[column] : starts[column + 1]]
        if (labels[members] < 0).all():
            labels[members] = n_groups
            n_groups += 1
            n_left -= len(members)
    left = np.flatnonzero(labels < 0)
    if n_groups == 0 or problem.k <= n_left < 2 * problem.k:  # [1] 3
        labels[left] = n_groups
    else:  # [1] 4
        join_nearest(problem.X, labels, left)
    yield Partition(problem, labels)


def round_pairs(problem: Problem, columns: GroupColumns, values: FloatArray) -> Iterator[Partition]:
    """Join the pairs of records that share most to groups of at most k + 1, …, 2k − 1: RoundingMSTHeuristic.

    What leaves a group below k is passed over.
    """
    from microagg.kernels.grouping.union_find import join_pairs

    first, second = _ordered_pairs(problem, columns, values)
    for max_size in range(problem.k + 1, 2 * problem.k):  # [1] 3
        labels = join_pairs(first, second, problem.n, max_size)
        if np.unique(labels, return_counts=True)[1].min() >= problem.k:
            yield Partition(problem, labels)


def _ordered_pairs(problem: Problem, columns: GroupColumns, values: FloatArray) -> tuple[IntArray, IntArray]:
    """Return all pairs of records, by falling total value of the columns that hold both.

    The paper does not say in which order pairs of equal value come: here the nearest go first.
    """
    n, X = problem.n, problem.X
    shared = np.zeros((n, n))  # [1] 1
    for column in np.flatnonzero(values > _MIN_VALUE).tolist():
        members = columns.records[columns.starts[column] : columns.starts[column + 1]]
        shared[np.ix_(members, members)] += values[column]
    first, second = np.triu_indices(n, 1)
    squares = np.square(X).sum(axis=1)
    distances = squares[first] + squares[second] - 2 * (X @ X.T)[first, second]
    order = np.lexsort((distances, -shared[first, second].round(9)))  # [1] 2
    return first[order], second[order]


ROUNDINGS: dict[str, tuple[Rounding, ...]] = {
    "both": (round_largest, round_pairs),
    "simple": (round_largest,),
    "tree": (round_pairs,),
    "none": (),
}
