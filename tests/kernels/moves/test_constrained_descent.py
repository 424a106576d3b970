"""Descent and regrouping with rules kept."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import naive_rules
from member_list_checks import check_consistency
from microagg.constrain.rule_encoding import quotas, rule_arrays
from microagg.kernels.moves.constrained_descent import Visits, descend_with_rules, near_groups
from microagg.kernels.moves.regrouping import new_regrouping, regroup
from microagg.kernels.rules.member_lists import MemberLists, member_lists, total_sse
from microagg.kernels.rules.rule_merging import merge_illegal_groups
from microagg.model.arrays import FloatArray
from microagg.model.group_rules import GroupRules
from rule_strategies import rules_about


def _legal_start(data: st.DataObject) -> tuple[MemberLists, GroupRules, int]:
    """Draw groups that are legal unless not even all records together are."""
    n = data.draw(st.integers(2, 12))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    X = rng.normal(size=(n, 2)) if data.draw(st.booleans()) else rng.integers(0, 3, (n, 2)).astype(np.float64)
    cells = rng.choice([0.0, 1.0, 2.5], size=(n, 2), p=[0.1, 0.6, 0.3])
    rules = GroupRules(tuple(data.draw(st.lists(rules_about(n), max_size=2))))
    k = data.draw(st.integers(1, 2))
    groups = member_lists(X, cells, rng.integers(0, n, n), n)
    listed = [np.flatnonzero(groups.labels == group).tolist() for group in range(n)]
    is_illegal = np.array([bool(group) and not naive_rules.is_legal(group, k, rules.rules) for group in listed])
    merge_illegal_groups(groups, rule_arrays(rules, n, k), is_illegal)
    return groups, rules, k


def _all_legal(groups: MemberLists, rules: GroupRules, k: int) -> bool:
    listed = naive_rules.groups_of(groups.labels.tolist())
    return all(naive_rules.is_legal(group, k, rules.rules) for group in listed)


def _visits(groups: MemberLists) -> Visits:
    n = len(groups.labels)
    near = np.tile(np.arange(len(groups.sizes)), (n, 1))
    return Visits(near, np.full(n, -1), np.zeros(len(groups.sizes), dtype=np.int64), np.zeros(1, dtype=np.int64))


@given(st.data())
def test_descent_ends_where_no_legal_move_or_swap_gains(data: st.DataObject) -> None:
    groups, rules, k = _legal_start(data)
    before = total_sse(groups)
    was_legal = _all_legal(groups, rules, k)
    descend_with_rules(groups, rule_arrays(rules, len(groups.labels), k), _visits(groups))
    check_consistency(groups)
    assert total_sse(groups) <= before * (1 + 1e-12)
    if not was_legal:
        return
    assert _all_legal(groups, rules, k)
    rounding = 1e-8 * (1 + before)
    assert _best_change(groups, rules, k) >= total_sse(groups) - rounding


def _best_change(groups: MemberLists, rules: GroupRules, k: int) -> float:
    """Return the least sse after a move of one record to another group, or a swap of two, that keeps the rules."""
    listed = naive_rules.groups_of(groups.labels.tolist())
    best = total_sse(groups)
    for a, first in enumerate(listed):
        for b, second in enumerate(listed):
            if a == b:
                continue
            for record in first:
                for other in [None, *second]:
                    less = [one for one in first if one != record] + ([] if other is None else [other])
                    more = [one for one in second if one != other] + [record]
                    if naive_rules.is_legal(less, k, rules.rules) and naive_rules.is_legal(more, k, rules.rules):
                        change = _sse(groups, less) + _sse(groups, more) - _sse(groups, first) - _sse(groups, second)
                        best = min(best, total_sse(groups) + change)
    return best


def _sse(groups: MemberLists, members: list[int]) -> float:
    return naive_rules.sse(groups.cells, groups.X, members)


@given(st.data())
def test_regrouping_keeps_the_rules_and_never_loses(data: st.DataObject) -> None:
    groups, rules, k = _legal_start(data)
    n = len(groups.labels)
    before = total_sse(groups)
    was_legal = _all_legal(groups, rules, k)
    regrouping = new_regrouping(groups.X, quotas(rules, n, k), len(groups.sizes))
    every = np.arange(n)
    regroup(groups, rule_arrays(rules, n, k), regrouping, _visits(groups).near, every, every)
    check_consistency(groups)
    assert total_sse(groups) <= before * (1 + 1e-12)
    assert not was_legal or _all_legal(groups, rules, k)
    assert not regrouping.trial.is_touched.any()


def test_groups_are_split_dissolved_and_formed_anew() -> None:
    def regrouped(x: list[float], labels: list[int]) -> list[list[int]]:
        X = np.array(x)[:, None]
        groups = member_lists(X, np.ones_like(X), np.array(labels), len(x) // 2)
        none = GroupRules()
        regrouping = new_regrouping(X, quotas(none, len(x), 2), len(groups.sizes))
        every = np.flatnonzero(groups.sizes)
        regroup(groups, rule_arrays(none, len(x), 2), regrouping, _visits(groups).near, every, np.arange(len(x)))
        return naive_rules.groups_of(groups.labels.tolist())

    assert sorted(regrouped([0.0, 0.1, 9.0, 9.1], [0, 0, 0, 0])) == [[0, 1], [2, 3]]
    assert sorted(regrouped([0.0, 100.0, 0.1, 0.2, 100.1, 100.2], [0, 0, 1, 1, 2, 2])) == [[0, 2, 3], [1, 4, 5]]
    assert sorted(regrouped([0.0, 0.1, 50.0, 0.2, 0.3, 50.1], [0, 0, 0, 1, 1, 1])) == [[0, 1], [2, 5], [3, 4]]


def test_near_groups_are_the_nearest_centroids() -> None:
    rng = np.random.default_rng(3)
    points: FloatArray = rng.normal(size=(30, 3))
    centroids: FloatArray = rng.normal(size=(12, 3))
    squares = np.square(points[:, None] - centroids).sum(axis=2)
    assert near_groups(points, centroids, 5).tolist() == np.argsort(squares, axis=1, kind="stable")[:, :5].tolist()
    assert near_groups(points, centroids[:2], 5).shape == (30, 2)
