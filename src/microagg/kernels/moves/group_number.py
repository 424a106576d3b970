"""Number of groups changed at random, and local search from there: the steps of iterated local search."""

import numpy as np
from numpy.random import Generator

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.jit import inlined_kernel, kernel
from microagg.kernels.moves.local_descent import descend
from microagg.kernels.moves.working_partition import (
    WorkingPartition,
    begin_trial,
    enqueue,
    new_group,
    put_in,
    save,
    set_free,
    take_out,
    trial_change,
    undo_trial,
    update,
)
from microagg.model.arrays import IntArray

_RELATIVE_ROUNDING = 1e-12  # of the squares: a smaller change may be a rounding error
_VISITS_PER_STEP = 1000  # groups that a local search visits at most before the next check


TO_DO, N_WANTED = range(2)  # entries of the plan of `run_iterations`
NOT_DRAWN = -1  # the number of groups wanted, between two iterations


@kernel
def run_iterations(
    work: WorkingPartition, k: int, rng: Generator, plan: IntArray, step: int, keep: bool, max_steps: int
) -> None:
    """Iterate: draw a number of groups, dissolve or distil to reach it, shift and swap records while that gains.

    O(n·(d + k)) for each group dissolved or distilled, and the neighbourhood of those for shifts and swaps.

    Parameters
    ----------
    work
        IN/OUT: the partition.
    plan
        IN/OUT: the iterations to do, and the number of groups wanted by the one that is under way; of shape (2,).
    step
        Largest change of the number of groups; 0 for a local search alone.
    keep
        Whether an iteration is kept even if it has not lowered the sse.
    max_steps
        Largest number of groups that are dissolved or distilled, and of local searches, in this call.
    """
    n_there = 0
    for group in range(len(work.sizes)):
        if work.sizes[group] > 0:
            n_there += 1
    for _ in range(max_steps):
        if plan[TO_DO] == 0:
            return
        if plan[N_WANTED] == NOT_DRAWN:
            begin_trial(work)
            plan[N_WANTED] = _draw_number(len(work.labels), k, n_there, step, rng)
        if n_there > plan[N_WANTED]:
            _dissolve_random(work, rng)
            n_there -= 1
        elif n_there < plan[N_WANTED]:
            _distil_random(work, k, rng)
            n_there += 1
        if n_there == plan[N_WANTED] and descend(work, k, False, _VISITS_PER_STEP):
            n_there = _end_iteration(work, n_there, keep)
            plan[TO_DO] -= 1
            plan[N_WANTED] = NOT_DRAWN


@inlined_kernel
def _draw_number(n: int, k: int, n_there: int, step: int, rng: Generator) -> int:
    """Draw another number of groups, at most `step` away, that groups of k to 2k − 1 can have; the same if none is."""
    fewest = max(n_there - step, (n + 2 * k - 2) // (2 * k - 1))
    most = min(n_there + step, n // k)
    if fewest == most:
        return n_there
    number = fewest + int(rng.random() * (most - fewest))
    return number + 1 if number >= n_there else number


@inlined_kernel
def _end_iteration(work: WorkingPartition, n_there: int, keep: bool) -> int:
    """Undo an iteration (IN/OUT) unless it is to be kept or has lowered the sse; return the number of groups."""
    change, before = trial_change(work)
    if keep or change < -_RELATIVE_ROUNDING * before - work.noise:
        return n_there
    undo_trial(work)
    n_there = 0
    for group in range(len(work.sizes)):
        if work.sizes[group] > 0:
            n_there += 1
    return n_there


@inlined_kernel
def _dissolve_random(work: WorkingPartition, rng: Generator) -> None:
    """Dissolve a random record's group: each record joins the group of the nearest centroid that has room.

    The others must have room for all. Ties go to the lowest group. O(n_groups·size·d).
    """
    X = work.X
    sizes = work.sizes
    centroids = work.centroids
    max_size = work.members.shape[1]
    group = work.labels[int(rng.random() * len(work.labels))]
    n_records = sizes[group]
    save(work, group)
    set_free(work, group)
    for slot in range(n_records):
        record = work.members[group, slot]
        least = np.inf
        target = -1
        for other in range(len(sizes)):
            if 0 < sizes[other] < max_size:
                squares = squared_distance(X, record, centroids, other)
                if squares < least or target < 0:
                    least = squares
                    target = other
        save(work, target)
        put_in(work, record, target)
        update(work, target)
        enqueue(work, target)


@inlined_kernel
def _distil_random(work: WorkingPartition, k: int, rng: Generator) -> None:
    """Distil a new group: a random record of a group above k, and its k − 1 nearest of groups that are above k then.

    There must be k such records. Ties go to the lowest record. O(n·(d + k)).
    """
    X = work.X
    labels = work.labels
    sizes = work.sizes
    n = len(labels)
    first = int(rng.random() * n)
    while sizes[labels[first]] <= k:
        first = int(rng.random() * n)
    squares = np.empty(n)
    for record in range(n):
        squares[record] = squared_distance(X, record, X, first)
    new = new_group(work)
    for _ in range(k):
        least = np.inf
        nearest = -1
        for record in range(n):
            is_nearer = squares[record] < least or nearest < 0
            if is_nearer and labels[record] != new and sizes[labels[record]] > k:
                least = squares[record]
                nearest = record
        giver = labels[nearest]
        save(work, giver)
        take_out(work, nearest)
        update(work, giver)
        enqueue(work, giver)
        put_in(work, nearest, new)
    update(work, new)
    enqueue(work, new)
