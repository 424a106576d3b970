"""Assignment of records to centres, each with `low` to `high` records, at the least total distance.

A transport problem, solved by successive shortest augmenting paths over the centres. Every record starts at its nearest
centre. Then each centre with too few records gets one more along the cheapest path, on which each centre passes a
record on to the next, from some centre that has more than it needs; then each with too many gives one away likewise.
A potential for each centre keeps all reduced costs non-negative, so that each path is found by Dijkstra's
algorithm and the result is optimal. The searches stay near where they start and store no costs: O(n·d) for each centre
that they visit, O(n + n_centres·d) memory.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.jit import inlined_kernel, inner_kernel, kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import BoolArray, FloatArray, IntArray


class Transport(NamedTuple):
    """Assignment, optimal for the sizes that it has, and the state of one search for a path."""

    X: FloatArray  # (n, d) the records
    centres: FloatArray  # (n_centres, d)
    labels: IntArray  # (n,) the centre of each record
    costs: FloatArray  # (n,) the distance from it
    sizes: IntArray  # (n_centres,) how many records each centre has
    potentials: FloatArray  # (n_centres,) dual price of being at a centre, on top of the distance
    distances: FloatArray  # (n_centres,) scratch: the cost of the cheapest path found, inf if none
    predecessors: IntArray  # (n_centres,) scratch: the centre from which the search reached each
    movers: IntArray  # (n_centres,) scratch: the record that moves between these two
    final: BoolArray  # (n_centres,) scratch: whether that cost is final


def transport(X: FloatArray, centres: FloatArray, low: int, high: int, tick: Tick = no_tick) -> IntArray:
    """Assign the records optimally; n_centres·low ≤ n ≤ n_centres·high must hold.

    Parameters
    ----------
    X, centres
        The records, of shape (n, d), and the centres, of shape (n_centres, d).
    low, high
        The least and the greatest number of records of a centre.

    Returns
    -------
    ndarray of shape (n,)
        The centre of each record.
    """
    n, n_centres = len(X), len(centres)
    state = Transport(
        X=X,
        centres=np.ascontiguousarray(centres),
        labels=np.zeros(n, dtype=np.int64),
        costs=np.empty(n),
        sizes=np.zeros(n_centres, dtype=np.int64),
        potentials=np.zeros(n_centres),
        distances=np.empty(n_centres),
        predecessors=np.empty(n_centres, dtype=np.int64),
        movers=np.empty(n_centres, dtype=np.int64),
        final=np.empty(n_centres, dtype=np.bool_),
    )
    step = steps_per_tick(n_centres * X.shape[1])
    for first in range(0, n, step):
        tick(0.3 * first / n)
        _assign_nearest(state, first, min(first + step, n))
    missing = np.repeat(np.arange(n_centres), np.maximum(low - state.sizes, 0)).tolist()
    for turn, centre in enumerate(missing):
        tick(0.3 + 0.4 * turn / len(missing))
        _bring_one(state, centre, low)
    surplus = np.repeat(np.arange(n_centres), np.maximum(state.sizes - high, 0)).tolist()
    for turn, centre in enumerate(surplus):
        tick(0.7 + 0.3 * turn / len(surplus))
        _send_one(state, centre, high)
    return state.labels


@kernel
def _assign_nearest(state: Transport, first: int, last: int) -> None:
    """Assign the records first … last − 1 to their nearest centres, ties to the lowest (OUT): O(n_centres·d) each."""
    for record in range(first, last):
        best = 0
        least = np.inf
        for centre in range(len(state.centres)):
            squares = squared_distance(state.X, record, state.centres, centre)
            if squares < least:
                best = centre
                least = squares
        state.labels[record] = best
        state.costs[record] = np.sqrt(least)
        state.sizes[best] += 1


@kernel
def _bring_one(state: Transport, needy: int, low: int) -> None:
    """Bring one more record to a centre along the cheapest path from one that has more than `low` (IN/OUT).

    The search goes backwards from the needy centre: distances[c] is the cost of taking one record away from c.
    O(n·d) for each centre visited.
    """
    _start_search(state, needy)
    while True:
        here = _visit_next(state, np.inf)
        if here != needy and state.sizes[here] > low:
            break
        for record in range(len(state.X)):
            other = state.labels[record]
            if state.final[other]:
                continue
            change = _cost(state, record, here) - state.costs[record]
            reduced_cost = max(0.0, change + state.potentials[here] - state.potentials[other])
            if state.distances[here] + reduced_cost < state.distances[other]:
                _set_path(state, other, state.distances[here] + reduced_cost, here, record)
    _update_potentials(state, state.distances[here], 1.0)
    while here != needy:
        _reassign(state, state.movers[here], here, state.predecessors[here])
        here = state.predecessors[here]


@kernel
def _send_one(state: Transport, full: int, high: int) -> None:
    """Send one record away from a centre along the cheapest path to one that has fewer than `high` (IN/OUT).

    The search goes forwards from the full centre: distances[c] is the cost of bringing one record to c. If the path
    ends at c, the potential of c is saved. O((n + size·n_centres)·d) for each centre visited.
    """
    _start_search(state, full)
    end = -1
    least = np.inf
    while True:
        here = _visit_next(state, least)
        if here < 0:
            break
        if here != full and state.sizes[here] < high and state.distances[here] - state.potentials[here] < least:
            end = here
            least = state.distances[here] - state.potentials[here]
        for record in range(len(state.X)):
            if state.labels[record] != here:
                continue
            for other in range(len(state.centres)):
                if state.final[other]:
                    continue
                change = _cost(state, record, other) - state.costs[record]
                reduced_cost = max(0.0, change + state.potentials[other] - state.potentials[here])
                if state.distances[here] + reduced_cost < state.distances[other]:
                    _set_path(state, other, state.distances[here] + reduced_cost, here, record)
    _update_potentials(state, least, -1.0)
    while end != full:
        _reassign(state, state.movers[end], state.predecessors[end], end)
        end = state.predecessors[end]


@inlined_kernel
def _cost(state: Transport, record: int, centre: int) -> float:
    """Return the distance of a record from a centre: O(d)."""
    return float(np.sqrt(squared_distance(state.X, record, state.centres, centre)))


@inner_kernel
def _start_search(state: Transport, centre: int) -> None:
    """Start a search at a centre (OUT in the scratch): O(n_centres)."""
    state.distances[:] = np.inf
    state.final[:] = False
    state.distances[centre] = 0.0


@inner_kernel
def _visit_next(state: Transport, limit: float) -> int:
    """Find the centre with the cheapest path that is not final, and make it so (IN/OUT): O(n_centres).

    -1 if none is cheaper than `limit`; ties go to the lowest.
    """
    best = -1
    best_distance = limit
    for centre in range(len(state.distances)):
        if not state.final[centre] and state.distances[centre] < best_distance:
            best = centre
            best_distance = state.distances[centre]
    if best >= 0:
        state.final[best] = True
    return best


@inner_kernel
def _set_path(state: Transport, centre: int, distance: float, predecessor: int, mover: int) -> None:
    """Set the cheapest path to a centre (OUT in the scratch): O(1)."""
    state.distances[centre] = distance
    state.predecessors[centre] = predecessor
    state.movers[centre] = mover


@inner_kernel
def _update_potentials(state: Transport, reached: float, sign: float) -> None:
    """Change the potentials of the centres visited (IN/OUT) so that reduced costs stay non-negative: O(n_centres)."""
    for centre in range(len(state.potentials)):
        if state.final[centre]:
            state.potentials[centre] += sign * (state.distances[centre] - reached)


@inner_kernel
def _reassign(state: Transport, record: int, source: int, target: int) -> None:
    """Move a record from one centre to another (IN/OUT): O(d)."""
    state.labels[record] = target
    state.costs[record] = _cost(state, record, target)
    state.sizes[source] -= 1
    state.sizes[target] += 1
