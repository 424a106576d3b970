"""Released dataframes and arrays: the same kind and types as were given."""

from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from microagg import InputError, protect
from microagg.write import to_native

pytestmark = pytest.mark.usefixtures("released_unasked")  # which is asked about in test_select.py


def _frames() -> Any:
    data = {"x": [0.5, 2.5, 10.0, 11.0], "n": [1, 2, 7, 9], "who": ["a", "b", "c", None]}
    yield "pandas", pd.DataFrame(data, index=[9, 8, 7, 6])
    yield "polars", pl.DataFrame(data)
    yield "pyarrow", pa.table(data)


@pytest.mark.parametrize("frame", [pytest.param(frame, id=name) for name, frame in _frames()])
def test_dataframe_gives_the_same_kind(frame: Any) -> None:
    before = nw.from_native(frame, eager_only=True).to_dict(as_series=False)
    out = protect(frame, 2, columns=["x", "n"]).data
    assert type(out) is type(frame)
    columns = nw.from_native(out, eager_only=True)
    assert columns["x"].to_list() == [1.5, 1.5, 10.5, 10.5]
    assert columns["n"].to_list() == [1.5, 1.5, 8.0, 8.0]
    assert columns.columns == ["x", "n", "who"]
    assert columns["who"].to_list()[:3] == ["a", "b", "c"]
    assert str(nw.from_native(frame, eager_only=True).to_dict(as_series=False)) == str(before), "the input was touched"
    if isinstance(frame, pd.DataFrame):
        assert out.index.tolist() == [9, 8, 7, 6]
    kept = nw.from_native(protect(frame, 2, columns=["x", "n"], keep_integers=True).data, eager_only=True)
    assert kept["n"].dtype == nw.Int64
    assert kept["n"].to_list() == [2, 2, 8, 8]


def test_pandas_columns_without_names_keep_their_labels() -> None:
    frame = pd.DataFrame(np.array([[1.0, 5.0], [2.0, 6.0], [8.0, 9.0], [9.0, 9.0]]))
    out = protect(frame, 2, columns=[0]).data
    assert out.columns.tolist() == [0, 1]
    assert out[0].tolist() == [1.5, 1.5, 8.5, 8.5]
    assert out[1].tolist() == frame[1].tolist()
    assert frame.columns.tolist() == [0, 1]


def test_pandas_keeps_every_kind_of_label() -> None:
    columns = pd.MultiIndex.from_tuples([("a", "x"), ("a", "y")], names=["one", "two"])
    out = protect(pd.DataFrame([[1.0, 2.0], [3.0, 5.0]], columns=columns), 2).data
    assert out.columns.equals(columns)
    assert out["a"]["x"].tolist() == [2.0, 2.0]


def test_integers_that_floats_cannot_hold_are_not_damaged() -> None:
    array = np.array([[1, 2**53 + 1], [2, 5]])
    with pytest.raises(InputError, match="integers that floats cannot hold"):
        protect(array, 2, columns=[0])
    assert protect(array, 2, columns=[0], keep_integers=True).data[:, 1].tolist() == [2**53 + 1, 5]


def test_pandas_types_with_their_own_missing_values() -> None:
    frame = pd.DataFrame({"x": pd.array([1, 2, 8, 9], dtype="Int64"), "y": pd.array([1, None, 3, 4], dtype="Int64")})
    out = protect(frame, 2, columns=["x"], keep_integers=True).data
    assert (str(out["x"].dtype), out["x"].tolist()) == ("Int64", [2, 2, 8, 8])
    assert out["y"].equals(frame["y"])
    assert str(protect(frame, 2, columns=["x"]).data["x"].dtype) == "Float64"


@pytest.mark.parametrize("dtype", ["float32", "int8", "int32", "uint16", "Float32", "Int8", "double[pyarrow]"])
def test_pandas_numbers_keep_their_width(dtype: Any) -> None:
    frame = pd.DataFrame({"x": pd.Series([1, 2, 4, 5, 7, 8]).astype(dtype)})
    out = protect(frame, 3, columns=["x"], keep_integers=True).data["x"]
    assert str(out.dtype) == dtype
    assert out.tolist() == [2, 2, 2, 7, 7, 7]
    assert float(protect(frame, 3, columns=["x"]).data["x"].iloc[0]) == pytest.approx(7 / 3, rel=1e-3)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32])
def test_array_keeps_its_type_where_it_can(dtype: Any) -> None:
    array = np.array([[1, 5], [2, 6], [8, 9], [9, 9]], dtype=dtype)
    out = protect(array, 2, columns=[0]).data
    assert out.dtype == (np.float64 if dtype == np.int32 else dtype)
    assert out.tolist() == [[1.5, 5], [1.5, 6], [8.5, 9], [8.5, 9]]
    assert protect(array, 2, keep_integers=True).data.dtype == dtype


def test_native_of_a_text_file_has_numbers_where_replaced(companies: Path) -> None:
    frame = to_native(protect(companies, 3).table)
    assert frame.schema == {"company": pl.String, "surface": pl.Float64, "employees": pl.Float64}
