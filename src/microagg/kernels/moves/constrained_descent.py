"""Descent with rules kept: records move to near groups, or swap with records of these, while the sse falls.

A change is made only if both groups satisfy the rules after it. What a record saves by leaving its group is kept; what
it costs to join one is computed in closed form: see `kernels/rules/member_lists.py`.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.record_blocks import Blocks, nearest, pack
from microagg.kernels.jit import inlined_kernel, kernel
from microagg.kernels.rules.member_lists import (
    NOBODY,
    MemberLists,
    gather,
    joining_cost,
    put_in,
    replacing_cost,
    take_out,
    update,
)
from microagg.kernels.rules.rule_arrays import RuleArrays, is_legal
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray, IntArray

_RELATIVE_ROUNDING = 1e-10  # of what leaving saves: a smaller gain may be a rounding error, and be made for ever


class Visits(NamedTuple):
    """When records were last visited, and groups last changed, by a clock that counts visits."""

    near: IntArray  # (n, any number) groups that are near each record
    visited: IntArray  # (n,) -1: never
    changed: IntArray  # (n_groups,)
    clock: IntArray  # (1,)


def near_groups(points: FloatArray, centroids: FloatArray, length: int, tick: Tick = no_tick) -> IntArray:
    """List the groups whose centroids are nearest to each record, by distance, then index: O(n·n_groups·d).

    Returns
    -------
    ndarray of shape (n, min(length, n_groups))
    """
    n, d = points.shape
    blocks = pack(centroids)
    lists = np.empty((n, min(length, len(centroids))), dtype=np.int64)
    step = steps_per_tick(len(centroids) * (d + 4))
    for first in range(0, n, step):
        tick(first / n)
        _fill_near(blocks, points, lists, first, min(first + step, n))
    return lists


@kernel
def _fill_near(blocks: Blocks, points: FloatArray, lists: IntArray, first: int, last: int) -> None:
    """Find the nearest groups of the records first … last − 1 (OUT)."""
    length = lists.shape[1]
    point = np.empty(points.shape[1])
    places = np.empty(length, dtype=np.int64)
    square_bits = np.empty(length, dtype=np.int64)
    for record in range(first, last):
        for column in range(points.shape[1]):
            point[column] = points[record, column]
        nearest(blocks, len(blocks.records), point, places, square_bits)
        for i in range(length):
            lists[record, i] = places[i]


def descend_with_rules(groups: MemberLists, rules: RuleArrays, visits: Visits, tick: Tick = no_tick) -> None:
    """Move and swap records (IN/OUT) until no change that keeps the rules lowers the sse."""
    n, d = groups.X.shape
    mean_size = n / max(1, np.count_nonzero(groups.sizes))
    step = steps_per_tick(visits.near.shape[1] * mean_size * (d + mean_size))
    first = 0
    start = int(visits.clock[0])
    while visits.clock[0] - max(start, int(visits.changed.max())) < n:
        tick()
        last = min(first + step, n)
        _visit_some(groups, rules, visits, first, last)
        first = last % n


@kernel
def _visit_some(groups: MemberLists, rules: RuleArrays, visits: Visits, first: int, last: int) -> None:
    """Visit the records first … last − 1 whose group, or near groups, have changed since their last visit."""
    near = visits.near
    changed = visits.changed
    labels = groups.labels
    for record in range(first, last):
        visits.clock[0] += 1
        newest = changed[labels[record]]
        for i in range(near.shape[1]):
            newest = max(newest, changed[near[record, i]])
        if newest > visits.visited[record]:
            visits.visited[record] = visits.clock[0] - 1  # a change at this visit is newer
            _improve(groups, rules, visits, record)


@inlined_kernel
def _improve(groups: MemberLists, rules: RuleArrays, visits: Visits, record: int) -> None:
    """Make the best legal change of one record: O(near·size·(d + rules·size))."""
    savings = groups.savings
    first = groups.first
    second = groups.second
    near = visits.near
    group = groups.labels[record]
    size = _gather_with_first(groups, group, record)
    saved = savings[record]
    best = 0.0
    partner = NOBODY
    target = NOBODY
    for i in range(near.shape[1]):
        other = near[record, i]
        if other == group or groups.sizes[other] == 0:
            continue
        other_size = gather(groups, other, second, 0)
        change = joining_cost(groups, record, other) - saved
        if size > rules.k and change < best - _RELATIVE_ROUNDING * saved - groups.noise:
            first[0] = first[size - 1]
            second[other_size] = record
            if is_legal(rules, first, size - 1) and is_legal(rules, second, other_size + 1):
                best = change
                partner = NOBODY
                target = other
            first[0] = record
        for j in range(other_size):
            candidate = second[j]
            both = saved + savings[candidate]
            limit = best - _RELATIVE_ROUNDING * both - groups.noise + both
            if limit <= 0.0:
                continue
            cost = replacing_cost(groups, candidate, record, group)
            if cost >= limit:
                continue
            cost += replacing_cost(groups, record, candidate, other)
            if cost >= limit:
                continue
            first[0] = candidate
            second[j] = record
            if is_legal(rules, first, size) and is_legal(rules, second, other_size):
                best = cost - both
                partner = candidate
                target = other
            first[0] = record
            second[j] = candidate
    if target == NOBODY:
        return
    take_out(groups, record)
    if partner != NOBODY:
        take_out(groups, partner)
        put_in(groups, partner, group)
    put_in(groups, record, target)
    update(groups, group)
    update(groups, target)
    visits.changed[group] = visits.clock[0]
    visits.changed[target] = visits.clock[0]


@inlined_kernel
def _gather_with_first(groups: MemberLists, group: int, record: int) -> int:
    """List the records of a group in `groups.first`, a given one first; return how many there are."""
    first = groups.first
    size = gather(groups, group, first, 0)
    for i in range(size):
        if first[i] == record:
            first[i] = first[0]
            first[0] = record
    return size
