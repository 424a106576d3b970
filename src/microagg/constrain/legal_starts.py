"""Partitions that satisfy rules: by merging groups, or by growing groups that satisfy them."""

from itertools import pairwise

import numpy as np

from microagg.constrain.ruled_problem import RuledProblem
from microagg.control.stopping import StoppedError
from microagg.kernels.tick import Tick
from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.group_rules import GroupRules
from microagg.model.nearest_group import join_nearest


def merged(ruled: RuledProblem, labels: IntArray, tick: Tick) -> IntArray:
    """Merge groups that violate a rule with those that cost least; if the run ends, with any nearby, at once."""
    from microagg.kernels.rules.rule_merging import merge_illegal_groups

    try:
        groups = ruled.groups(labels)
        is_illegal = np.zeros(len(groups.sizes), dtype=np.bool_)
        is_illegal[: labels.max() + 1] = ruled.rules.violated(labels)
        merge_illegal_groups(groups, ruled.arrays, is_illegal, tick)
        return groups.labels
    except StoppedError:
        return merged_in_order(ruled.points, labels, ruled.rules)


def merged_in_order(points: FloatArray, labels: IntArray, rules: GroupRules) -> IntArray:
    """Merge groups that violate a rule with their neighbours along the column that varies most, until none does.

    Quick, and without any kernel: for runs that must end.
    """
    widest = int(np.ptp(points, axis=0).argmax())
    while rules.violated(labels := _compact(labels)).any() and labels.any():
        means = np.bincount(labels, weights=points[:, widest]) / np.bincount(labels)
        labels = _pairs_merged(np.argsort(means, kind="stable"), rules.violated(labels))[labels]
    return labels


def grown(ruled: RuledProblem, tick: Tick) -> IntArray | None:
    """Grow groups that satisfy the rules, and merge what does not yet; None if no group could be grown.

    Records that are left over join the nearest groups.
    """
    from microagg.kernels.rules.quota_mdav import group_with_quotas

    labels = group_with_quotas(ruled.points, ruled.quotas, ruled.arrays, tick)
    if labels.max() < 0:
        return None
    join_nearest(ruled.points, labels, np.flatnonzero(labels < 0))
    return merged(ruled, labels, tick)


def _compact(labels: IntArray) -> IntArray:
    """Return labels that number the groups from 0 without gaps."""
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _pairs_merged(order: IntArray, violated: BoolArray) -> IntArray:
    """Return the new number of each group: one that violates a rule gets that of the next in the order."""
    numbers = np.arange(len(order))
    for before, group in pairwise(order):
        if violated[before] and numbers[before] == before:
            numbers[group] = before
    last = order[-1]
    if violated[last] and numbers[last] == last:
        numbers[last] = numbers[order[-2]]
    return numbers
