"""Pandas series keep their types where these can hold the values."""

import numpy as np
import pandas as pd
import pytest

from microagg import Column, read
from microagg.write import to_native


@pytest.mark.parametrize("dtype", ["int8", "uint16", "Int8", "UInt16", "int16[pyarrow]", "float32", "Float32"])
def test_width_is_kept_where_it_can_be(dtype: str) -> None:
    table = read(pd.DataFrame({"a": pd.Series([1, 2]).astype(dtype)}))
    new = Column("a", "integer", np.array([100, 10**15]), missing=np.array([False, True]))
    kept = to_native(table.with_columns([new]))
    assert kept["a"].isna().tolist() == [False, True]
    assert kept["a"].iloc[0] == 100
    nullable = {"int8": "Int8", "uint16": "UInt16"}
    assert str(kept["a"].dtype) == nullable.get(dtype, dtype)
    wide = to_native(table.with_columns([Column("a", "integer", np.array([2**62 + 1, 3]))]))["a"]
    assert wide.tolist() == [2**62 + 1, 3]


def test_new_categories_join_the_old_ones_that_occur() -> None:
    dtype = pd.CategoricalDtype(["b", "a"], ordered=True)
    table = read(pd.DataFrame({"a": pd.Series(["a", "b"], dtype=dtype)}))
    frame = to_native(table.with_columns([Column.of_objects("a", ["z", "b"], "category")]))
    assert frame["a"].dtype == pd.CategoricalDtype(["b", "z"], ordered=True)
    assert frame["a"].tolist() == ["z", "b"]
