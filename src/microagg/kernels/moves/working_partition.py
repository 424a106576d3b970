"""Hold groups that are changed one record at a time, and put back as they were."""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.jit import kernel
from microagg.model.arrays import BoolArray, FloatArray, IntArray

FREE, QUEUED, STAMP, TRIAL, SAVED = range(5)  # what the counts of a draft count


class Draft(NamedTuple):
    """Hold a partition that is being changed; every change costs its own groups only.

    A group is a number below n // k, the most groups there can be; no group has more than 2k − 1 records, as two of
    k or more would lose no more. What a trial changes is saved first, group by group, so that it can be undone.
    """

    X: FloatArray  # (n, d)
    near: IntArray  # (n, any number) the nearest of each record: changes are looked for among their groups
    noise: float  # a change below that may be made of rounding alone
    labels: IntArray  # (n,)
    places: IntArray  # (n,) where each record stands in its group
    members: IntArray  # (n // k, 2k − 1)
    sizes: IntArray  # (n // k,) 0 for a group that is not there
    centroids: FloatArray  # (n // k, d)
    squares: FloatArray  # (n,) of each record's distance from its centroid
    sses: FloatArray  # (n // k,)
    free: IntArray  # (n // k,) a stack of groups that are not there, and of some that have come back since
    is_free: BoolArray  # (n // k,) whether a group is on that stack
    queue: IntArray  # (n // k,) a stack of groups to be looked at
    is_queued: BoolArray  # (n // k,)
    stamps: IntArray  # (n // k,) when a group was last met, to meet each once
    trials: IntArray  # (n // k,) the trial for which a group was last saved
    saved: IntArray  # (n // k,) the groups saved for this trial
    saved_sizes: IntArray  # (n // k,)
    saved_members: IntArray  # (n // k, 2k − 1)
    saved_centroids: FloatArray  # (n // k, d)
    saved_sses: FloatArray  # (n // k,)
    counts: IntArray  # (5,) how many are free, queued; the last stamp; the last trial; how many are saved


def draft(X: FloatArray, near: IntArray, labels: IntArray, k: int) -> Draft:
    """Start a draft from legal groups, all of them queued; groups of 2k or more are split.

    Records come in the order of their distance from the centroid, which does not depend on that of the rows.

    Parameters
    ----------
    near
        The nearest of each record, of shape (n, any number).
    labels
        The group of each record, of shape (n,), numbered without gaps.
    """
    (n, d), most, largest = X.shape, len(X) // k, 2 * k - 1
    order = np.argsort(np.square(X - X.mean(axis=0)).sum(axis=1), kind="stable")
    integers = (np.zeros(most, dtype=np.int64) for _ in range(7))
    flags = (np.zeros(most, dtype=np.bool_) for _ in range(2))
    new = Draft(
        X=X,
        near=near,
        noise=max(1e-300, 1e-18 * float(np.square(X).sum(axis=1).max())),
        labels=_split(labels, order, k),
        places=np.empty(n, dtype=np.int64),
        members=np.empty((most, largest), dtype=np.int64),
        sizes=next(integers),
        centroids=np.empty((most, d)),
        squares=np.empty(n),
        sses=np.empty(most),
        free=next(integers),
        is_free=next(flags),
        queue=next(integers),
        is_queued=next(flags),
        stamps=next(integers),
        trials=next(integers),
        saved=next(integers),
        saved_sizes=next(integers),
        saved_members=np.empty((most, largest), dtype=np.int64),
        saved_centroids=np.empty((most, d)),
        saved_sses=np.empty(most),
        counts=np.zeros(5, dtype=np.int64),
    )
    _fill(new, order)
    return new


def _split(labels: IntArray, order: IntArray, k: int) -> IntArray:
    """Split groups of 2k or more along `order` into groups of k, the last of up to 2k − 1."""
    sizes = np.bincount(labels)
    grouped = order[np.argsort(labels[order], kind="stable")]
    rank = np.empty_like(labels)
    rank[grouped] = np.arange(len(labels)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    parts = sizes // k
    first = np.cumsum(parts) - parts
    split: IntArray = first[labels] + np.minimum(rank // k, parts[labels] - 1)
    return split


@kernel
def _fill(draft: Draft, order: IntArray) -> None:
    for record in order:
        put_in(draft, record, draft.labels[record])
    for group in range(len(draft.sizes) - 1, -1, -1):
        if draft.sizes[group] == 0:
            set_free(draft, group)
        else:
            measure(draft, group)
    for record in order:
        queue(draft, draft.labels[record])
    begin(draft)


@kernel
def begin(draft: Draft) -> None:
    """Begin a trial: what is changed from now on can be undone."""
    draft.counts[TRIAL] += 1
    draft.counts[SAVED] = 0


@kernel
def save(draft: Draft, group: int) -> None:
    """Save a group before its first change in a trial."""
    if draft.trials[group] == draft.counts[TRIAL]:
        return
    draft.trials[group] = draft.counts[TRIAL]
    place = draft.counts[SAVED]
    draft.counts[SAVED] += 1
    draft.saved[place], draft.saved_sizes[place] = group, draft.sizes[group]
    draft.saved_sses[place] = draft.sses[group] if draft.sizes[group] else 0.0
    for i in range(draft.sizes[group]):
        draft.saved_members[place, i] = draft.members[group, i]
    for j in range(draft.X.shape[1]):
        draft.saved_centroids[place, j] = draft.centroids[group, j]


@kernel
def undo(draft: Draft) -> None:
    """Put every group back as it was before this trial."""
    for place in range(draft.counts[SAVED]):
        group = draft.saved[place]
        draft.sizes[group], draft.sses[group] = draft.saved_sizes[place], draft.saved_sses[place]
        if draft.sizes[group] == 0:
            set_free(draft, group)
            continue
        for j in range(draft.X.shape[1]):
            draft.centroids[group, j] = draft.saved_centroids[place, j]
        for i in range(draft.sizes[group]):
            record = draft.saved_members[place, i]
            draft.members[group, i], draft.places[record], draft.labels[record] = record, i, group
            draft.squares[record] = squared_distance(draft.X, record, draft.centroids, group)


@kernel
def change_of(draft: Draft) -> tuple[float, float]:
    """Say how this trial has changed the sse so far, and what the groups that it changed lost before."""
    before, after = 0.0, 0.0
    for place in range(draft.counts[SAVED]):
        before += draft.saved_sses[place]
        group = draft.saved[place]
        if draft.sizes[group] > 0:
            after += draft.sses[group]
    return after - before, before


@kernel
def take_out(draft: Draft, record: int) -> None:
    """Take a record out of its group; the group is to be measured again."""
    group = draft.labels[record]
    last = draft.sizes[group] - 1
    moved, place = draft.members[group, last], draft.places[record]
    draft.members[group, place], draft.places[moved], draft.sizes[group] = moved, place, last


@kernel
def put_in(draft: Draft, record: int, group: int) -> None:
    """Put a record into a group; the group is to be measured again."""
    draft.labels[record], draft.places[record] = group, draft.sizes[group]
    draft.members[group, draft.sizes[group]] = record
    draft.sizes[group] += 1


@kernel
def measure(draft: Draft, group: int) -> None:
    """Compute a group's centroid and squares from its records, so that no rounding adds up."""
    X, centroids, size = draft.X, draft.centroids, draft.sizes[group]
    for j in range(X.shape[1]):
        centroids[group, j] = 0.0
    for i in range(size):
        record = draft.members[group, i]
        for j in range(X.shape[1]):
            centroids[group, j] += X[record, j]
    for j in range(X.shape[1]):
        centroids[group, j] /= size
    sse = 0.0
    for i in range(size):
        record = draft.members[group, i]
        draft.squares[record] = squared_distance(X, record, centroids, group)
        sse += draft.squares[record]
    draft.sses[group] = sse


@kernel
def queue(draft: Draft, group: int) -> None:
    """Have a group looked at."""
    if not draft.is_queued[group]:
        draft.is_queued[group] = True
        draft.queue[draft.counts[QUEUED]] = group
        draft.counts[QUEUED] += 1


@kernel
def set_free(draft: Draft, group: int) -> None:
    """Say that a group is not there any more."""
    draft.sizes[group] = 0
    if not draft.is_free[group]:
        draft.is_free[group] = True
        draft.free[draft.counts[FREE]] = group
        draft.counts[FREE] += 1


@kernel
def new_group(draft: Draft) -> int:
    """Give a group that is not there, empty and saved; there is one while there are fewer than n // k."""
    while True:
        draft.counts[FREE] -= 1
        group = draft.free[draft.counts[FREE]]
        draft.is_free[group] = False
        if draft.sizes[group] == 0:  # it may have come back by an undo
            save(draft, group)
            return int(group)


@kernel
def sse_of(draft: Draft) -> float:
    """Sum what the groups lose."""
    sse = 0.0
    for group in range(len(draft.sizes)):
        if draft.sizes[group] > 0:
            sse += draft.sses[group]
    return sse
