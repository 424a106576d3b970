"""The check of a group by kernels."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import naive_rules
from microagg.constrain.rule_encoding import rule_arrays
from microagg.kernels.jit import kernel
from microagg.kernels.rules.rule_arrays import RuleArrays, is_legal
from microagg.model.arrays import IntArray
from microagg.model.group_rules import GroupRules
from rule_strategies import rules_about


@kernel
def _compiled_is_legal(rules: RuleArrays, records: IntArray, size: int) -> bool:
    """Check a group, as compiled kernels do."""
    return is_legal(rules, records, size)


@given(st.data())
def test_kernels_find_legal_what_the_rules_say(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 12))
    rules = GroupRules(tuple(data.draw(st.lists(rules_about(n), max_size=3))))
    k = data.draw(st.integers(1, 3))
    arrays = rule_arrays(rules, n, k)
    for _ in range(3):  # scratch is left clean
        members = data.draw(st.lists(st.integers(0, n - 1), min_size=1, unique=True))
        legal = naive_rules.is_legal(members, k, rules.rules)
        records = np.array([*members, 0])
        assert _compiled_is_legal(arrays, records, len(members)) == legal
        assert not arrays.counts.any()
        assert not arrays.contributions.any()


def test_many_records_are_sorted() -> None:
    from microagg.kernels.rules.rule_arrays import _sort

    values = np.random.default_rng(0).integers(0, 50, 200)
    expected = np.sort(values)
    _sort(values, 200)
    assert values.tolist() == expected.tolist()
