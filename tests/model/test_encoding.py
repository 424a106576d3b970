"""How columns become coordinates: the one definition of standardised loss."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from microagg.model.encoding import Encoding, Statistics

columns = hnp.arrays(np.float64, st.integers(1, 60), elements=st.floats(-1e6, 1e6).map(lambda number: round(number, 4)))


@given(columns)
def test_statistics_are_those_of_numpy(values: Any) -> None:
    statistics = Statistics.of(values)
    scale = 1e-9 * (1 + np.abs(values).max())
    assert (statistics.count, statistics.lowest, statistics.highest) == (len(values), values.min(), values.max())
    assert statistics.mean == pytest.approx(values.mean(), abs=scale)
    assert statistics.deviation == pytest.approx(values.std(), abs=scale)


@given(columns, columns)
def test_statistics_of_parts_merge(one: Any, other: Any) -> None:
    merged, whole = Statistics.of(one).merged(Statistics.of(other)), Statistics.of(np.concatenate([one, other]))
    scale = 1e-9 * (1 + np.abs(np.concatenate([one, other])).max())
    assert (merged.count, merged.lowest, merged.highest) == (whole.count, whole.lowest, whole.highest)
    assert merged.mean == pytest.approx(whole.mean, abs=scale)
    assert merged.squares == pytest.approx(whole.squares, rel=1e-9, abs=scale)


def test_nothing_is_lost_far_from_zero() -> None:
    values = np.array([1e9, 1e9 + 1, 1e9 + 2])
    assert Statistics.of(values).deviation == np.arange(3.0).std()
    assert Statistics.of(np.array([1e17, 1.0, 2.0, 4.0])).lowest == 1.0


def test_loss_by_hand() -> None:
    before = [np.array([0.0, 2.0, 10.0, 12.0]), np.array([5.0] * 4)]
    after = [np.array([1.0, 1.0, 11.0, 11.0]), np.array([6.0] * 4)]
    encoding = Encoding.fit(["x", "c"], [Statistics.of(column) for column in before], True)
    assert encoding.loss(before, after) == pytest.approx(100 * 4 / 104)  # a constant column carries no weight
    assert encoding.loss(before, before) == 0.0
