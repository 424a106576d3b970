"""Must-link sets of rules on pairs."""

from lp_cases import columns_of, every_group, no_records, random_problem
from microagg.lp.pair_rules import PairRule, must_link_partners, must_link_sets


def test_records_that_are_together_make_must_link_sets() -> None:
    rules = [PairRule(0, 1, True), PairRule(3, 4, True), PairRule(5, 1, True), PairRule(2, 6, False)]
    sets = must_link_sets(8, rules)
    assert [linked.tolist() for linked in sets] == [[0, 1, 5], [3, 4]]
    partners = [{partner for partner in row if partner >= 0} for row in must_link_partners(8, sets).tolist()]
    assert partners == [{1, 5}, {0, 5}, set(), {4}, {3}, {0, 1}, set(), set()]
    assert must_link_sets(8, rules[3:]) == []


def test_columns_obey_rules_with_both_records_or_neither_and_not_with_both() -> None:
    groups = every_group(6, 2)
    columns = columns_of(random_problem(0, 6, 2), groups)
    for together in (True, False):
        rule = PairRule(1, 4, together)
        expected = [group in every_group(6, 2, [rule]) for group in groups]
        assert columns.allowed_by(rule).tolist() == expected
        assert columns.select(no_records()).allowed_by(rule).tolist() == []
