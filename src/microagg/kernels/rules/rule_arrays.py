"""Rules that groups must satisfy, as arrays, and the check of a group against them."""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import inlined_kernel, inner_kernel
from microagg.model.arrays import BoolArray, FloatArray, IntArray


class RuleArrays(NamedTuple):
    """Rules as arrays, a row for each rule of a kind. Limits include an allowance for rounding."""

    k: int  # the smallest group allowed
    codes: IntArray  # (rules, n) of units or values, from 0; below 0 where a value is missing: it is not counted
    least_distinct: IntArray  # (rules,) smallest number of different codes
    least_entropies: FloatArray  # (rules,) of the codes in a group; below 0 if any will do
    ranks: IntArray  # (rules, n) of confidential values, from 0
    is_ordered: BoolArray  # (rules,) whether the distance of two values grows with that of their ranks
    largest_distances: FloatArray  # (rules,) of a group's values from the reference
    n_values: IntArray  # (rules,) number of different values in the reference
    cumulative: IntArray  # (rules, largest n_values) records of the reference with at most each value
    sums: IntArray  # (rules, largest n_values + 1) of `cumulative`, over the values before each one
    amounts: FloatArray  # (rules, n) ≥ 0
    contributors: IntArray  # (rules, n) record or unit whose amount it is, from 0 to n − 1
    n_largest: IntArray  # (rules,) number of contributors that must not have too much
    largest_shares: FloatArray  # (rules,) of these contributors in the total
    least_rests: FloatArray  # (rules,) of the total without the two largest, as a share of the largest
    is_present: BoolArray  # (n, columns)
    least_present: IntArray  # (columns,) smallest number of units with a present value, if there are any
    cell_units: IntArray  # (n,) unit of each record, from 0
    counts: IntArray  # (at least all codes, ranks, units) scratch: zeros
    sorted_ranks: IntArray  # (n,) scratch
    largest: FloatArray  # (at least 2 and n_largest,) scratch
    contributions: FloatArray  # (n,) of each contributor: scratch, zeros


@inner_kernel
def is_legal(rules: RuleArrays, records: IntArray, size: int) -> bool:
    """Check the group of the first `size` of some records: O(size·(rules + columns)), ·log n for ordered values."""
    if size < rules.k:
        return False
    for rule in range(len(rules.least_distinct)):
        if not _is_diverse(rules, rule, records, size):
            return False
    for rule in range(len(rules.n_largest)):
        if not _is_balanced(rules, rule, records, size):
            return False
    for column in range(rules.is_present.shape[1]):
        if 0 < _count_present(rules, column, records, size) < rules.least_present[column]:
            return False
    for rule in range(len(rules.largest_distances)):
        if rules.is_ordered[rule]:
            distance = _ordered_distance(rules, rule, records, size)
        else:
            distance = _equal_distance(rules, rule, records, size)
        if distance > rules.largest_distances[rule]:
            return False
    return True


@inlined_kernel
def _count_present(rules: RuleArrays, column: int, records: IntArray, size: int) -> int:
    """Count the units of a group that have a value in a column."""
    counts = rules.counts
    units = rules.cell_units
    present = 0
    for i in range(size):
        if rules.is_present[records[i], column]:
            unit = units[records[i]]
            present += counts[unit] == 0
            counts[unit] += 1
    for i in range(size):
        counts[units[records[i]]] = 0
    return present


@inlined_kernel
def _is_diverse(rules: RuleArrays, rule: int, records: IntArray, size: int) -> bool:
    """Check the number of different codes of a group, and their entropy."""
    counts = rules.counts
    codes = rules.codes
    distinct = 0
    n_present = 0
    for i in range(size):
        code = codes[rule, records[i]]
        if code >= 0:
            distinct += counts[code] == 0
            counts[code] += 1
            n_present += 1
    logarithms = 0.0
    if rules.least_entropies[rule] > 0.0:
        for i in range(size):
            code = codes[rule, records[i]]
            if code >= 0:
                logarithms += np.log(counts[code])
    for i in range(size):
        code = codes[rule, records[i]]
        if code >= 0:
            counts[code] = 0
    if n_present == 0:
        return False
    entropy = np.log(n_present) - logarithms / n_present
    return bool(distinct >= rules.least_distinct[rule] and entropy >= rules.least_entropies[rule])


@inlined_kernel
def _is_balanced(rules: RuleArrays, rule: int, records: IntArray, size: int) -> bool:
    """Check the largest contributors of a group against its total, and the rest against the largest."""
    largest = rules.largest
    contributors = rules.contributors
    contributions = rules.contributions
    for i in range(size):
        contributions[contributors[rule, records[i]]] += rules.amounts[rule, records[i]]
    n_kept = max(2, rules.n_largest[rule])
    for i in range(n_kept):
        largest[i] = 0.0
    rest = 0.0  # without those kept: a total minus the largest would be rounded
    for i in range(size):
        contributor = contributors[rule, records[i]]
        amount = contributions[contributor]  # of all its records; nothing at the next of them
        contributions[contributor] = 0.0
        place = n_kept
        while place > 0 and largest[place - 1] < amount:
            place -= 1
        if place == n_kept:
            rest += amount
            continue
        rest += largest[n_kept - 1]
        for later in range(n_kept - 1, place, -1):
            largest[later] = largest[later - 1]
        largest[place] = amount
    top = 0.0
    total = rest
    without_two = rest
    for i in range(n_kept):
        total += largest[i]
        if i < rules.n_largest[rule]:
            top += largest[i]
        if i >= 2:
            without_two += largest[i]
    return bool(top <= rules.largest_shares[rule] * total and without_two >= rules.least_rests[rule] * largest[0])


@inlined_kernel
def _equal_distance(rules: RuleArrays, rule: int, records: IntArray, size: int) -> float:
    """Return by how much values are more frequent in a group than in the reference, summed."""
    counts = rules.counts
    ranks = rules.ranks
    cumulative = rules.cumulative
    total = cumulative[rule, rules.n_values[rule] - 1]
    for i in range(size):
        counts[ranks[rule, records[i]]] += 1
    excess = 0.0
    for i in range(size):
        rank = ranks[rule, records[i]]
        if counts[rank] > 0:
            below = cumulative[rule, rank - 1] if rank > 0 else 0
            excess += max(0.0, counts[rank] / size - (cumulative[rule, rank] - below) / total)
            counts[rank] = 0
    return excess


@inlined_kernel
def _ordered_distance(rules: RuleArrays, rule: int, records: IntArray, size: int) -> float:
    """Return the sum of differences of the cumulative distributions of a group and the reference, of each value.

    That of the group is i/size from its i-th record to the next one, where the reference rises through i/size once.
    """
    ranks = rules.sorted_ranks
    cumulative = rules.cumulative
    sums = rules.sums
    n_values = rules.n_values[rule]
    if n_values == 1:
        return 0.0
    for i in range(size):
        ranks[i] = rules.ranks[rule, records[i]]
    _sort(ranks, size)
    total = cumulative[rule, n_values - 1]
    distance = 0.0
    begin = 0
    for i in range(size + 1):
        end = ranks[i] if i < size else n_values
        low = begin
        high = end
        while low < high:  # the first value whose cumulative share is at least i/size
            middle = (low + high) // 2
            if cumulative[rule, middle] * size >= i * total:
                high = middle
            else:
                low = middle + 1
        level = i / size
        distance += level * (low - begin) - (sums[rule, low] - sums[rule, begin]) / total
        distance += (sums[rule, end] - sums[rule, low]) / total - level * (end - low)
        begin = end
    return float(distance / (n_values - 1))


@inlined_kernel
def _sort(values: IntArray, size: int) -> None:
    """Sort the first values (IN/OUT) by Shell's method: O(size^1.5), without a copy."""
    step = 1
    while step < size // 3:
        step = 3 * step + 1
    while step > 0:
        for i in range(step, size):
            value = values[i]
            place = i
            while place >= step and values[place - step] > value:
                values[place] = values[place - step]
                place -= step
            values[place] = value
        step //= 3
