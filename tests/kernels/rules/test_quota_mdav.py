"""MDAV whose groups grow until they satisfy the rules."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import naive
import naive_rules
from microagg.constrain.rule_encoding import quotas, rule_arrays
from microagg.kernels.rules.quota_mdav import group_with_quotas
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.group_rules import Closeness, DistinctUnits, DistinctValues, GroupRules
from rule_strategies import rules_about


def _grouped(X: FloatArray, rules: GroupRules, k: int) -> IntArray:
    return group_with_quotas(X, quotas(rules, len(X), k), rule_arrays(rules, len(X), k))


@given(st.data())
def test_groups_are_legal(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 20))
    k = data.draw(st.integers(1, min(3, n)))
    X = np.random.default_rng(data.draw(st.integers(0, 99))).normal(size=(n, 2))
    rules = GroupRules(tuple(data.draw(st.lists(rules_about(n), max_size=3))))
    labels = _grouped(X, rules, k)
    for label, group in zip(sorted(set(labels.tolist())), naive_rules.groups_of(labels.tolist()), strict=True):
        assert label < 0 or naive_rules.is_legal(group, k, rules.rules)


def test_without_rules_it_is_mdav() -> None:
    X = np.random.default_rng(1).normal(size=(24, 2))
    labels = _grouped(X, GroupRules(), 4)
    assert naive_rules.groups_of(labels.tolist()) == naive_rules.groups_of(naive.mdav(X, 4).tolist())


def test_a_group_takes_the_nearest_records_of_other_units() -> None:
    x = np.array([0.0, 0.1, 0.2, 1.0, 1.1, 2.0, 50.0, 50.1, 50.2, 51.0, 51.1, 52.0])
    units = np.array([0, 0, 0, 1, 1, 2] * 2)
    labels = _grouped(x[:, None], GroupRules((DistinctUnits(units, 3),)), 3)
    assert labels.tolist() == [1, -1, -1, 1, -1, 1, -1, -1, 0, -1, 0, 0]


def test_only_as_many_values_as_are_asked_for_are_sought_far_away() -> None:
    x = np.array([0.0, 1.0, 2.0, 3.0, 9.0, 10.0])
    codes = np.array([0, 0, 0, 0, 1, 2])
    labels = _grouped(x[:, None], GroupRules((DistinctValues("x", codes, 2),)), 3)
    assert labels.tolist() == [-1, -1, -1, 0, 0, 0]


def test_one_record_of_each_quantile_is_close_enough() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 2))
    rule = Closeness.to_all("x", rng.permutation(200), 0.1, ordered=True)
    needed = quotas(GroupRules((rule,)), 200, 3)
    assert needed.size == 5  # 200/(2·199·0.1 + 1) = 4.9
    labels = _grouped(X, GroupRules((rule,)), 3)
    assert (np.bincount(labels + 1)[1:] == 5).all()
