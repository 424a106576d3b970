"""Growth of a group around its first record that reaches the rules with few records.

Of different codes, such as units, a group needs a number: its quota. Near the first record many may have the same code.
So the nearest record is passed over if after it there were fewer places left than codes that the group lacks.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.jit import inlined_kernel, inner_kernel
from microagg.kernels.rules.rule_arrays import RuleArrays, is_legal
from microagg.model.arrays import BoolArray, FloatArray, IntArray

_NOBODY = -1
_LARGEST_GROWTH = 3  # times the size wanted, until a group must satisfy the rules


class Quotas(NamedTuple):
    """How many different codes a group needs, and the size that it should have."""

    size: int
    codes: IntArray  # (quotas, n) from 0; below 0 where a value is missing: it fills no quota
    least: IntArray  # (quotas,) ≤ size
    lacking: IntArray  # (quotas,) scratch: codes that the group still lacks
    is_taken: BoolArray  # (quotas, number of codes) scratch: False


class Pool(NamedTuple):
    """Records of which a group is grown: the first ones of an array."""

    points: FloatArray  # (n, d)
    records: IntArray  # (n,)
    squares: FloatArray  # (n,) squared distance of each one from the first record of the group
    chosen: IntArray  # (n,) records of the group
    is_chosen: BoolArray  # (n,) of each record: scratch, False


def new_pool(points: FloatArray) -> Pool:
    """Return the pool of all records."""
    n = len(points)
    return Pool(points.copy(), np.arange(n), np.empty(n), np.empty(n, dtype=np.int64), np.zeros(n, dtype=np.bool_))


@inner_kernel
def grow(pool: Pool, n_pool: int, quotas: Quotas, rules: RuleArrays, first: int) -> int:
    """Grow a group around a record of the pool (OUT in `pool.chosen`): O(n_pool·(d + size·quotas)).

    Ties go to the first in the pool.

    Returns
    -------
    int
        The size of the group; 0 if none that satisfies the rules was found.
    """
    chosen = pool.chosen
    for i in range(n_pool):
        pool.squares[i] = squared_distance(pool.points, pool.records[i], pool.points, first)
    for quota in range(len(quotas.least)):
        quotas.lacking[quota] = quotas.least[quota]
    _choose(pool, quotas, first, 0)
    size = 1
    is_grown = False
    while size < min(n_pool, _LARGEST_GROWTH * quotas.size):
        if size >= quotas.size and is_legal(rules, chosen, size):
            is_grown = True
            break
        record = _next_record(pool, n_pool, quotas, quotas.size - size - 1)
        if record == _NOBODY:
            break
        _choose(pool, quotas, record, size)
        size += 1
    if not is_grown:
        is_grown = is_legal(rules, chosen, size)
    for i in range(size):
        pool.is_chosen[chosen[i]] = False
        for quota in range(len(quotas.least)):
            code = quotas.codes[quota, chosen[i]]
            if code >= 0:
                quotas.is_taken[quota, code] = False
    return size if is_grown else 0


@inlined_kernel
def _choose(pool: Pool, quotas: Quotas, record: int, size: int) -> None:
    """Add a record to the group."""
    pool.chosen[size] = record
    pool.is_chosen[record] = True
    for quota in range(len(quotas.least)):
        code = quotas.codes[quota, record]
        if code >= 0 and not quotas.is_taken[quota, code]:
            quotas.is_taken[quota, code] = True
            quotas.lacking[quota] -= 1


@inlined_kernel
def _next_record(pool: Pool, n_pool: int, quotas: Quotas, places_after: int) -> int:
    """Return the nearest record that leaves places enough; else the nearest with a code that is lacking, or nobody."""
    n_quotas = len(quotas.least)
    lacking = quotas.lacking
    best = _NOBODY
    helpful = _NOBODY
    least = np.inf
    least_helpful = np.inf
    for i in range(n_pool):
        square = pool.squares[i]
        if square >= least:
            continue
        record = pool.records[i]
        if pool.is_chosen[record]:
            continue
        fits = True
        helps = False
        for quota in range(n_quotas):
            if lacking[quota] > 0:
                code = quotas.codes[quota, record]
                is_new = code >= 0 and not quotas.is_taken[quota, code]
                helps |= is_new
                fits &= lacking[quota] - is_new <= max(0, places_after)
        if fits:
            least = square
            best = record
        elif helps and square < least_helpful:
            least_helpful = square
            helpful = record
    return best if best != _NOBODY else helpful
