"""Means, medians and trimmed means by group, against the slow obvious way."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_aggregates as naive
from microagg.aggregate.group_statistics import (
    GroupMeans,
    GroupMedians,
    StatisticMaker,
    TrimmedGroupMeans,
    of_present,
)


@st.composite
def grouped(draw: st.DrawFn, max_n: int = 30) -> Any:
    """Draw labels, values of which some are missing, and weights or None."""
    n = draw(st.integers(1, max_n))
    labels = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    numbers = st.none() | st.integers(-4, 4).map(float)
    values = draw(st.lists(numbers, min_size=n, max_size=n))
    weights = draw(st.none() | st.lists(st.integers(1, 12).map(lambda quarter: quarter / 4), min_size=n, max_size=n))
    return np.unique(labels, return_inverse=True)[1], values, weights


STATISTICS: list[tuple[StatisticMaker, Any]] = [
    (GroupMeans, naive.mean),
    (GroupMedians, naive.median),
    (partial(GroupMedians, lower=True), partial(naive.median, lower=True)),
    (TrimmedGroupMeans, naive.trimmed_mean),
]


@pytest.mark.parametrize(("make", "slow"), STATISTICS)
@given(grouped())
def test_statistics_are_those_of_the_slow_way(make: StatisticMaker, slow: Any, case: Any) -> None:
    labels, values, weights = case
    array = np.array([np.nan if value is None else value for value in values])
    found = of_present(make, labels, array, None if weights is None else np.array(weights))
    every = [1.0] * len(values) if weights is None else weights
    assert len(found) == labels.max() + 1
    for group, statistic in enumerate(found):
        records = naive.members(labels.tolist(), group, values)
        if not records:
            assert np.isnan(statistic)
            continue
        expected = slow([values[i] for i in records], [every[i] for i in records])
        assert statistic == pytest.approx(expected, abs=1e-12)


def test_of_few_records_the_extremes_are_trimmed() -> None:
    for n, expected in ((1, 0.0), (2, 0.5), (3, 1.0), (10, 4.5)):
        assert TrimmedGroupMeans(np.zeros(n, dtype=np.int64))(np.arange(float(n)))[0] == expected
    values = np.array([100.0, *range(1, 20), -100.0])
    assert TrimmedGroupMeans(np.zeros(21, dtype=np.int64))(values)[0] == np.arange(3.0, 18.0).mean()


def test_weights_that_are_all_alike_change_no_median() -> None:
    labels = np.zeros(6, dtype=np.int64)
    values = np.array([5.0, 1.0, 2.0, 9.0, 4.0, 3.0])
    assert GroupMedians(labels, np.full(6, 0.1))(values)[0] == 3.5
    assert GroupMedians(labels, np.full(6, 0.1), lower=True)(values)[0] == 3.0
