"""Profiles of columns: words of names, values of every type."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microagg import read
from microagg.doubt import doubts
from reasons import reason


def test_missing_values_are_not_counted() -> None:
    assert reason([1, 2, None, 1, 1, 2, 1, 2]) == "plain"
    assert reason([1, 2, None, 1, 1, 2, 1, 2, 2]) == "looks like a code: whole numbers with only 2 different values"
    assert "count the records" in reason([3, 1, None, 2, 6, 5, 4])
    assert reason([float("nan"), float("inf"), 2.5]) == "plain"
    assert reason(pl.Series([None, None], dtype=pl.Float64)) == "plain"


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int16, np.uint8, np.int8])
def test_every_type_of_number_is_looked_at(dtype: Any) -> None:
    values = np.array([3, 1, 2, 6, 5, 4], dtype=dtype)
    table = read(pd.DataFrame({"a": values, "b": values**2}))
    assert [doubt.column for doubt in doubts(table, table.names)] == ["a"]
