"""Columns as points, and numbers that cannot be encoded."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from microagg import InputError, measure, protect, read
from microagg.encode import encode
from microagg.model.arrays import FloatArray


@given(hnp.arrays(np.float64, (20, 3), elements=st.floats(-1e3, 1e3).map(lambda number: round(number, 3))))
def test_standardised_columns_weigh_alike(X: FloatArray) -> None:
    table = read(X)
    encoding, problem = encode(table, table.names, 2)
    assert encoding.standardise
    points = problem.X
    for j in range(3):
        constant = np.ptp(X[:, j]) == 0
        assert points[:, j].std() == pytest.approx(0.0 if constant else 1.0, abs=1e-9)


@given(hnp.arrays(np.float64, (12, 2), elements=st.integers(-5, 5).map(float)), st.booleans())
def test_loss_is_the_same_by_groups_and_by_tables(X: FloatArray, standardise: bool) -> None:
    release = protect(X, 3, standardise=standardise, method="mdav")
    assert release.measures.information_loss == pytest.approx(release.information_loss, abs=1e-9)
    measured = measure(X, release.data, [0, 1], standardise=standardise)
    assert measured.information_loss == pytest.approx(release.information_loss, abs=1e-9)


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
def test_integers_that_arithmetic_would_damage_are_refused(values: Any, fits: bool, dtype: Any) -> None:
    frame = pd.DataFrame({"n": pd.Series(values, dtype=dtype)})
    if fits:
        assert protect(frame, 3, columns=["n"]).k == 3
        return
    with pytest.raises(InputError, match=r"'n' has integers beyond 2\^53"):
        protect(frame, 3, columns=["n"])


def test_huge_python_integers_are_refused_too() -> None:
    frame = pd.DataFrame({"n": pd.Series([10**400, 1, 2], dtype=object)})
    with pytest.raises(InputError, match="'n' has"):
        protect(frame, 3, columns=["n"])
