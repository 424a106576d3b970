"""Rules that groups must satisfy: what they say of groups, at the edges of each limit."""

import pickle
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

import naive_rules
from microagg import InputError
from microagg.model.group_rule import GroupRule
from microagg.model.group_rules import (
    Closeness,
    DistinctUnits,
    DistinctValues,
    Dominance,
    EntropyDiversity,
    GroupRules,
    PPercent,
    PresentCells,
)
from rule_strategies import rules_about

CODES = np.array([7, 7, 3, 3, 5])
SECRET = np.array([4711.5, 815.25, -1234.75, 0.0, 99.5])
RULES: list[GroupRule] = [
    DistinctUnits(CODES, 2),
    DistinctValues("x", CODES, 2),
    EntropyDiversity("x", CODES, 1.5),
    Closeness.to_all("x", CODES, 0.25, ordered=True),
    Closeness.to_all("x", CODES, 0.25, ordered=False),
    Dominance("x", SECRET, 1, 0.75),
    PPercent("x", SECRET, 10),
    DistinctValues("x", np.array([7, -1, 3, -1, 3]), 2),
    EntropyDiversity("x", np.array([7, -1, 3, -1, 3]), 1.5),
    Dominance("x", SECRET, 1, 0.75, CODES),
    PPercent("x", SECRET, 10, CODES),
    PresentCells(np.eye(5, dtype=np.bool_), 2),
]
each = pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)


def _all_together(rule: GroupRule) -> bool:
    return not rule.violated(np.zeros(rule.n_records, dtype=np.int64))[0]


@given(st.data())
def test_rules_say_what_their_definitions_say(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 12))
    rule = data.draw(rules_about(n))
    n_groups = data.draw(st.integers(1, n))
    labels = np.array(
        [
            *range(n_groups),
            *data.draw(st.lists(st.integers(0, n_groups - 1), min_size=n - n_groups, max_size=n - n_groups)),
        ]
    )
    expected = [not naive_rules.satisfies(rule, group) for group in naive_rules.groups_of(labels.tolist())]
    assert rule.violated(labels).tolist() == expected
    assert GroupRules((rule,)).violated(labels).tolist() == expected


@given(st.data())
def test_the_union_of_groups_that_satisfy_a_rule_satisfies_it(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 10))
    rule = data.draw(rules_about(n))
    size = data.draw(st.integers(1, n - 1))
    if naive_rules.satisfies(rule, range(size)) and naive_rules.satisfies(rule, range(size, n)):
        assert naive_rules.satisfies(rule, range(n))


@pytest.mark.parametrize(
    ("at_limit", "beyond"),
    [
        (DistinctUnits(CODES, 3), DistinctUnits(CODES, 4)),
        (DistinctValues("x", CODES, 3), DistinctValues("x", CODES, 4)),
        (EntropyDiversity("x", np.array([1, 2, 3]), 3.0), EntropyDiversity("x", np.array([1, 2, 3]), 3.0 + 1e-9)),
        (Dominance("x", np.array([8.0, 1.0, 1.0]), 1, 0.8), Dominance("x", np.array([8.0, 1.0, 1.0]), 1, 0.8 - 1e-9)),
        (Dominance("x", np.array([6.0, -3.0, 1.0]), 2, 0.9), Dominance("x", np.array([6.0, -3.0, 1.0]), 2, 0.9 - 1e-9)),
        (PPercent("x", np.array([10.0, 5.0, 1.0]), 10), PPercent("x", np.array([10.0, 5.0, 1.0]), 10 + 1e-9)),
        (PPercent("x", np.array([-10.0, 5.0, 1.0]), 10), PPercent("x", np.array([-10.0, 5.0, 1.0]), 10 + 1e-9)),
        (PresentCells(np.array([[0], [0], [1]]), 2), PresentCells(np.array([[0], [0], [1]]), 3)),
        (
            Closeness("x", np.array([0, 0, 2]), 1 / 6, np.array([1, 1, 1]), ordered=True),
            Closeness("x", np.array([0, 0, 2]), 1 / 6 - 1e-9, np.array([1, 1, 1]), ordered=True),
        ),
        (
            Closeness("x", np.array([0, 0, 1]), 1 / 3, np.array([1, 1, 1]), ordered=True),
            Closeness("x", np.array([0, 0, 1]), 1 / 3 - 1e-9, np.array([1, 1, 1]), ordered=True),
        ),
        (
            Closeness("x", np.array([0, 0, 1]), 1 / 3, np.array([1, 1, 1]), ordered=False),
            Closeness("x", np.array([0, 0, 1]), 1 / 3 - 1e-9, np.array([1, 1, 1]), ordered=False),
        ),
    ],
)
def test_a_limit_that_is_just_reached_is_reached(at_limit: GroupRule, beyond: GroupRule) -> None:
    assert _all_together(at_limit)
    assert not _all_together(beyond)


def test_missing_values_make_no_group_more_diverse() -> None:
    codes = np.array([1, 1, 1, -1, -1, -1, 1, 2, -1])
    labels = np.repeat([0, 1, 2], [4, 2, 3])
    assert DistinctValues("x", codes, 2).reached(labels).tolist() == [1.0, 0.0, 2.0]
    assert EntropyDiversity("x", codes, 1.5).reached(labels) == pytest.approx([1.0, 0.0, 2.0])
    assert DistinctValues("x", codes, 2).violated(labels).tolist() == [True, True, False]


def test_the_records_of_a_unit_are_one_contributor() -> None:
    amounts = np.array([300.0, -300.0, 300.0, 100.0])
    assert _all_together(Dominance("x", amounts, 1, 0.3))
    assert not _all_together(Dominance("x", amounts, 1, 0.89, np.array([5, 5, 5, 7])))
    assert _all_together(Dominance("x", amounts, 1, 0.9, np.array([5, 5, 5, 7])))
    assert not _all_together(PPercent("x", amounts, 1, np.array([5, 5, 5, 7])))
    assert _all_together(PPercent("x", amounts, 16, np.array([5, 5, 6, 7])))


def test_a_total_of_zero_has_no_dominant_contributor() -> None:
    assert _all_together(Dominance("x", np.zeros(2), 1, 0.5))
    assert _all_together(PPercent("x", np.zeros(2), 50))


def test_amounts_of_any_magnitude_can_be_compared() -> None:
    for scale in (1e-300, 1e300):
        assert _all_together(Dominance("x", scale * np.array([8.0, 1.0, 1.0]), 1, 0.8))
        assert not _all_together(PPercent("x", scale * np.array([8.0, 1.0, 0.1]), 2))


def test_a_column_without_any_value_in_a_group_reveals_nothing() -> None:
    missing = np.array([[True, False], [True, False], [False, False], [True, False]])
    labels = np.array([0, 0, 1, 1])
    assert PresentCells(missing, 2).violated(labels).tolist() == [False, True]


@pytest.mark.parametrize("ordered", [True, False])
def test_the_earth_movers_distance_is_the_cheapest_transport(ordered: bool) -> None:
    rng = np.random.default_rng(5)
    for _ in range(5):
        m = 4
        codes = np.array([*range(m), *rng.integers(0, m, 8)])
        rule = Closeness.to_all("x", codes, 0.5, ordered=ordered)
        labels = np.array([0, 1, 0, 1, *rng.integers(0, 2, 8)])
        steps = np.abs(np.subtract.outer(np.arange(m), np.arange(m)))
        costs = steps / (m - 1) if ordered else np.minimum(steps, 1)
        for group in range(2):
            source = np.bincount(codes[labels == group], minlength=m) / (labels == group).sum()
            target = np.bincount(codes, minlength=m) / len(codes)
            sums = [np.kron(np.eye(m), np.ones(m)), np.kron(np.ones(m), np.eye(m))]
            best = linprog(costs.ravel(), A_eq=np.vstack(sums), b_eq=np.concatenate([source, target]))
            assert rule.reached(labels)[group] == pytest.approx(best.fun)


@each
def test_a_part_judges_groups_as_the_whole_does(rule: GroupRule) -> None:
    whole = rule.violated(np.array([0, 1, 0, 1, 0]))
    assert rule.part(np.array([0, 2, 4])).violated(np.zeros(3, dtype=np.int64))[0] == whole[0]
    assert rule.part(np.array([0, 2, 4])).n_records == 3


@each
def test_rules_pickle_and_their_arrays_stay_read_only(rule: Any) -> None:
    labels = np.array([0, 1, 0, 1, 0])
    copy = pickle.loads(pickle.dumps(rule))
    assert copy.sentence == rule.sentence
    assert copy.violated(labels).tolist() == rule.violated(labels).tolist()
    for one in (rule, copy):
        arrays = [value for field in fields(one) if isinstance(value := getattr(one, field.name), np.ndarray)]
        assert arrays
        assert not any(array.flags.writeable for array in arrays)


@each
def test_no_original_value_is_shown(rule: GroupRule) -> None:
    text = repr(rule) + rule.sentence + rule.remedy
    assert not any(str(value) in text for value in (4711, 815, 1234))
    assert "array" not in text


def test_the_array_that_was_given_stays_as_it_is() -> None:
    amounts = np.array([-1.0, 2.0])
    Dominance("x", amounts, 1, 0.5)
    assert amounts.tolist() == [-1.0, 2.0]
    amounts[0] = 3.0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: DistinctUnits(np.array([0.5]), 2), "whole numbers"),
        (lambda: DistinctUnits(np.array([[1]]), 2), "of shape"),
        (lambda: DistinctUnits(CODES, 0), "k must be at least 1"),
        (lambda: DistinctValues("x", CODES, 1.5), "at_least must be a whole number"),  # type: ignore[arg-type]
        (lambda: EntropyDiversity("x", CODES, 0.5), "l must be at least 1"),
        (lambda: Closeness.to_all("x", CODES, 0.0, ordered=True), "t must be a positive number"),
        (lambda: Closeness("x", CODES, 0.1, np.array([1, 1]), ordered=True), "codes from 0 to 1"),
        (lambda: Closeness("x", CODES, 0.1, np.zeros(8, dtype=np.int64), ordered=True), "not all of them 0"),
        (lambda: Dominance("x", SECRET, 1, 80), "share must be below 1, such as 0.8 for 80 %"),
        (lambda: Dominance("x", np.array([np.nan]), 1, 0.8), "need finite numbers"),
        (lambda: PPercent("x", SECRET, 0), "p must be a positive number"),
        (lambda: PPercent("x", SECRET, 5, CODES[:3]), "a rule about 5 amounts needs the unit of each, found 3 units"),
        (lambda: Dominance("x", SECRET, 1, 0.5, SECRET), "needs units that are whole numbers"),
        (lambda: PresentCells(np.array([True]), 2), "mask of shape"),
        (lambda: GroupRules((DistinctUnits(CODES, 1), DistinctUnits(CODES[:3], 1))), "about 3 and 5"),
    ],
)
def test_what_cannot_be_a_rule_is_refused(make: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


def test_rules_together() -> None:
    rules = GroupRules(tuple(RULES))
    labels = np.array([0, 0, 1, 1, 1])
    assert rules
    assert not GroupRules()
    assert len(rules.first(2)) == 2
    assert rules.violated(labels).tolist() == [
        any(bool(rule.violated(labels)[group]) for rule in RULES) for group in range(2)
    ]
    assert [rule.n_records for rule in rules.part(np.array([1, 3])).rules] == [2] * len(RULES)


def test_sentences_name_the_limit() -> None:
    sentences: Sequence[str] = [rule.sentence for rule in RULES]
    assert sentences[0] == "at least 2 different units in each group"
    assert "75 %" in sentences[5]
    assert "the largest contributing unit" in sentences[9]
    assert len(set(sentences)) == len(RULES) - 3
