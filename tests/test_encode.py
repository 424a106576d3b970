"""How columns become coordinates: the one definition of standardised loss."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from microagg import InputError, measure, protect, read
from microagg.encode import encode
from microagg.model.encoding import Encoding, Statistics

columns = hnp.arrays(np.float64, st.integers(1, 60), elements=st.floats(-1e6, 1e6).map(lambda number: round(number, 4)))


@given(columns)
def test_statistics_are_those_of_numpy(values):
    statistics = Statistics.of(values)
    scale = 1e-9 * (1 + np.abs(values).max())
    assert (statistics.count, statistics.lowest, statistics.highest) == (len(values), values.min(), values.max())
    assert statistics.mean == pytest.approx(values.mean(), abs=scale)
    assert statistics.deviation == pytest.approx(values.std(), abs=scale)


@given(columns, columns)
def test_statistics_of_parts_merge(one, other):
    merged, whole = Statistics.of(one).merged(Statistics.of(other)), Statistics.of(np.concatenate([one, other]))
    scale = 1e-9 * (1 + np.abs(np.concatenate([one, other])).max())
    assert (merged.count, merged.lowest, merged.highest) == (whole.count, whole.lowest, whole.highest)
    assert merged.mean == pytest.approx(whole.mean, abs=scale)
    assert merged.squares == pytest.approx(whole.squares, rel=1e-9, abs=scale)


def test_nothing_is_lost_far_from_zero():
    values = np.array([1e9, 1e9 + 1, 1e9 + 2])
    assert Statistics.of(values).deviation == np.arange(3.0).std()
    assert Statistics.of(np.array([1e17, 1.0, 2.0, 4.0])).lowest == 1.0


@given(hnp.arrays(np.float64, (20, 3), elements=st.floats(-1e3, 1e3).map(lambda number: round(number, 3))))
def test_standardised_columns_weigh_alike(X):
    table = read(X)
    encoding, problem = encode(table, table.names, 2)
    assert encoding.standardise
    points = problem.X
    for j in range(3):
        constant = np.ptp(X[:, j]) == 0
        assert points[:, j].std() == pytest.approx(0.0 if constant else 1.0, abs=1e-9)


@given(hnp.arrays(np.float64, (12, 2), elements=st.integers(-5, 5).map(float)), st.booleans())
def test_loss_is_the_same_by_groups_and_by_tables(X, standardise):
    release = protect(X, 3, standardise=standardise, method="mdav")
    assert release.measures.information_loss == pytest.approx(release.information_loss, abs=1e-9)
    measured = measure(X, release.data, [0, 1], standardise=standardise)
    assert measured.information_loss == pytest.approx(release.information_loss, abs=1e-9)


def test_loss_by_hand():
    before = [np.array([0.0, 2.0, 10.0, 12.0]), np.array([5.0] * 4)]
    after = [np.array([1.0, 1.0, 11.0, 11.0]), np.array([6.0] * 4)]
    encoding = Encoding.fit(["x", "c"], [Statistics.of(column) for column in before], True)
    assert encoding.loss(before, after) == pytest.approx(100 * 4 / 104)  # a constant column carries no weight
    assert encoding.loss(before, before) == 0.0


@pytest.mark.parametrize(
    ("values", "fits"),
    [
        ([2**53 - 1, 1, 2], True),
        ([2**53, 1, 2], False),
        ([-(2**53), 1, 2], False),
        ([-(2**53) + 1, 1, 2], True),
    ],
)
@pytest.mark.parametrize("dtype", ["int64", object])
def test_integers_that_arithmetic_would_damage_are_refused(values, fits, dtype):
    frame = pd.DataFrame({"n": pd.Series(values, dtype=dtype)})
    if fits:
        assert protect(frame, 3, columns=["n"]).k == 3
        return
    with pytest.raises(InputError, match=r"'n' has integers beyond 2\^53"):
        protect(frame, 3, columns=["n"])


def test_huge_python_integers_are_refused_too():
    frame = pd.DataFrame({"n": pd.Series([10**400, 1, 2], dtype=object)})
    with pytest.raises(InputError, match="'n' has"):
        protect(frame, 3, columns=["n"])
