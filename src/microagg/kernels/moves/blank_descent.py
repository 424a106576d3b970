"""Descent where a cell that one member of a group lacks is blank for all of them: moves and swaps, by their exact gain.

A column of a group loses its squares if all members have a value, nothing if none has, and else the prices of those
that are there. All are sums over members, so that a move or a swap of two groups is priced in O(columns).
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import inlined_kernel, inner_kernel, kernel
from microagg.model.arrays import BoolArray, FloatArray, IntArray

_RELATIVE_ROUNDING = 1e-9  # of the losses of both groups: a smaller gain may be a rounding error
_NOBODY = -1


class BlankingGroups(NamedTuple):
    """Groups that can be changed: their members as linked lists, and sums over the cells that these have."""

    labels: IntArray  # (n,)
    sizes: IntArray  # (groups,)
    first: IntArray  # (groups,) a member, or -1
    following: IntArray  # (n,) the next member, or -1
    preceding: IntArray  # (n,)
    lacking: IntArray  # (groups, d) members that lack a cell
    masses: FloatArray  # (groups, d) weights of the others
    sums: FloatArray  # (groups, d) of their weighted cells
    squares: FloatArray  # (groups, d)
    prices: FloatArray  # (groups, d)
    losses: FloatArray  # (groups,)
    tried: IntArray  # (groups,) the last record that was tried there: scratch


@kernel
def blanking_groups(
    X: FloatArray, missing: BoolArray, weights: FloatArray, prices: FloatArray, labels: IntArray
) -> BlankingGroups:
    """Return the groups of some labels, which are copied; `prices` are those of the cells, of shape (n, d)."""
    n, d = X.shape
    n_groups = labels.max() + 1
    groups = BlankingGroups(
        labels.copy(),
        np.zeros(n_groups, dtype=np.int64),
        np.full(n_groups, _NOBODY),
        np.full(n, _NOBODY),
        np.full(n, _NOBODY),
        np.zeros((n_groups, d), dtype=np.int64),
        np.zeros((n_groups, d)),
        np.zeros((n_groups, d)),
        np.zeros((n_groups, d)),
        np.zeros((n_groups, d)),
        np.zeros(n_groups),
        np.full(n_groups, _NOBODY),
    )
    for record in range(n):
        _add(groups, X, missing, weights, prices, record, labels[record])
    for group in range(n_groups):
        groups.losses[group] = _loss(groups, group)
    return groups


@kernel
def descend_blanks(
    X: FloatArray,
    missing: BoolArray,
    weights: FloatArray,
    prices: FloatArray,
    near: IntArray,
    k: int,
    groups: BlankingGroups,
    start: int,
    stop: int,
) -> int:
    """Let some records, one after another, make the move or swap with a neighbouring group that gains most.

    Parameters
    ----------
    X, missing, weights, prices
        The cells: points, which are missing, the weight of each record, and what each cell loses if it is blanked.
    near
        Records near each one, of shape (n, n_neighbours).
    k
        Smallest group allowed; none grows beyond 2k − 1.
    groups
        IN/OUT: the groups.
    start, stop
        The first record, and the one after the last.

    Returns
    -------
    int
        Number of changes. O(records·n_neighbours·k·d).
    """
    n_changes = 0
    for record in range(start, stop):
        own = groups.labels[record]
        best = 0.0
        partner = _NOBODY
        arriving = _NOBODY
        for place in range(near.shape[1]):
            other = groups.labels[near[record, place]]
            if other == own or groups.tried[other] == record:
                continue
            groups.tried[other] = record
            before = groups.losses[own] + groups.losses[other]
            allowance = _RELATIVE_ROUNDING * before
            if groups.sizes[own] > k and groups.sizes[other] < 2 * k - 1:
                change = _changed(groups, X, missing, weights, prices, own, other, record, _NOBODY) - before
                if change < best - allowance:
                    best = change
                    partner = other
                    arriving = _NOBODY
            member = groups.first[other]
            while member != _NOBODY:
                change = _changed(groups, X, missing, weights, prices, own, other, record, member) - before
                if change < best - allowance:
                    best = change
                    partner = other
                    arriving = member
                member = groups.following[member]
        if partner == _NOBODY:
            continue
        n_changes += 1
        _move(groups, X, missing, weights, prices, record, own, partner)
        if arriving != _NOBODY:
            _move(groups, X, missing, weights, prices, arriving, partner, own)
        groups.losses[own] = _loss(groups, own)
        groups.losses[partner] = _loss(groups, partner)
    return n_changes


@inlined_kernel
def _column_loss(lacking: int, size: int, mass: float, total: float, squares: float, price: float) -> float:
    """Return what a column of a group loses."""
    if lacking == 0:
        return max(0.0, squares - total * total / mass)
    return price if lacking < size else 0.0


@inner_kernel
def _loss(groups: BlankingGroups, group: int) -> float:
    loss = 0.0
    for j in range(groups.sums.shape[1]):
        loss += _column_loss(
            groups.lacking[group, j],
            groups.sizes[group],
            groups.masses[group, j],
            groups.sums[group, j],
            groups.squares[group, j],
            groups.prices[group, j],
        )
    return loss


@inner_kernel
def _changed(
    groups: BlankingGroups,
    X: FloatArray,
    missing: BoolArray,
    weights: FloatArray,
    prices: FloatArray,
    own: int,
    other: int,
    leaving: int,
    arriving: int,
) -> float:
    """Return the loss of two groups after a record has left the first one, and perhaps another one has arrived."""
    loss = 0.0
    shift = 1 if arriving == _NOBODY else 0
    for j in range(X.shape[1]):
        gone = 1 if missing[leaving, j] else 0
        weight = 0.0 if missing[leaving, j] else weights[leaving]
        lacking = -gone
        mass = -weight
        total = -weight * X[leaving, j]
        squares = total * X[leaving, j]
        price = -prices[leaving, j]
        if arriving != _NOBODY:
            weight = 0.0 if missing[arriving, j] else weights[arriving]
            lacking += 1 if missing[arriving, j] else 0
            mass += weight
            total += weight * X[arriving, j]
            squares += weight * X[arriving, j] * X[arriving, j]
            price += prices[arriving, j]
        loss += _column_loss(
            groups.lacking[own, j] + lacking,
            groups.sizes[own] - shift,
            groups.masses[own, j] + mass,
            groups.sums[own, j] + total,
            groups.squares[own, j] + squares,
            groups.prices[own, j] + price,
        )
        loss += _column_loss(
            groups.lacking[other, j] - lacking,
            groups.sizes[other] + shift,
            groups.masses[other, j] - mass,
            groups.sums[other, j] - total,
            groups.squares[other, j] - squares,
            groups.prices[other, j] - price,
        )
    return loss


@inner_kernel
def _move(
    groups: BlankingGroups,
    X: FloatArray,
    missing: BoolArray,
    weights: FloatArray,
    prices: FloatArray,
    record: int,
    group: int,
    other: int,
) -> None:
    """Move a record from one group to another (IN/OUT)."""
    before = groups.preceding[record]
    after = groups.following[record]
    if before == _NOBODY:
        groups.first[group] = after
    else:
        groups.following[before] = after
    if after != _NOBODY:
        groups.preceding[after] = before
    _tally(groups, X, missing, weights, prices, record, group, -1)
    _add(groups, X, missing, weights, prices, record, other)


@inner_kernel
def _add(
    groups: BlankingGroups,
    X: FloatArray,
    missing: BoolArray,
    weights: FloatArray,
    prices: FloatArray,
    record: int,
    group: int,
) -> None:
    """Put a record first in the list of a group, and add it to its sums (IN/OUT)."""
    head = groups.first[group]
    groups.following[record] = head
    groups.preceding[record] = _NOBODY
    if head != _NOBODY:
        groups.preceding[head] = record
    groups.first[group] = record
    groups.labels[record] = group
    _tally(groups, X, missing, weights, prices, record, group, 1)


@inner_kernel
def _tally(
    groups: BlankingGroups,
    X: FloatArray,
    missing: BoolArray,
    weights: FloatArray,
    prices: FloatArray,
    record: int,
    group: int,
    sign: int,
) -> None:
    """Add a record to the sums of a group (IN/OUT), or take it out of them."""
    groups.sizes[group] += sign
    for j in range(X.shape[1]):
        if missing[record, j]:
            groups.lacking[group, j] += sign
            continue
        weight = sign * weights[record]
        groups.masses[group, j] += weight
        groups.sums[group, j] += weight * X[record, j]
        groups.squares[group, j] += weight * X[record, j] * X[record, j]
        groups.prices[group, j] += sign * prices[record, j]
