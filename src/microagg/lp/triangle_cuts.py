"""Separation of triangle inequalities, which every set of pairs that are all pairs of one group obeys.

References
----------
[1] The column generation paper, sections 3 and 4.2.
"""

import numpy as np

from microagg.model.arrays import FloatArray, IntArray

_MIN_VIOLATION = 1e-6


def violated_triangles(values: FloatArray, max_cuts: int) -> IntArray:
    """Find the triangle inequalities z(i, r) + z(j, r) − z(i, j) ≤ 1 that are violated most: O(n³) time, O(n²) memory.

    Where r is in one group with i, and with j, i and j are in one group. Ties go to the lowest r, then i, then j.

    Parameters
    ----------
    values
        The z of all pairs of records, symmetric, of shape (n, n); what is on the diagonal does not matter.
    max_cuts
        The number of inequalities at most.

    Returns
    -------
    ndarray of shape (n_cuts, 3)
        The records i < j and r of each.
    """
    n = len(values)
    first, second = np.triu_indices(n, 1)
    found = [np.empty((0, 3), dtype=np.int64)]
    amounts = [np.empty(0)]
    for r in range(n):
        violation = values[first, r] + values[second, r] - values[first, second] - 1
        violation[(first == r) | (second == r)] = 0.0
        violated = np.flatnonzero(violation > _MIN_VIOLATION)
        found.append(np.column_stack([first[violated], second[violated], np.full(len(violated), r)]))
        amounts.append(violation[violated])
    order = np.argsort(-np.concatenate(amounts), kind="stable")[:max_cuts]
    return np.concatenate(found)[order]
