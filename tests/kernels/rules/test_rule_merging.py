"""Groups merged until they satisfy the rules."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import naive_rules
from member_list_checks import check_consistency
from microagg import Partition, Problem
from microagg.constrain.rule_encoding import rule_arrays
from microagg.kernels.rules.member_lists import member_lists, total_sse
from microagg.kernels.rules.rule_merging import merge_illegal_groups
from microagg.model.group_rules import GroupRules
from rule_strategies import rules_about
from ticks import RecordedTicks


@given(st.data())
def test_merging_is_that_of_the_oracle(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 14))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    X = rng.normal(size=(n, 2))
    is_whole = data.draw(st.booleans())  # else groups without a column in common cost nothing to merge: there are ties
    cells = rng.choice([0.0, 1.0, 2.5], size=(n, 2), p=[0.0, 0.6, 0.4] if is_whole else [0.2, 0.5, 0.3])
    rules = GroupRules(tuple(data.draw(st.lists(rules_about(n), max_size=2))))
    labels = Partition(Problem(X, 1), rng.integers(0, n, n)).labels
    groups = member_lists(X, cells, labels, int(labels.max()) + 1)
    ticks = RecordedTicks()
    is_illegal = np.array(
        [not naive_rules.is_legal(group, 2, rules.rules) for group in naive_rules.groups_of(labels.tolist())]
    )
    merge_illegal_groups(groups, rule_arrays(rules, n, 2), is_illegal, ticks)
    merged = naive_rules.merge_illegal(cells, X, naive_rules.groups_of(labels.tolist()), 2, rules.rules)
    assert naive_rules.groups_of(groups.labels.tolist()) == sorted(merged) or not is_whole
    assert all(0 <= share <= 1 for share in ticks.shares)
    check_consistency(groups)
    expected = sum(naive_rules.sse(cells, X, group) for group in naive_rules.groups_of(groups.labels.tolist()))
    assert np.isclose(total_sse(groups), expected)
