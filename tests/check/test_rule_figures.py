"""Figures of the rules of privacy are those of their definitions."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_verify
from microagg.check import rule_figures

_VALUES = st.lists(st.integers(0, 5), min_size=1, max_size=12)


@st.composite
def _classes(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Draw a class, and everyone, of whom it is a part; the values are ranks without gaps."""
    everyone = draw(_VALUES)
    size = draw(st.integers(1, len(everyone)))
    ranks = np.unique(everyone, return_inverse=True)[1].tolist()
    return draw(st.permutations(ranks))[:size], ranks


@given(_classes())
def test_distances(drawn: tuple[list[int], list[int]]) -> None:
    values, everyone = drawn
    codes = np.array(values)
    shares = np.bincount(everyone) / len(everyone)
    ordered = rule_figures.ordered_distance(codes, rule_figures.OrderedReference.of(np.array(everyone)))
    assert ordered == pytest.approx(naive_verify.ordered_distance(values, everyone), abs=1e-12)
    equal = rule_figures.equal_distance(codes, shares)
    assert equal == pytest.approx(naive_verify.equal_distance(values, everyone), abs=1e-12)


@given(_VALUES)
def test_diversity(values: list[int]) -> None:
    codes = np.array(values)
    assert rule_figures.distinct_values(codes) == len(set(values))
    assert rule_figures.effective_values(codes) == pytest.approx(naive_verify.entropy_diversity(values))


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8), st.integers(1, 4))
def test_contributions(amounts: list[float], n: int) -> None:
    numbers = np.array(amounts)
    assert rule_figures.share_of_largest(numbers, n) == pytest.approx(naive_verify.share_of_largest(amounts, n))
    assert rule_figures.rest_in_percent(numbers) == pytest.approx(naive_verify.rest_in_percent(amounts))


@pytest.mark.parametrize(
    ("figure", "expected"),
    [
        (lambda: rule_figures.share_of_largest(np.array([5.0, -3.0, 2.0]), 1), 0.5),
        (lambda: rule_figures.share_of_largest(np.zeros(3), 1), 0.0),
        (lambda: rule_figures.rest_in_percent(np.array([50.0, 30.0, -5.0])), 10.0),
        (lambda: rule_figures.rest_in_percent(np.zeros(3)), np.inf),
        (lambda: rule_figures.rest_in_percent(np.array([4.0])), 0.0),
    ],
)
def test_edges(figure: Any, expected: float) -> None:
    assert figure() == pytest.approx(expected)
