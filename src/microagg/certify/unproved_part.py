"""Check of the bound of a part that has no proof, as there is little to prove.

No sse is below 0. Fewer than 2k records have one partition only. Where at most one column varies, the groups of a best
partition are runs of the sorted records: crossing groups lose no less than sorted ones of the same sizes; and groups of
2k records or more can be split without loss. So the best cut into runs of k to 2k − 1 records is an optimum.
"""

import numpy as np

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.problem import Problem
from microagg.model.verification import Finding

_BOUND_TOLERANCE = 1e-12  # relative: by how much the bound may exceed the optimum, as both are rounded


def check_unproved(problem: Problem, lower_bound: float) -> Finding:
    """Check a lower bound of a problem that the checker can solve itself."""
    if lower_bound <= 0.0:
        return Finding("leaves", True, "by a bound of 0")
    if problem.n < 2 * problem.k:
        return _compare(_sse_of_all(problem.X), lower_bound, "as one group")
    if len(problem.varying) <= 1:
        return _compare(_best_cut(problem), lower_bound, "by the best cut of one column")
    detail = f"it has no proof, but {problem.n} records, k = {problem.k}, and {len(problem.varying)} columns that vary"
    return Finding("leaves", False, detail)


def _compare(optimum: float, lower_bound: float, how: str) -> Finding:
    if lower_bound > (1 + _BOUND_TOLERANCE) * optimum:
        detail = f"its best partition has sse {optimum:.12g}, below the bound of {lower_bound:.12g}"
        return Finding("leaves", False, detail)
    return Finding("leaves", True, how)


def _sse_of_all(X: FloatArray) -> float:
    return float(np.square(X - X.mean(axis=0)).sum())


def _best_cut(problem: Problem) -> float:
    """Return the least sse of a cut of the sorted records into runs of k to 2k − 1: O(n·k)."""
    n, k = problem.n, problem.k
    if not len(problem.varying):
        return 0.0
    values = np.sort(problem.X[:, problem.varying[0]])
    sizes = np.arange(k, min(2 * k - 1, n) + 1)
    costs = _run_costs(values - values[n // 2], sizes)  # near zero, means are rounded less
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    for end in range(k, n + 1):
        starts = end - sizes[sizes <= end]
        best[end] = (best[starts] + costs[: len(starts)][np.arange(len(starts)), starts]).min()
    return float(best[n])


def _run_costs(values: FloatArray, sizes: IntArray) -> FloatArray:
    """Return the sse of the run of each size from each start: of shape (sizes, n), infinite past the end."""
    n = len(values)
    costs = np.full((len(sizes), n), np.inf)
    means = values.copy()
    squares = np.zeros(n)
    for size in range(1, int(sizes[-1]) + 1):
        n_runs = n - size + 1
        if size > 1:  # add the last value of each run to its mean and its squares
            last = values[size - 1 :]
            difference = last - means[:n_runs]
            means[:n_runs] += difference / size
            squares[:n_runs] += difference * (last - means[:n_runs])
        if size >= sizes[0]:
            costs[size - sizes[0], :n_runs] = squares[:n_runs]
    return costs
