"""Ruin and recreate: rebuild a few neighbouring groups at random, descend, and accept the result or undo it.

Each trial costs its neighbourhood, never the whole.

References
----------
Schrimpf, Schneider, Stamm-Wilbrandt & Dueck (2000), Record breaking optimization results using the ruin and recreate
principle, Journal of Computational Physics 159(2). Kirkpatrick, Gelatt & Vecchi (1983), Optimization by simulated
annealing, Science 220: acceptance.
"""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.jit import inlined_kernel, kernel
from microagg.kernels.moves.local_descent import NO_LIMIT, descend
from microagg.kernels.moves.working_partition import (
    LAST_STAMP,
    N_SAVED,
    WorkingPartition,
    begin_trial,
    enqueue,
    new_group,
    put_in,
    save,
    set_free,
    total_sse,
    trial_change,
    undo_trial,
    update,
    working_partition,
)
from microagg.kernels.record_weights import mass_of, weight_of
from microagg.model.arrays import BoolArray, FloatArray, IntArray

_MIN_REBUILT, _MAX_REBUILT = 2, 5  # groups that are rebuilt together
_SKIP_PROBABILITY = 0.5  # of passing over a neighbouring group: which of equally near groups comes first is chance
_FEWER_PROBABILITY = 0.25  # of rebuilding into one group less
_MORE_PROBABILITY = 0.25  # of rebuilding into one group more
_MEMORY_FROM = 0.5  # share of the trials after which groups are remembered: earlier ones are worse
_RELATIVE_ROUNDING = 1e-12  # of the squares: a smaller change may be a rounding error


class GroupMemory(NamedTuple):
    """Groups that were met, the latest ones, each once as a rule."""

    members: IntArray  # (any number, 2k − 1)
    sizes: IntArray  # (any number,)
    sses: FloatArray  # (any number,)
    hashes: IntArray  # (any number,) equal for equal groups
    record_hashes: IntArray  # (n,) the hash of a group is the exclusive or of these
    recent: IntArray  # (a power of two,) hashes met last
    n_met: IntArray  # (1,)


class Scratch(NamedTuple):
    """Memory that trials use while they rebuild groups."""

    groups: IntArray  # (_MAX_REBUILT + 1,) groups that are rebuilt
    records: IntArray  # (_MAX_REBUILT·(2k − 1),) their records, the seeds first
    distances: FloatArray  # (_MAX_REBUILT + 1, _MAX_REBUILT·(2k − 1)) squared, of each seed from each record


class AnnealingState(NamedTuple):
    """State of one search: the current partition, the best one, and the groups met."""

    work: WorkingPartition
    best: IntArray  # (n,) labels
    stale: IntArray  # (n,) stack of records whose label may differ from the best one
    is_stale: BoolArray  # (n,)
    n_stale: IntArray  # (1,)
    sses: FloatArray  # (2,) current and best
    memory: GroupMemory
    scratch: Scratch


class TrialRange(NamedTuple):
    """Trials first … last − 1 of an annealing run."""

    first: int  # trial
    last: int  # end: the trials are first … last − 1
    length: int  # of the whole schedule
    temperature: float  # at trial 0, as a share of the mean loss of a record; it falls linearly to 0
    first_record: int  # each trial rebuilds the group of one of these records, and some near it
    end_record: int  # end: the records are first_record … end_record − 1


def start_annealing(
    X: FloatArray,
    neighbours: IntArray,
    labels: IntArray,
    k: int,
    memory_size: int = 1,
    weights: FloatArray | None = None,
) -> AnnealingState:
    """Return a search that begins with legal groups; `descend_from_start` must follow.

    Parameters
    ----------
    neighbours
        Neighbour list of each record, of shape (n, any number).
    memory_size
        Number of groups to remember.
    weights
        Weight of each record, of shape (n,); None: every record weighs 1.
    """
    n = len(X)
    work = working_partition(X, neighbours, labels, k, weights)
    memory = GroupMemory(
        members=np.empty((memory_size, 2 * k - 1), dtype=np.int64),
        sizes=np.empty(memory_size, dtype=np.int64),
        sses=np.empty(memory_size),
        hashes=np.empty(memory_size, dtype=np.int64),
        record_hashes=np.random.default_rng(0).integers(1, 2**63 - 1, size=n),
        recent=np.zeros(2 ** int(np.ceil(np.log2(2 * memory_size))), dtype=np.int64),
        n_met=np.zeros(1, dtype=np.int64),
    )
    max_records = _MAX_REBUILT * (2 * k - 1)
    scratch = Scratch(
        groups=np.empty(_MAX_REBUILT + 1, dtype=np.int64),
        records=np.empty(max_records, dtype=np.int64),
        distances=np.empty((_MAX_REBUILT + 1, max_records)),
    )
    return AnnealingState(
        work=work,
        best=work.labels.copy(),
        stale=np.empty(n, dtype=np.int64),
        is_stale=np.zeros(n, dtype=np.bool_),
        n_stale=np.zeros(1, dtype=np.int64),
        sses=np.full(2, total_sse(work)),
        memory=memory,
        scratch=scratch,
    )


def descend_from_start(state: AnnealingState, k: int, max_visits: int = NO_LIMIT) -> bool:
    """Descend from the groups that `start_annealing` has queued; return whether the descent has come to its end.

    By way of `run_trials`: a kernel for the descent alone would be compiled besides.
    """
    no_trials = TrialRange(0, 0, 1, 0.0, 0, 0)
    finished = run_trials(state, k, np.random.default_rng(0), no_trials, False, max_visits)
    state.best[:] = state.work.labels
    state.sses[:] = total_sse(state.work)
    return finished


@kernel
def run_trials(
    state: AnnealingState, k: int, rng: Generator, trials: TrialRange, regroup: bool, max_visits: int
) -> bool:
    """Descend from queued groups, then make trials: rebuild some groups, descend, and accept the result or undo it.

    A trial that loses is accepted with probability exp(−loss/temperature); the unit of the temperature is the mean loss
    of a record in the groups that the trial has changed. O(neighbourhood) for each trial.

    Parameters
    ----------
    state
        IN/OUT: the state of the search.
    regroup
        Whether the descents of trials dissolve and extract groups; the first descent always does.
    max_visits
        Of groups in the first descent.

    Returns
    -------
    bool
        Whether the first descent came to its end; else no trial was made.
    """
    work = state.work
    if not descend(work, k, True, max_visits):
        return False
    for trial in range(trials.first, trials.last):
        begin_trial(work)
        record = trials.first_record + int(rng.random() * (trials.end_record - trials.first_record))
        _rebuild(work, k, rng, state.scratch, record)
        descend(work, k, regroup, NO_LIMIT)
        change, before = trial_change(work)
        if abs(change) > _RELATIVE_ROUNDING * before + work.noise:
            share = trials.temperature * (1 - trial / trials.length)
            temperature = share * before / (work.counts[N_SAVED] * k)
            if change > 0 and not rng.random() < np.exp(-change / temperature):
                undo_trial(work)
                continue
            if trial >= _MEMORY_FROM * trials.length:
                _remember(state)
        _accept(state, change)
    return True


@inlined_kernel
def _accept(state: AnnealingState, change: float) -> None:
    """Accept a trial; where it is the best so far, copy the labels that have changed since the last best."""
    work = state.work
    state.sses[0] += change
    for entry in range(work.counts[N_SAVED]):
        group = work.saved[entry]
        for slot in range(work.sizes[group]):
            record = work.members[group, slot]
            if not state.is_stale[record]:
                state.is_stale[record] = True
                state.stale[state.n_stale[0]] = record
                state.n_stale[0] += 1
    if state.sses[0] < state.sses[1] * (1 - _RELATIVE_ROUNDING):
        state.sses[1] = state.sses[0]
        for i in range(state.n_stale[0]):
            record = state.stale[i]
            state.best[record] = work.labels[record]
            state.is_stale[record] = False
        state.n_stale[0] = 0


@inlined_kernel
def _remember(state: AnnealingState) -> None:
    """Remember the groups that a trial has changed."""
    work = state.work
    memory = state.memory
    for entry in range(work.counts[N_SAVED]):
        group = work.saved[entry]
        size = work.sizes[group]
        group_hash = 0
        for slot in range(size):
            group_hash ^= memory.record_hashes[work.members[group, slot]]
        bucket = group_hash & (len(memory.recent) - 1)
        if size == 0 or memory.recent[bucket] == group_hash:
            continue
        memory.recent[bucket] = group_hash
        at = memory.n_met[0] % len(memory.sizes)
        memory.n_met[0] += 1
        memory.sizes[at] = size
        memory.sses[at] = work.sses[group]
        memory.hashes[at] = group_hash
        for slot in range(size):
            memory.members[at, slot] = work.members[group, slot]


@inlined_kernel
def _rebuild(work: WorkingPartition, k: int, rng: Generator, scratch: Scratch, record: int) -> None:
    """Rebuild a record's group and some near it around random seeds: nearest to a seed first, k to each."""
    groups = scratch.groups
    records = scratch.records
    n_groups = _choose_groups(work, rng, record, groups)
    n_records = _collect_records(work, groups, n_groups, records)
    n_seeds = n_groups
    draw = rng.random()
    if draw < _FEWER_PROBABILITY:
        if (n_groups - 1) * work.members.shape[1] >= n_records:
            n_seeds -= 1
    elif draw < _FEWER_PROBABILITY + _MORE_PROBABILITY and (n_groups + 1) * k <= n_records:
        n_seeds += 1
        groups[n_groups] = new_group(work)  # before the others are emptied: it must be none of them
    for i in range(n_groups):
        work.sizes[groups[i]] = 0
    if n_seeds < n_groups:
        set_free(work, groups[n_seeds])
    for seed in range(n_seeds):
        i = seed + int(rng.random() * (n_records - seed))
        record = records[i]
        records[i] = records[seed]
        records[seed] = record
        put_in(work, record, groups[seed])
    for seed in range(n_seeds):
        for i in range(n_seeds, n_records):
            scratch.distances[seed, i] = squared_distance(work.X, records[seed], work.X, records[i])
    n_placed = _fill_to_k(work, k, scratch, n_seeds, n_records)
    _place_rest(work, scratch, n_seeds, n_placed, n_records)


@inlined_kernel
def _choose_groups(work: WorkingPartition, rng: Generator, record: int, groups: IntArray) -> int:
    """Choose a record's group and some of its neighbours' (OUT); return how many."""
    wanted = _MIN_REBUILT + int(rng.random() * (_MAX_REBUILT - _MIN_REBUILT + 1))
    work.counts[LAST_STAMP] += 1
    stamp = work.counts[LAST_STAMP]
    work.stamps[work.labels[record]] = stamp
    groups[0] = work.labels[record]
    n_groups = 1
    i = 0
    while n_groups < wanted and i < work.neighbours.shape[1]:
        group = work.labels[work.neighbours[record, i]]
        i += 1
        if work.stamps[group] != stamp and rng.random() >= _SKIP_PROBABILITY:
            work.stamps[group] = stamp
            groups[n_groups] = group
            n_groups += 1
    return n_groups


@inlined_kernel
def _collect_records(work: WorkingPartition, groups: IntArray, n_groups: int, records: IntArray) -> int:
    """Save the groups, and list their records (OUT); return how many."""
    n_records = 0
    for i in range(n_groups):
        save(work, groups[i])
        for slot in range(work.sizes[groups[i]]):
            records[n_records] = work.members[groups[i], slot]
            n_records += 1
    return n_records


@inlined_kernel
def _fill_to_k(work: WorkingPartition, k: int, scratch: Scratch, n_seeds: int, n_records: int) -> int:
    """Give each seed k − 1 more records, the nearest pair of seed and record first; return how many are placed."""
    groups = scratch.groups
    records = scratch.records
    distances = scratch.distances
    n_placed = n_seeds
    for _ in range(n_seeds * (k - 1)):
        least = np.inf
        nearest_seed = -1
        nearest = -1
        for seed in range(n_seeds):
            if work.sizes[groups[seed]] < k:
                for i in range(n_placed, n_records):
                    if distances[seed, i] < least or nearest_seed < 0:
                        least = distances[seed, i]
                        nearest_seed = seed
                        nearest = i
        put_in(work, records[nearest], groups[nearest_seed])
        records[nearest] = records[n_placed]  # the first of the unplaced takes the place of the placed one
        for seed in range(n_seeds):
            distances[seed, nearest] = distances[seed, n_placed]
        n_placed += 1
    for seed in range(n_seeds):
        update(work, groups[seed])
        enqueue(work, groups[seed])
    return n_placed


@inlined_kernel
def _place_rest(work: WorkingPartition, scratch: Scratch, n_seeds: int, n_placed: int, n_records: int) -> None:
    """Put each unplaced record into the group where it costs least."""
    groups = scratch.groups
    records = scratch.records
    max_size = work.members.shape[1]
    for i in range(n_placed, n_records):
        weight = weight_of(work.weights, records[i])
        least = np.inf
        target = -1
        for seed in range(n_seeds):
            group = groups[seed]
            if work.sizes[group] < max_size:
                mass = mass_of(work.masses, work.sizes, group)
                squares = squared_distance(work.X, records[i], work.centroids, group)
                cost = weight * squares * mass / (mass + weight)
                if cost < least or target < 0:
                    least = cost
                    target = group
        put_in(work, records[i], target)
        update(work, target)
