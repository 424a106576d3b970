"""Partition that local search changes record by record, and can restore.

Every change costs its own groups only. The groups that a trial changes are saved before their first change, so that the
trial can be undone.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.jit import inlined_kernel, inner_kernel
from microagg.kernels.record_weights import set_mass, weight_of
from microagg.model.arrays import BoolArray, FloatArray, IntArray

N_FREE, N_QUEUED, LAST_STAMP, LAST_TRIAL, N_SAVED = range(5)  # entries of `WorkingPartition.counts`
_RELATIVE_NOISE = 1e-18  # of the largest squared norm: the rounding error of a squared distance is larger
_SMALLEST_NOISE = 1e-300


class WorkingPartition(NamedTuple):
    """Partition that is being changed.

    A group is a number below n // k, the largest possible number of groups. No group has more than 2k − 1 records, as
    two groups of at least k would lose no more, whatever their records weigh.
    """

    X: FloatArray  # (n, d)
    weights: FloatArray | None  # (n,) None: every record weighs 1
    neighbours: IntArray  # (n, any number) neighbour list of each record: changes are sought among their groups
    noise: float  # a smaller change may consist of rounding errors alone
    labels: IntArray  # (n,)
    slots: IntArray  # (n,) position of each record among the members of its group
    members: IntArray  # (n // k, 2k − 1)
    sizes: IntArray  # (n // k,) 0 for a group that does not exist
    masses: FloatArray | None  # (n // k,) total weight of each group; None: the number of its records
    centroids: FloatArray  # (n // k, d)
    squares: FloatArray  # (n,) squared distance of each record from its centroid, not weighted
    sses: FloatArray  # (n // k,)
    free: IntArray  # (n // k,) stack of groups that do not exist, and of some that have come back since
    is_free: BoolArray  # (n // k,) whether a group is on that stack
    queue: IntArray  # (n // k,) stack of groups to visit
    is_queued: BoolArray  # (n // k,)
    stamps: IntArray  # (n // k,) the last search for neighbouring groups that found a group
    trials: IntArray  # (n // k,) the last trial for which a group was saved
    saved: IntArray  # (n // k,) groups saved for this trial
    saved_sizes: IntArray  # (n // k,)
    saved_members: IntArray  # (n // k, 2k − 1)
    saved_centroids: FloatArray  # (n // k, d)
    saved_sses: FloatArray  # (n // k,)
    counts: IntArray  # (5,) see `N_FREE` and the following
    nearby: IntArray  # (n // k,) scratch: groups near the visited one
    to_other: FloatArray  # (2k − 1,) scratch: squared distances of its records from another centroid
    from_other: FloatArray  # (2k − 1,) scratch: squared distances of the other records from its centroid
    chosen: IntArray  # (2k − 1,) scratch: records or groups
    rest: IntArray  # (2k − 1,) scratch: records


def working_partition(
    X: FloatArray, neighbours: IntArray, labels: IntArray, k: int, weights: FloatArray | None = None
) -> WorkingPartition:
    """Return the working partition of legal labels, all its groups queued; groups of 2k or more are split.

    Records are sorted by their distance from the centroid of all, so that the order of the rows does not matter.

    Parameters
    ----------
    neighbours
        Neighbour list of each record, of shape (n, any number).
    labels
        Group of each record, of shape (n,), numbered without gaps.
    weights
        Weight of each record, of shape (n,); None: every record weighs 1.
    """
    n, d = X.shape
    largest_weight = 1.0 if weights is None else float(weights.max())
    largest_norm = float(np.square(X).sum(axis=1).max())
    max_groups = n // k
    max_size = 2 * k - 1
    order = np.argsort(np.square(X - X.mean(axis=0)).sum(axis=1), kind="stable")
    work = WorkingPartition(
        X=X,
        weights=weights,
        neighbours=neighbours,
        noise=max(_SMALLEST_NOISE, _RELATIVE_NOISE * largest_norm * largest_weight),
        labels=_split_large_groups(labels, order, k),
        slots=np.empty(n, dtype=np.int64),
        members=np.zeros((max_groups, max_size), dtype=np.int64),
        sizes=np.zeros(max_groups, dtype=np.int64),
        masses=None if weights is None else np.zeros(max_groups),
        centroids=np.zeros((max_groups, d)),
        squares=np.zeros(n),
        sses=np.zeros(max_groups),
        free=np.zeros(max_groups, dtype=np.int64),
        is_free=np.zeros(max_groups, dtype=np.bool_),
        queue=np.zeros(max_groups, dtype=np.int64),
        is_queued=np.zeros(max_groups, dtype=np.bool_),
        stamps=np.zeros(max_groups, dtype=np.int64),
        trials=np.zeros(max_groups, dtype=np.int64),
        saved=np.zeros(max_groups, dtype=np.int64),
        saved_sizes=np.zeros(max_groups, dtype=np.int64),
        saved_members=np.empty((max_groups, max_size), dtype=np.int64),
        saved_centroids=np.empty((max_groups, d)),
        saved_sses=np.empty(max_groups),
        counts=np.zeros(5, dtype=np.int64),
        nearby=np.empty(max_groups, dtype=np.int64),
        to_other=np.empty(max_size),
        from_other=np.empty(max_size),
        chosen=np.empty(max_size, dtype=np.int64),
        rest=np.empty(max_size, dtype=np.int64),
    )
    _fill_groups(work, order)
    _fill_stacks(work, order)
    begin_trial(work)
    return work


def total_sse(work: WorkingPartition) -> float:
    """Return the sse of all groups, added up one by one."""
    return float(np.cumsum(np.where(work.sizes > 0, work.sses, 0.0))[-1])


def _split_large_groups(labels: IntArray, order: IntArray, k: int) -> IntArray:
    """Split groups of 2k or more along `order` into groups of k, the last of up to 2k − 1."""
    sizes = np.bincount(labels)
    grouped = order[np.argsort(labels[order], kind="stable")]
    rank = np.empty_like(labels)
    rank[grouped] = np.arange(len(labels)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    n_parts = sizes // k
    first = np.cumsum(n_parts) - n_parts
    split: IntArray = first[labels] + np.minimum(rank // k, n_parts[labels] - 1)
    return split


def _fill_groups(work: WorkingPartition, order: IntArray) -> None:
    """Fill in all about the groups (OUT), as `put_in` and `update` would; faster than compiling."""
    sizes = np.bincount(work.labels, minlength=len(work.sizes))
    work.sizes[:] = sizes
    grouped = order[np.argsort(work.labels[order], kind="stable")]
    work.slots[grouped] = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    work.members[work.labels[order], work.slots[order]] = order
    if work.weights is not None and work.masses is not None:
        _add_members(work, work.weights, work.masses)
    masses = sizes if work.masses is None else work.masses
    _add_members(work, work.X if work.weights is None else work.X * work.weights[:, None], work.centroids)
    groups = np.flatnonzero(sizes)
    work.centroids[groups] /= masses[groups, None]
    for j in range(work.X.shape[1]):
        difference = work.X[:, j] - work.centroids[work.labels, j]
        work.squares[:] += difference * difference
    _add_members(work, work.squares if work.weights is None else work.squares * work.weights, work.sses)


def _add_members(work: WorkingPartition, values: FloatArray, totals: FloatArray) -> None:
    """Add up a value of each record by group (OUT in `totals`), in the order of the members."""
    for slot in range(work.sizes.max()):
        larger = np.flatnonzero(work.sizes > slot)
        totals[larger] += values[work.members[larger, slot]]


def _fill_stacks(work: WorkingPartition, order: IntArray) -> None:
    """Queue all groups along `order`, and free the numbers that are left over, the lowest on top (OUT)."""
    unused = np.flatnonzero(work.sizes == 0)[::-1]
    work.free[: len(unused)] = unused
    work.is_free[unused] = True
    work.counts[N_FREE] = len(unused)
    labels = work.labels[order]
    first = np.sort(np.unique(labels, return_index=True)[1])
    work.queue[: len(first)] = labels[first]
    work.is_queued[labels[first]] = True
    work.counts[N_QUEUED] = len(first)


@inlined_kernel
def begin_trial(work: WorkingPartition) -> None:
    """Begin a trial: changes from now on can be undone."""
    work.counts[LAST_TRIAL] += 1
    work.counts[N_SAVED] = 0


@inner_kernel
def save(work: WorkingPartition, group: int) -> None:
    """Save a group before its first change in a trial: O(k + d)."""
    if work.trials[group] == work.counts[LAST_TRIAL]:
        return
    work.trials[group] = work.counts[LAST_TRIAL]
    entry = work.counts[N_SAVED]
    work.counts[N_SAVED] += 1
    size = work.sizes[group]
    work.saved[entry] = group
    work.saved_sizes[entry] = size
    work.saved_sses[entry] = work.sses[group] if size else 0.0
    for slot in range(size):
        work.saved_members[entry, slot] = work.members[group, slot]
    for j in range(work.X.shape[1]):
        work.saved_centroids[entry, j] = work.centroids[group, j]


@inlined_kernel
def undo_trial(work: WorkingPartition) -> None:
    """Restore every group that this trial has changed."""
    for entry in range(work.counts[N_SAVED]):
        group = work.saved[entry]
        work.sizes[group] = work.saved_sizes[entry]
        work.sses[group] = work.saved_sses[entry]
        if work.sizes[group] == 0:
            set_free(work, group)
            continue
        for j in range(work.X.shape[1]):
            work.centroids[group, j] = work.saved_centroids[entry, j]
        mass = 0.0
        for slot in range(work.sizes[group]):
            record = work.saved_members[entry, slot]
            mass += weight_of(work.weights, record)
            work.members[group, slot] = record
            work.slots[record] = slot
            work.labels[record] = group
            work.squares[record] = squared_distance(work.X, record, work.centroids, group)
        set_mass(work.masses, group, mass)


@inlined_kernel
def trial_change(work: WorkingPartition) -> tuple[float, float]:
    """Return how this trial has changed the sse so far, and the sse before it of the groups that it has changed."""
    before = 0.0
    after = 0.0
    for entry in range(work.counts[N_SAVED]):
        before += work.saved_sses[entry]
        group = work.saved[entry]
        if work.sizes[group] > 0:
            after += work.sses[group]
    return after - before, before


@inner_kernel
def take_out(work: WorkingPartition, record: int) -> None:
    """Take a record out of its group, which must be updated afterwards."""
    group = work.labels[record]
    slot = work.slots[record]
    last = work.sizes[group] - 1
    moved = work.members[group, last]
    work.members[group, slot] = moved
    work.slots[moved] = slot
    work.sizes[group] = last


@inner_kernel
def put_in(work: WorkingPartition, record: int, group: int) -> None:
    """Put a record into a group, which must be updated afterwards."""
    slot = work.sizes[group]
    work.labels[record] = group
    work.slots[record] = slot
    work.members[group, slot] = record
    work.sizes[group] = slot + 1


@inner_kernel
def update(work: WorkingPartition, group: int) -> None:
    """Compute a group's centroid and squares from its records, so that no rounding errors add up: O(k·d)."""
    X = work.X
    weights = work.weights
    centroids = work.centroids
    size = work.sizes[group]
    mass = 0.0
    for j in range(X.shape[1]):
        centroids[group, j] = 0.0
    for slot in range(size):
        record = work.members[group, slot]
        weight = weight_of(weights, record)
        mass += weight
        for j in range(X.shape[1]):
            centroids[group, j] += weight * X[record, j]
    for j in range(X.shape[1]):
        centroids[group, j] /= mass
    sse = 0.0
    for slot in range(size):
        record = work.members[group, slot]
        work.squares[record] = squared_distance(X, record, centroids, group)
        sse += weight_of(weights, record) * work.squares[record]
    set_mass(work.masses, group, mass)
    work.sses[group] = sse


@inner_kernel
def enqueue(work: WorkingPartition, group: int) -> None:
    """Queue a group for a visit."""
    if not work.is_queued[group]:
        work.is_queued[group] = True
        work.queue[work.counts[N_QUEUED]] = group
        work.counts[N_QUEUED] += 1


@inlined_kernel
def dequeue(work: WorkingPartition) -> int:
    """Return the group to visit next, and take it off the queue."""
    work.counts[N_QUEUED] -= 1
    group = work.queue[work.counts[N_QUEUED]]
    work.is_queued[group] = False
    return int(group)


@inner_kernel
def set_free(work: WorkingPartition, group: int) -> None:
    """Mark a group as one that does not exist."""
    work.sizes[group] = 0
    if not work.is_free[group]:
        work.is_free[group] = True
        work.free[work.counts[N_FREE]] = group
        work.counts[N_FREE] += 1


@inner_kernel
def new_group(work: WorkingPartition) -> int:
    """Return a group that did not exist, empty and saved; there must be fewer than n // k groups."""
    while True:
        work.counts[N_FREE] -= 1
        group = work.free[work.counts[N_FREE]]
        work.is_free[group] = False
        if work.sizes[group] == 0:  # else `undo_trial` has brought it back
            save(work, group)
            return int(group)
