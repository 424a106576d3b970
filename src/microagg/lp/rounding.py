"""Make whole groups of a choice of parts of columns.

References
----------
[1] The column generation paper, section 5.2.
"""

from collections.abc import Callable, Iterator

import numpy as np

from microagg.lp.group_columns import Columns
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.partition import Partition
from microagg.model.problem import Problem

_SOME = 1e-9  # less is no part


def take_largest(problem: Problem, columns: Columns, parts: FloatArray) -> Iterator[Partition]:
    """Take the column of the largest part, and again among those that share no record: SimpleRoundingHeuristic.

    Until fewer than 2k records are left, or no column fits. k to 2k − 1 records are a group; else each joins the group
    whose centroid is the nearest. Among equal parts the first column goes first.
    """
    n, k = problem.n, problem.k
    labels, group, left = np.full(n, -1, dtype=np.int64), 0, n
    starts, records = columns.starts.tolist(), columns.records
    for column in np.argsort(-parts, kind="stable").tolist():  # [1] 2
        if left < 2 * k:
            break
        members = records[starts[column] : starts[column + 1]]
        if (labels[members] < 0).all():
            labels[members] = group
            group, left = group + 1, left - len(members)
    alone = np.flatnonzero(labels < 0)
    if group == 0 or k <= left < 2 * k:  # [1] 3
        labels[alone] = group
    elif left:  # [1] 4
        grouped = np.flatnonzero(labels >= 0)
        sums = [np.bincount(labels[grouped], weights=column[grouped]) for column in problem.X.T]
        centroids = np.column_stack(sums) / np.bincount(labels[grouped])[:, None]
        for record in alone:
            labels[record] = np.square(centroids - problem.X[record]).sum(axis=1).argmin()
    yield Partition(problem, labels)


def glue_pairs(problem: Problem, columns: Columns, parts: FloatArray) -> Iterator[Partition]:
    """Glue records to groups of at most k + 1, …, 2k − 1, first those that share most: RoundingMSTHeuristic.

    Two records share the parts of the columns that hold both. What leaves a group below k is passed over. The paper
    does not say in which order pairs come that share equal parts, or none: here the nearest go first.
    """
    from microagg.kernels.grouping.union_find import join_pairs

    one, other = _pairs(problem, columns, parts)
    for most in range(problem.k + 1, 2 * problem.k):  # [1] 3
        labels = join_pairs(one, other, problem.n, most)
        if np.unique(labels, return_counts=True)[1].min() >= problem.k:
            yield Partition(problem, labels)


def _pairs(problem: Problem, columns: Columns, parts: FloatArray) -> tuple[IntArray, IntArray]:
    """Give all pairs of records, those first that share the largest parts, then the nearest."""
    n, X = problem.n, problem.X
    shared = np.zeros((n, n))  # [1] 1
    for column in np.flatnonzero(parts > _SOME).tolist():
        members = columns.records[columns.starts[column] : columns.starts[column + 1]]
        shared[np.ix_(members, members)] += parts[column]
    one, other = np.triu_indices(n, 1)
    squares = np.square(X).sum(axis=1)
    distances = squares[one] + squares[other] - 2 * (X @ X.T)[one, other]
    order = np.lexsort((distances, -shared[one, other].round(9)))  # [1] 2
    return one[order], other[order]


ROUNDINGS: dict[str, tuple[Callable[[Problem, Columns, FloatArray], Iterator[Partition]], ...]] = {
    "both": (take_largest, glue_pairs),
    "simple": (take_largest,),
    "tree": (glue_pairs,),
    "none": (),
}
