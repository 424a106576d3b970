"""Figures of the rules of privacy are those of their definitions."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_verify
from microagg.check import rule_figures
from microagg.model.arrays import FloatArray

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


@given(st.lists(st.none() | st.integers(0, 5), min_size=1, max_size=12))
def test_diversity(values: list[int | None]) -> None:
    codes = np.array([rule_figures.MISSING if value is None else value for value in values])
    assert rule_figures.distinct_values(codes) == naive_verify.distinct_diversity(values)
    assert rule_figures.effective_values(codes) == pytest.approx(naive_verify.entropy_diversity(values))


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.integers(0, 4)), min_size=1, max_size=8), st.integers(1, 4))
def test_contributions(drawn: list[tuple[float, int]], n: int) -> None:
    amounts = [amount for amount, _ in drawn]
    for units in (None, np.array([unit for _, unit in drawn])):
        contributed = rule_figures.contributions(np.array(amounts), units)
        of_whom = list(range(len(amounts)) if units is None else units.tolist())
        share = naive_verify.share_of_largest(amounts, of_whom, n)
        assert rule_figures.share_of_largest(contributed, n) == pytest.approx(share)
        assert rule_figures.rest_in_percent(contributed) == pytest.approx(
            naive_verify.rest_in_percent(amounts, of_whom)
        )


def _sizes(amounts: list[float], units: list[int] | None = None) -> FloatArray:
    return rule_figures.contributions(np.array(amounts), None if units is None else np.array(units))


@pytest.mark.parametrize(
    ("figure", "expected"),
    [
        (lambda: rule_figures.share_of_largest(_sizes([5.0, -3.0, 2.0]), 1), 0.5),
        (lambda: rule_figures.share_of_largest(_sizes([5.0, -3.0, 2.0], [0, 1, 0]), 1), 0.7),
        (lambda: rule_figures.share_of_largest(np.zeros(3), 1), 0.0),
        (lambda: rule_figures.rest_in_percent(_sizes([50.0, 30.0, -5.0])), 10.0),
        (lambda: rule_figures.rest_in_percent(_sizes([50.0, 30.0, -5.0], [0, 1, 1])), 0.0),
        (lambda: rule_figures.distinct_values(np.full(3, rule_figures.MISSING)), 0.0),
        (lambda: rule_figures.effective_values(np.full(3, rule_figures.MISSING)), 0.0),
        (lambda: rule_figures.rest_in_percent(np.zeros(3)), np.inf),
        (lambda: rule_figures.rest_in_percent(np.array([4.0])), 0.0),
    ],
)
def test_edges(figure: Any, expected: float) -> None:
    assert figure() == pytest.approx(expected)
