"""MDAV whose groups grow until they satisfy the rules."""

import numpy as np

from microagg.kernels.jit import inlined_kernel, inner_kernel, kernel
from microagg.kernels.rules.member_lists import NOBODY
from microagg.kernels.rules.quota_growth import Pool, Quotas, grow, new_pool
from microagg.kernels.rules.rule_arrays import RuleArrays
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray, IntArray


def group_with_quotas(points: FloatArray, quotas: Quotas, rules: RuleArrays, tick: Tick = no_tick) -> IntArray:
    """Form groups that satisfy the rules one after the other, as MDAV does: O(n²·(d/size + quotas)).

    A record that starts no legal group is set aside.

    Returns
    -------
    ndarray of shape (n,)
        The group of each record, -1 for those left over.
    """
    n, d = points.shape
    pool = new_pool(points)
    labels = np.full(n, -1)
    numbers = np.array([n, 0])
    steps = steps_per_tick(n * (3 * d + quotas.size * (len(quotas.least) + 2)))
    while not _form_some(pool, quotas, rules, labels, numbers, steps):
        tick(1 - numbers[0] / n)
    return labels


@kernel
def _form_some(pool: Pool, quotas: Quotas, rules: RuleArrays, labels: IntArray, numbers: IntArray, steps: int) -> bool:
    """Form up to `steps` pairs of groups (OUT in `labels`); return whether too few records are left for another."""
    for _ in range(steps):
        if numbers[0] < quotas.size:
            return True
        first = farthest_from_centroid(pool, numbers[0])
        opposite = _farthest_from(pool, numbers[0], first)
        _form(pool, quotas, rules, labels, numbers, first)
        if opposite != first and labels[opposite] == NOBODY and numbers[0] >= quotas.size:
            _form(pool, quotas, rules, labels, numbers, opposite)
    return False


@inner_kernel
def _form(pool: Pool, quotas: Quotas, rules: RuleArrays, labels: IntArray, numbers: IntArray, first: int) -> None:
    """Form a group around a record, and take it out of the pool; if there is none, the record alone."""
    size = grow(pool, numbers[0], quotas, rules, first)
    for i in range(size):
        labels[pool.chosen[i]] = numbers[1]
    numbers[1] += size > 0
    n_left = 0
    for i in range(numbers[0]):
        record = pool.records[i]
        if labels[record] == NOBODY and record != first:
            pool.records[n_left] = record
            n_left += 1
    numbers[0] = n_left


@inlined_kernel
def farthest_from_centroid(pool: Pool, n_pool: int) -> int:
    """Return the record of the pool that is farthest from the pool's centroid; ties go to the lowest index."""
    points = pool.points
    squares = pool.squares
    for i in range(n_pool):
        squares[i] = 0.0
    for column in range(points.shape[1]):
        mean = 0.0
        for i in range(n_pool):
            mean += points[pool.records[i], column]
        mean /= n_pool
        for i in range(n_pool):
            squares[i] += (points[pool.records[i], column] - mean) ** 2
    return _largest(pool, n_pool)


@inlined_kernel
def _farthest_from(pool: Pool, n_pool: int, first: int) -> int:
    """Return the record of the pool that is farthest from a record; ties go to the lowest index."""
    points = pool.points
    for i in range(n_pool):
        squares = 0.0
        for column in range(points.shape[1]):
            squares += (points[pool.records[i], column] - points[first, column]) ** 2
        pool.squares[i] = squares
    return _largest(pool, n_pool)


@inlined_kernel
def _largest(pool: Pool, n_pool: int) -> int:
    """Return the first record of the pool with the largest of `pool.squares`."""
    best = 0
    for i in range(n_pool):
        if pool.squares[i] > pool.squares[best]:
            best = i
    return int(pool.records[best])
