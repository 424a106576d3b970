"""Penalties that rank-1 cuts add to the reduced cost of a group while records are added to it.

A cut gives some records integer weights w and has a denominator q and a dual μ ≥ 0: it adds μ·⌊w(C)/q⌋ to the reduced
cost of a group C.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import inner_kernel
from microagg.model.arrays import FloatArray, IntArray


class Cuts(NamedTuple):
    """Cuts with positive duals, by record and by cut; weights are below the denominator."""

    record_starts: IntArray  # (n + 1,) start of each record's entries in the next two arrays
    record_cuts: IntArray  # cuts that hold the record
    record_weights: IntArray  # weight of the record in each of them
    cut_starts: IntArray  # (n_cuts + 1,) start of each cut's entries in the next two arrays
    cut_records: IntArray  # records of the cut
    cut_weights: IntArray  # weight of each of them
    denominators: IntArray  # (n_cuts,) q
    duals: FloatArray  # (n_cuts,) μ


class CutPenalties(NamedTuple):
    """Workspace for the penalties at one node of the pricing search: a partial group S and its candidates."""

    weights: IntArray  # (n_cuts,) w(S) while a node is evaluated, else zero
    touched: IntArray  # (n_cuts,) the cuts that hold a record of S
    node_of: IntArray  # (n,) last node at which the record was a candidate
    extra: FloatArray  # (n,) penalty charged to each candidate


@inner_kernel
def no_penalties(n: int, n_cuts: int) -> CutPenalties:
    """Return an empty workspace for n records."""
    return CutPenalties(
        np.zeros(n_cuts, dtype=np.int64),
        np.empty(n_cuts, dtype=np.int64),
        np.full(n, -1, dtype=np.int64),
        np.zeros(n),
    )


@inner_kernel
def charge_penalties(
    cuts: Cuts, penalties: CutPenalties, group: IntArray, n_chosen: int, n_left: int, node: int
) -> float:
    """Return the penalty of a partial group S, and charge each candidate with part of the next penalty it may cause.

    A candidate x causes a penalty μ of a cut that S has touched if w(S) mod q + w(x) ≥ q. A group may hold several such
    candidates and pay μ only once, so each is charged μ divided by the largest number of them that can be added: exact
    if one record is left to add, a lower bound otherwise. Time: the entries of the cuts that S touches.

    Parameters
    ----------
    group, n_chosen
        IN: the records of S are the first `n_chosen` of `group`.
    n_left
        Number of records still to be added to S.
    node
        Number of this node: `penalties.node_of` has it for the candidates, whose `extra` is zero.
    penalties
        IN/OUT: `extra` of the candidates is increased.
    """
    weights, touched = penalties.weights, penalties.touched
    n_touched = 0
    for i in range(n_chosen):
        for j in range(cuts.record_starts[group[i]], cuts.record_starts[group[i] + 1]):
            cut = cuts.record_cuts[j]
            if weights[cut] == 0:
                touched[n_touched] = cut
                n_touched += 1
            weights[cut] += cuts.record_weights[j]
    cost = 0.0
    for i in range(n_touched):
        cut = touched[i]
        dual, q = cuts.duals[cut], cuts.denominators[cut]
        cost += dual * (weights[cut] // q)
        lacking = q - weights[cut] % q
        weights[cut] = 0
        if lacking == q:
            continue
        able = 0
        for j in range(cuts.cut_starts[cut], cuts.cut_starts[cut + 1]):
            if cuts.cut_weights[j] >= lacking and penalties.node_of[cuts.cut_records[j]] == node:
                able += 1
        for j in range(cuts.cut_starts[cut], cuts.cut_starts[cut + 1]):
            if cuts.cut_weights[j] >= lacking and penalties.node_of[cuts.cut_records[j]] == node:
                penalties.extra[cuts.cut_records[j]] += dual / min(able, n_left)
    return cost
