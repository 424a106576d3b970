"""Statistics of classes are judged as their slow obvious versions judge them."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_aggregates
from microagg.check.class_values import ClassValues, set_texts

RECORDS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(-4, 4), st.integers(1, 3)),  # class, value, weight
    min_size=1,
    max_size=14,
)
CANDIDATES = st.lists(st.integers(-16, 16).map(lambda number: number / 4), min_size=3, max_size=3)


def _is_mean(values: list[float], weights: list[float], released: float) -> bool:
    return naive_aggregates.mean(values, weights) == pytest.approx(released, abs=1e-12)


def _is_median(values: list[float], weights: list[float], released: float) -> bool:
    lowest = naive_aggregates.median(values, weights, lower=True)
    highest = -naive_aggregates.median([-value for value in values], weights, lower=True)
    return lowest <= released <= highest


def _is_mode(values: list[float], weights: list[float], released: float) -> bool:
    counts: Counter[float] = Counter()
    for value, weight in zip(values, weights, strict=True):
        counts[value] += weight  # type: ignore[assignment]
    return counts[released] == max(counts.values())


def _is_trimmed_mean(values: list[float], weights: list[float], released: float) -> bool:
    sizes = [1.0] * len(values)  # of equal values of different weights, either may be left out
    return naive_aggregates.trimmed_mean(values, sizes) == pytest.approx(released, abs=1e-12)


@pytest.mark.parametrize(
    ("check", "expected", "is_weighted"),
    [
        (ClassValues.are_means, _is_mean, True),
        (ClassValues.are_medians, _is_median, True),
        (ClassValues.are_modes, _is_mode, True),
        (ClassValues.occur, lambda values, _, released: released in values, True),
        (ClassValues.are_within_range, lambda values, _, released: min(values) <= released <= max(values), True),
        (ClassValues.are_trimmed_means, _is_trimmed_mean, False),
    ],
)
@given(records=RECORDS, candidates=CANDIDATES)
def test_checks_of_classes(
    check: Callable[[ClassValues], np.ndarray],
    expected: Callable[[list[float], list[float], float], bool],
    is_weighted: bool,
    records: list[tuple[int, int, int]],
    candidates: list[float],
) -> None:
    labels, before, weights = (np.array(column) for column in zip(*records, strict=True))
    found, classes = np.unique(labels, return_inverse=True)
    weights = (weights if is_weighted else np.ones(len(weights))).astype(np.float64)
    released = np.array(candidates)[found]
    for_one = [np.flatnonzero(classes == one) for one in range(len(found))]
    naive = [
        expected(before[some].astype(float).tolist(), weights[some].tolist(), float(value))
        for some, value in zip(for_one, released, strict=True)
    ]
    values = ClassValues(classes, before.astype(np.float64), released[classes], weights, precision=1e-12)
    assert check(values).tolist() == naive


def test_the_edge_of_rounding() -> None:
    before = np.array([1.0, 2.0])
    for released, sound in ((1.0, True), (2.0, True), (0.999, False), (2.001, False)):
        values = ClassValues(np.zeros(2, dtype=np.int64), before, np.full(2, released), np.ones(2), slack=0.5)
        assert bool(values.are_means()[0]) is sound


def test_totals_may_be_off_by_one_class() -> None:
    classes = np.array([0, 0, 1, 1])
    before = np.array([1.0, 2.0, 5.0, 6.0])
    for released, kept in (([2.0, 2.0, 5.0, 5.0], True), ([2.0, 2.0, 6.0, 6.0], True), ([3.0, 3.0, 6.0, 6.0], False)):
        assert ClassValues(classes, before, np.array(released), np.ones(4)).keep_total() is kept


def test_sets_are_listed_in_order() -> None:
    classes = np.array([0, 0, 1, 1, 1])
    assert set_texts(classes, ["b", "b", "c", "a", "c"]) == ["b", "{a, c}"]
    assert set_texts(classes, [10, 10, 10, 9, 9]) == ["10", "{9, 10}"]
    assert set_texts(classes, ["x", "x", 10, "x", 9]) == ["x", "{10, 9, x}"]
