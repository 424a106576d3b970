"""Search on by rebuilding a few neighbouring groups at a time: each trial costs its neighbourhood, never the whole."""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.jit import kernel
from microagg.kernels.moves.local_descent import NO_END, descend
from microagg.kernels.moves.working_partition import (
    SAVED,
    STAMP,
    Draft,
    begin,
    change_of,
    draft,
    measure,
    new_group,
    put_in,
    queue,
    save,
    set_free,
    sse_of,
    undo,
)
from microagg.model.arrays import BoolArray, FloatArray, IntArray

_FEWEST, _MOST = 2, 5  # groups that are rebuilt together
_PASSED = 0.5  # how often a near group is passed over: among ties, who comes first is chance
_FEWER, _MORE = 0.25, 0.25  # how often into one group less, and one more
_LATE = 0.5  # the share of the trials after which groups are remembered: those met before are worse
_SAME = 1e-12  # of the squares: a change below that is none


class Met(NamedTuple):
    """Remember groups that were met: the latest, each once as a rule."""

    members: IntArray  # (any number, 2k − 1)
    sizes: IntArray  # (any number,)
    sses: FloatArray  # (any number,)
    marks: IntArray  # (any number,) equal for equal groups
    record_marks: IntArray  # (n,) a group's mark is these of its records, combined by exclusive or
    slots: IntArray  # (a power of two,) the marks met last
    n_met: IntArray  # (1,) how many were met


class Walk(NamedTuple):
    """Hold one search: where it is, the best that it met, and the groups that it met."""

    draft: Draft
    best: IntArray  # (n,) labels
    stale: IntArray  # (n,) records whose label may have changed since: as many as `n_stale` says
    is_stale: BoolArray  # (n,)
    n_stale: IntArray  # (1,)
    sses: FloatArray  # (2,) here, and of the best
    met: Met


def start_walk(X: FloatArray, near: IntArray, labels: IntArray, k: int, n_met: int) -> Walk:
    """Start a search from legal groups, and descend.

    Parameters
    ----------
    near
        The nearest of each record, of shape (n, any number).
    n_met
        How many groups to remember.
    """
    n, largest = len(X), 2 * k - 1
    start = draft(X, near, labels, k)
    descend(start, k, True, NO_END)
    met = Met(
        members=np.empty((n_met, largest), dtype=np.int64),
        sizes=np.empty(n_met, dtype=np.int64),
        sses=np.empty(n_met),
        marks=np.empty(n_met, dtype=np.int64),
        record_marks=np.random.default_rng(0).integers(1, 2**63 - 1, size=n),
        slots=np.zeros(2 ** int(np.ceil(np.log2(2 * n_met))), dtype=np.int64),
        n_met=np.zeros(1, dtype=np.int64),
    )
    return Walk(
        draft=start,
        best=start.labels.copy(),
        stale=np.empty(n, dtype=np.int64),
        is_stale=np.zeros(n, dtype=np.bool_),
        n_stale=np.zeros(1, dtype=np.int64),
        sses=np.full(2, sse_of(start)),
        met=met,
    )


@kernel
def search(
    walk: Walk, k: int, rng: Generator, first: int, last: int, length: int, heat: float, regroup: bool, looks: int
) -> None:
    """Make the trials first … last − 1 of `length`: rebuild some groups, descend, and accept that or undo it.

    A trial that loses is accepted with a probability that falls with the loss, measured by what a record of the groups
    that it changed loses on average, and with a heat that falls to nothing at the last trial. O(neighbourhood) each.

    Parameters
    ----------
    walk
        IN/OUT: where the search is.
    heat
        At the first trial, as a share of a record's loss.
    regroup
        Whether the descent dissolves and distils groups.
    looks
        How many it may have at groups: `NO_END`.
    """
    draft, largest = walk.draft, walk.draft.members.shape[1]
    n_records = largest * _MOST
    pool, distances = np.empty(n_records, dtype=np.int64), np.empty((_MOST + 1, n_records))
    chosen = np.empty(_MOST + 1, dtype=np.int64)
    for trial in range(first, last):
        begin(draft)
        _rebuild(draft, k, rng, chosen, pool, distances)
        descend(draft, k, regroup, looks)
        change, before = change_of(draft)
        if abs(change) > _SAME * before + draft.noise:
            warmth = heat * (1 - trial / length) * before / (draft.counts[SAVED] * k)
            if change > 0 and not rng.random() < np.exp(-change / warmth):
                undo(draft)
                continue
            if trial >= _LATE * length:
                _remember(walk)
        _move_on(walk, change)


@kernel
def _move_on(walk: Walk, change: float) -> None:
    """Accept a trial; where it is the best so far, write down the labels that have changed since the last best."""
    draft = walk.draft
    walk.sses[0] += change
    for place in range(draft.counts[SAVED]):
        group = draft.saved[place]
        for i in range(draft.sizes[group]):
            record = draft.members[group, i]
            if not walk.is_stale[record]:
                walk.is_stale[record] = True
                walk.stale[walk.n_stale[0]] = record
                walk.n_stale[0] += 1
    if walk.sses[0] < walk.sses[1] * (1 - _SAME):
        walk.sses[1] = walk.sses[0]
        for place in range(walk.n_stale[0]):
            record = walk.stale[place]
            walk.best[record], walk.is_stale[record] = draft.labels[record], False
        walk.n_stale[0] = 0


@kernel
def _remember(walk: Walk) -> None:
    """Remember the groups that a trial has changed."""
    draft, met = walk.draft, walk.met
    for place in range(draft.counts[SAVED]):
        group = draft.saved[place]
        size, mark = draft.sizes[group], 0
        for i in range(size):
            mark ^= met.record_marks[draft.members[group, i]]
        slot = mark & (len(met.slots) - 1)
        if size == 0 or met.slots[slot] == mark:
            continue
        met.slots[slot] = mark
        at = met.n_met[0] % len(met.sizes)
        met.n_met[0] += 1
        met.sizes[at], met.sses[at], met.marks[at] = size, draft.sses[group], mark
        for i in range(size):
            met.members[at, i] = draft.members[group, i]


@kernel
def _rebuild(draft: Draft, k: int, rng: Generator, chosen: IntArray, pool: IntArray, distances: FloatArray) -> None:
    """Rebuild a random record's group and some near it around random seeds: nearest to a seed first, k to each.

    Parameters
    ----------
    chosen, pool, distances
        OUT: room for the groups, their records, and the squared distances of these from the seeds.
    """
    n, largest = len(draft.labels), draft.members.shape[1]
    record = int(rng.random() * n)
    wanted = _FEWEST + int(rng.random() * (_MOST - _FEWEST + 1))
    draft.counts[STAMP] += 1
    draft.stamps[draft.labels[record]] = draft.counts[STAMP]
    chosen[0], n_groups, place = draft.labels[record], 1, 0
    while n_groups < wanted and place < draft.near.shape[1]:
        group = draft.labels[draft.near[record, place]]
        place += 1
        if draft.stamps[group] != draft.counts[STAMP] and rng.random() >= _PASSED:
            draft.stamps[group] = draft.counts[STAMP]
            chosen[n_groups] = group
            n_groups += 1
    count = np.int64(0)  # 0 is a type of its own: what is called with it would be compiled twice
    for c in range(n_groups):
        save(draft, chosen[c])
        for i in range(draft.sizes[chosen[c]]):
            pool[count] = draft.members[chosen[c], i]
            count += 1
    n_seeds, draw = n_groups, rng.random()
    if draw < _FEWER:
        if (n_groups - 1) * largest >= count:
            n_seeds -= 1
    elif draw < _FEWER + _MORE and (n_groups + 1) * k <= count:
        n_seeds += 1
        chosen[n_groups] = new_group(draft)  # before the others are emptied: it must be none of them
    for c in range(n_groups):
        draft.sizes[chosen[c]] = 0
    if n_seeds < n_groups:
        set_free(draft, chosen[n_seeds])
    for c in range(n_seeds):
        i = c + int(rng.random() * (count - c))
        pool[c], pool[i] = pool[i], pool[c]
        put_in(draft, pool[c], chosen[c])
    for c in range(n_seeds):
        for i in range(n_seeds, count):
            distances[c, i] = squared_distance(draft.X, pool[c], draft.X, pool[i])
    _fill_up(draft, k, chosen, n_seeds, pool, int(count), distances)


@kernel
def _fill_up(
    draft: Draft, k: int, chosen: IntArray, n_seeds: int, pool: IntArray, count: int, distances: FloatArray
) -> None:
    """Give each seed k records, the nearest pair of seed and record first, and the rest to where they cost least."""
    largest, left = draft.members.shape[1], n_seeds
    for _ in range(n_seeds * (k - 1)):
        least, seed, at = np.inf, -1, -1
        for c in range(n_seeds):
            if draft.sizes[chosen[c]] < k:
                for i in range(left, count):
                    if distances[c, i] < least or seed < 0:
                        least, seed, at = distances[c, i], c, i
        put_in(draft, pool[at], chosen[seed])
        pool[at] = pool[left]  # the place of one that has a group is taken by the first of those left
        for c in range(n_seeds):
            distances[c, at] = distances[c, left]
        left += 1
    for c in range(n_seeds):
        measure(draft, chosen[c])
        queue(draft, chosen[c])
    for i in range(left, count):
        least, target = np.inf, -1
        for c in range(n_seeds):
            size = draft.sizes[chosen[c]]
            if size < largest:
                cost = squared_distance(draft.X, pool[i], draft.centroids, chosen[c]) * size / (size + 1)
                if cost < least or target < 0:
                    least, target = cost, chosen[c]
        put_in(draft, pool[i], target)
        measure(draft, target)
