"""Modes and sets of categories by group."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import naive_aggregates as naive
from microagg.aggregate.group_modes import group_modes, group_sets


@st.composite
def cases(draw: st.DrawFn) -> Any:
    """Draw labels, codes with −1 for missing ones, and weights or None."""
    n = draw(st.integers(1, 25))
    labels = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    codes = draw(st.lists(st.integers(-1, 3), min_size=n, max_size=n))
    weights = draw(st.none() | st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=n, max_size=n))
    return np.array(labels), np.array(codes), weights


@given(cases())
def test_modes_are_those_of_the_slow_way(case: Any) -> None:
    labels, codes, weights = case
    column = [None if code < 0 else code for code in codes.tolist()]
    modes = group_modes(labels, codes, None if weights is None else np.array(weights))
    every = [1.0] * len(column) if weights is None else weights
    for group, mode in enumerate(modes.tolist()):
        records = naive.members(labels.tolist(), group, column)
        assert mode == (naive.mode(column, every, records) if records else -1)


def test_ties_go_to_the_most_frequent_category_then_to_the_first() -> None:
    labels = np.array([0, 0, 1, 1, 1])
    assert group_modes(labels, np.array([0, 1, 1, 1, 2])).tolist() == [1, 1]
    assert group_modes(np.array([0, 0]), np.array([1, 0])).tolist() == [1]
    assert group_modes(np.array([0, 0]), np.array([1, 0]), np.array([1.0, 1.5])).tolist() == [0]


@given(cases())
def test_sets_name_every_category_of_a_group(case: Any) -> None:
    labels, codes, _ = case
    names = ["d", "b", "a", "c"]
    sets, texts = group_sets(labels, codes, names)
    for group in set(labels.tolist()):
        found = sorted({names[code] for code in codes[labels == group].tolist() if code >= 0})
        if found:
            assert texts[sets[group]] == (found[0] if len(found) == 1 else f"{{{', '.join(found)}}}")


def test_categories_are_in_their_own_order() -> None:
    sets, texts = group_sets(np.array([0, 0, 0]), np.array([0, 1, 2]), [10, 9, 100])
    assert texts[sets[0]] == "{9, 10, 100}"
    sets, texts = group_sets(np.array([0, 0]), np.array([0, 1]), [10, "a"])
    assert texts[sets[0]] == "{10, a}"
