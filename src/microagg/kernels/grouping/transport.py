"""Give every record a centre, each centre between `low` and `high` records, at the least total squared distance.

A transport problem, solved by shortest augmenting paths over the centres. Every record starts at its nearest centre.
Then each centre that has too few records gets one more along the cheapest chain of records, each of which goes on to
the next centre, from some centre that has more than it needs; then each that has too many gives one away likewise.
A price for each centre keeps all reduced costs non-negative, so that each chain is the end of one search by Dijkstra's
algorithm, and the result is optimal. The searches stay near where they start and hold no costs: O(n·d) a centre that
they visit, O(n + m·d) memory for m centres.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray, IntArray


class Transport(NamedTuple):
    """An assignment that is being mended."""

    X: FloatArray  # (n, d) the records
    centres: FloatArray  # (m, d)
    labels: IntArray  # (n,) the centre of each record
    own: FloatArray  # (n,) the squared distance to it
    sizes: IntArray  # (m,) how many records each centre has
    prices: FloatArray  # (m,) what a record pays, besides the way, to be at a centre
    distances: FloatArray  # (m,) scratch of one search: the cost of the cheapest chain, inf where none is known
    links: IntArray  # (m,) scratch: the next centre of that chain
    movers: IntArray  # (m,) scratch: the record that goes along that link
    done: IntArray  # (m,) scratch: 1 where that cost is final


def transport(X: FloatArray, centres: FloatArray, low: int, high: int, tick: Tick = no_tick) -> IntArray:
    """Assign the records optimally; m·low ≤ n ≤ m·high must hold.

    Parameters
    ----------
    X, centres
        The records, of shape (n, d), and the centres, of shape (m, d).
    low, high
        How many records a centre must and may have.

    Returns
    -------
    ndarray of shape (n,)
        The centre of each record.
    """
    n, m = len(X), len(centres)
    state = Transport(
        X=X,
        centres=np.ascontiguousarray(centres),
        labels=np.zeros(n, dtype=np.int64),
        own=np.empty(n),
        sizes=np.zeros(m, dtype=np.int64),
        prices=np.zeros(m),
        distances=np.empty(m),
        links=np.empty(m, dtype=np.int64),
        movers=np.empty(m, dtype=np.int64),
        done=np.empty(m, dtype=np.int64),
    )
    step = steps_per_tick(m * X.shape[1])
    for first in range(0, n, step):
        tick(0.3 * first / n)
        _to_nearest(state, first, min(first + step, n))
    needy = np.repeat(np.arange(m), np.maximum(low - state.sizes, 0)).tolist()
    for turn, centre in enumerate(needy):
        tick(0.3 + 0.4 * turn / len(needy))
        _pull(state, centre, low)
    full = np.repeat(np.arange(m), np.maximum(state.sizes - high, 0)).tolist()
    for turn, centre in enumerate(full):
        tick(0.7 + 0.3 * turn / len(full))
        _push(state, centre, high)
    return state.labels


@kernel
def _squares(X: FloatArray, record: int, centres: FloatArray, centre: int) -> float:
    total = 0.0
    for j in range(X.shape[1]):
        difference = X[record, j] - centres[centre, j]
        total += difference * difference
    return total


@kernel
def _to_nearest(state: Transport, first: int, last: int) -> None:
    """Give the records first … last − 1 their nearest centres, ties to the first of them."""
    for record in range(first, last):
        best, best_squares = 0, np.inf
        for centre in range(len(state.centres)):
            squares = _squares(state.X, record, state.centres, centre)
            if squares < best_squares:
                best, best_squares = centre, squares
        state.labels[record], state.own[record] = best, best_squares
        state.sizes[best] += 1


@kernel
def _pull(state: Transport, needy: int, low: int) -> None:
    """Bring one record more to a centre, from the nearest centre, along a chain, that has more than `low`."""
    # Backwards from the needy centre: distances[c] is the cost of taking one record away from c.
    _start(state, needy)
    while True:
        here = _settle(state, np.inf)
        if here != needy and state.sizes[here] > low:
            break
        for record in range(len(state.X)):
            other = state.labels[record]
            if state.done[other]:
                continue
            way = _squares(state.X, record, state.centres, here) - state.own[record]
            cost = state.distances[here] + max(0.0, way + state.prices[here] - state.prices[other])
            if cost < state.distances[other]:
                state.distances[other], state.links[other], state.movers[other] = cost, here, record
    _reprice(state, state.distances[here], 1.0)
    while here != needy:
        _go(state, state.movers[here], here, state.links[here])
        here = state.links[here]


@kernel
def _push(state: Transport, full: int, high: int) -> None:
    """Take one record away from a centre, to the cheapest centre, along a chain, that has fewer than `high`."""
    # Forwards from the full centre: distances[c] is the cost of bringing one record to c. Where c may keep
    # it, that costs what c is paid for having records at all, too.
    _start(state, full)
    last, reached = -1, np.inf
    while True:
        here = _settle(state, reached)
        if here < 0:
            break
        if here != full and state.sizes[here] < high and state.distances[here] - state.prices[here] < reached:
            last, reached = here, state.distances[here] - state.prices[here]
        for record in range(len(state.X)):
            if state.labels[record] != here:
                continue
            for other in range(len(state.centres)):
                if state.done[other]:
                    continue
                way = _squares(state.X, record, state.centres, other) - state.own[record]
                cost = state.distances[here] + max(0.0, way + state.prices[other] - state.prices[here])
                if cost < state.distances[other]:
                    state.distances[other], state.links[other], state.movers[other] = cost, here, record
    _reprice(state, reached, -1.0)
    while last != full:
        _go(state, state.movers[last], state.links[last], last)
        last = state.links[last]


@kernel
def _start(state: Transport, centre: int) -> None:
    state.distances[:] = np.inf
    state.done[:] = 0
    state.distances[centre] = 0.0


@kernel
def _settle(state: Transport, limit: float) -> int:
    """Find the centre with the cheapest chain that is not final yet, and make it so; -1 if none is below `limit`."""
    best, best_distance = -1, limit
    for centre in range(len(state.distances)):
        if not state.done[centre] and state.distances[centre] < best_distance:
            best, best_distance = centre, state.distances[centre]
    if best >= 0:
        state.done[best] = 1
    return best


@kernel
def _reprice(state: Transport, reached: float, sign: float) -> None:
    """Change the prices of the centres that were settled so that all reduced costs stay non-negative."""
    for centre in range(len(state.prices)):
        if state.done[centre]:
            state.prices[centre] += sign * (state.distances[centre] - reached)


@kernel
def _go(state: Transport, record: int, source: int, target: int) -> None:
    state.labels[record] = target
    state.own[record] = _squares(state.X, record, state.centres, target)
    state.sizes[source] -= 1
    state.sizes[target] += 1
