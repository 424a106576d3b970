"""Say what rank-1 cuts add to the reduced cost of a group, while records are added to it one by one.

A cut gives some records whole weights w, and has a denominator q: a group C counts ⌊w(C)/q⌋ in it, at a price μ ≥ 0.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import kernel
from microagg.model.arrays import FloatArray, IntArray


class Cuts(NamedTuple):
    """Hold cuts, by record and by cut; weights are below the denominator."""

    starts: IntArray  # (n + 1,) where each record's cuts start among
    numbers: IntArray  # the numbers of cuts
    shares: IntArray  # the record's weights in these
    firsts: IntArray  # (count + 1,) where each cut's records start among
    records: IntArray  # the records of cuts
    weights: IntArray  # their weights in these
    denominators: IntArray  # (count,)
    prices: FloatArray  # (count,) at least 0


class Burden(NamedTuple):
    """Hold what cuts add, for the group at hand."""

    tally: IntArray  # (count,) zero between two calls
    touched: IntArray  # (count,)
    mark: IntArray  # (n,) the last group that each record may be added to, by its number
    extra: FloatArray  # (n,) what each record that may be added costs besides


@kernel
def no_burden(n: int, count: int) -> Burden:
    """Make room for what cuts add."""
    return Burden(
        np.zeros(count, dtype=np.int64),
        np.empty(count, dtype=np.int64),
        np.full(n, -1, dtype=np.int64),
        np.zeros(n),
    )


@kernel
def spread(cuts: Cuts, burden: Burden, group: IntArray, chosen: int, left: int, number: int) -> float:
    """Give what the records chosen cost in cuts, and what each that may be added costs more at the least.

    A cut that the records chosen have touched, but a multiple of its denominator is not reached, costs μ once more as
    soon as one of those is added that reach it. Several of them may be, and share one μ: so each is charged μ over how
    many can be added, by their number and by that of the records still to come. Of one record, that is exact.

    Parameters
    ----------
    group, chosen
        The first so many records of the group.
    left
        How many are to come.
    number
        Of the group: those that may be added bear it as their mark, and no extra yet.
    burden
        IN/OUT: its `extra` is written for those.
    """
    tally, touched, count = burden.tally, burden.touched, 0
    for i in range(chosen):
        for j in range(cuts.starts[group[i]], cuts.starts[group[i] + 1]):
            cut = cuts.numbers[j]
            if tally[cut] == 0:
                touched[count] = cut
                count += 1
            tally[cut] += cuts.shares[j]
    cost = 0.0
    for i in range(count):
        cut = touched[i]
        price, q = cuts.prices[cut], cuts.denominators[cut]
        cost += price * (tally[cut] // q)
        lacking = q - tally[cut] % q
        tally[cut] = 0
        if lacking == q:
            continue
        able = 0
        for j in range(cuts.firsts[cut], cuts.firsts[cut + 1]):
            if cuts.weights[j] >= lacking and burden.mark[cuts.records[j]] == number:
                able += 1
        for j in range(cuts.firsts[cut], cuts.firsts[cut + 1]):
            if cuts.weights[j] >= lacking and burden.mark[cuts.records[j]] == number:
                burden.extra[cuts.records[j]] += price / min(able, left)
    return cost
