"""Conversion between pandas series and columns."""

from typing import Any

import numpy as np
import numpy.typing as npt

from microagg.model.arrays import BoolArray
from microagg.model.column import CODED, NUMERIC, Column, Kind
from microagg.source.arrow_columns import arrow_of_column, column_of_arrow, kind_of_arrow, with_occurring_values
from microagg.source.object_columns import column_of_objects, kind_of_objects

_KINDS: dict[str, Kind] = {"b": "boolean", "i": "integer", "u": "integer", "f": "number", "M": "datetime"}


def kind_of_pandas(series: Any) -> Kind:
    """Return the kind of a series."""
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.ArrowDtype):
        return kind_of_arrow(_arrow(series))
    if isinstance(dtype, pd.CategoricalDtype):
        return "category"
    return kind_of_objects(values_of_pandas(series)) if dtype.kind == "O" else _KINDS.get(dtype.kind, "text")


def values_of_pandas(series: Any) -> list[Any]:
    """Return the values as Python objects, None where one is missing."""
    missing = series.isna().tolist()
    return [None if absent else value for value, absent in zip(series.tolist(), missing, strict=True)]


def column_of_pandas(name: str, series: Any, kind: Kind) -> Column:
    """Return a series as a column of its kind."""
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.ArrowDtype):
        return column_of_arrow(name, _arrow(series), kind)
    missing = np.array(series.isna(), dtype=np.bool_)
    if isinstance(dtype, pd.CategoricalDtype):
        codes = np.array(series.cat.codes, dtype=np.int64)
        categories = tuple(series.cat.categories.tolist())
        return Column(name, kind, codes, categories, missing if missing.any() else None, bool(dtype.ordered))
    if dtype.kind == "O" or kind in CODED:
        return column_of_objects(name, values_of_pandas(series), kind)
    if kind == "datetime":
        zoned = isinstance(dtype, pd.DatetimeTZDtype)
        values = (series.dt.tz_convert("UTC").dt.tz_localize(None) if zoned else series).to_numpy()
    elif kind == "number":
        return Column.of_numbers(name, series.to_numpy(dtype=_numpy_type(dtype), na_value=np.nan))
    else:
        filled = series.fillna(False if kind == "boolean" else 0) if missing.any() else series
        values = filled.to_numpy(dtype=_numpy_type(dtype))
    return Column(name, kind, values, missing=missing if missing.any() else None)


def pandas_of_column(column: Column, before: Any, as_read: BoolArray | None = None) -> Any:
    """Return a column as an array for a dataframe, of the type of `before` if that can hold it.

    Parameters
    ----------
    column
        The column.
    before
        The series that it replaces.
    as_read
        Which values stay as they were before.
    """
    return _with_read(_array_of_column(column, before), before, as_read)


def with_occurring_levels(series: Any) -> Any:
    """Return a series, or an index, whose type declares only categories that occur."""
    import pandas as pd

    if isinstance(series.dtype, pd.CategoricalDtype):
        return getattr(series, "cat", series).remove_unused_categories()
    if isinstance(series, pd.Series) and isinstance(series.dtype, pd.ArrowDtype):
        array = pd.arrays.ArrowExtensionArray(with_occurring_values(_arrow(series)))
        return pd.Series(array, series.index, name=series.name)
    return series


def index_of_occurring(index: Any) -> Any:
    """Return the labels of records without levels that no record has."""
    import pandas as pd

    if not isinstance(index, pd.MultiIndex):
        return with_occurring_levels(index)
    levels = [with_occurring_levels(index.get_level_values(place)) for place in range(index.nlevels)]
    return pd.MultiIndex.from_arrays(levels, names=index.names)


def _with_read(array: Any, before: Any, as_read: BoolArray | None) -> Any:
    """Return an array with some values as they were before."""
    kept = None if as_read is None else as_read & before.notna().to_numpy(dtype=np.bool_)
    if kept is None or not kept.any():
        return array
    try:
        array[kept] = before.array[kept]
    except (TypeError, ValueError):  # the new type cannot hold what was read
        array = _array_of_objects(list(array))
        array[kept] = _array_of_objects(before[kept].tolist())
    return array


def _array_of_column(column: Column, before: Any) -> Any:
    import pandas as pd

    dtype = before.dtype
    if isinstance(dtype, pd.ArrowDtype):
        return pd.arrays.ArrowExtensionArray(arrow_of_column(column, _arrow(before)))
    if column.kind in CODED:
        return _array_of_codes(column, dtype)
    if column.kind in (*NUMERIC, "boolean"):
        return _array_of_numbers(column, dtype)
    if _is_object(dtype) or column.kind == "date":  # pandas has no type for dates
        return _array_of_objects(column.objects())
    return _array_of_instants(column, dtype)


def _arrow(series: Any) -> Any:
    return series.array.__arrow_array__()


def _is_object(dtype: Any) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind == "O"


def _numpy_type(dtype: Any) -> np.dtype[Any]:
    """Return the numpy type that holds the same values."""
    return np.dtype(dtype if isinstance(dtype, np.dtype) else getattr(dtype, "numpy_dtype", None) or dtype.subtype)


def _array_of_numbers(column: Column, dtype: Any) -> Any:
    """Return integers, floats or booleans of the same width; of a nullable type if numpy has no missing values."""
    import pandas as pd

    beyond_64_bits = column.values.dtype == object
    nullable_integers = column.kind == "integer" and column.missing is not None
    if beyond_64_bits or (_is_object(dtype) and (nullable_integers or column.kind == "boolean")):
        return _array_of_objects(column.objects())
    sparse = isinstance(dtype, pd.SparseDtype)
    values = column.values
    if dtype.kind in "biuf" and not sparse:
        values = values.astype(_number_type(column, _numpy_type(dtype)))
    nullable = dtype.kind in "biuf" and not isinstance(dtype, np.dtype) and not sparse
    if values.dtype.kind == "f" and column.missing is not None:
        values = np.where(column.missing, np.nan, values).astype(values.dtype)
    if not nullable and (column.missing is None or values.dtype.kind == "f"):
        return values
    array = pd.array(values, dtype=_nullable_type(values.dtype))
    if column.missing is not None:
        array[column.missing] = pd.NA
    return array


def _number_type(column: Column, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return `dtype` if it can hold the values: floats hold small integers, integers no floats; else their own type."""
    own = column.values.dtype
    if column.kind != "integer" or dtype.kind == "b":
        return dtype if dtype.kind == own.kind else own
    present = column.values if column.missing is None else column.values[~column.missing]
    return dtype if np.array_equal(present.astype(dtype).astype(own), present) else own


def _nullable_type(dtype: np.dtype[Any]) -> str:
    """Return the name of the nullable pandas type: Int64 for int64, UInt8 for uint8."""
    names = {"i": "Int", "u": "UInt", "f": "Float"}
    return "boolean" if dtype.kind == "b" else f"{names[dtype.kind]}{8 * dtype.itemsize}"


def _array_of_instants(column: Column, dtype: Any) -> Any:
    import pandas as pd

    unit = np.datetime_data(column.values.dtype)[0]
    values = column.values.astype(f"datetime64[{unit if unit in ('s', 'ms', 'us', 'ns') else 'us'}]")
    if column.missing is not None:
        values[column.missing] = np.datetime64("NaT")
    series = pd.Series(values)
    if isinstance(dtype, pd.DatetimeTZDtype):
        series = series.dt.tz_localize("UTC")
    return (series.astype(dtype) if dtype.kind == "M" else series).array


def _array_of_codes(column: Column, dtype: Any) -> Any:
    """Return categories if the column had some before, else objects or texts."""
    import pandas as pd

    assert column.categories is not None
    codes = column.values if column.missing is None else np.where(column.missing, -1, column.values)
    if isinstance(dtype, pd.CategoricalDtype):
        return _categorical(list(column.categories), codes, dtype)
    objects = _array_of_objects([*column.categories, None])[codes]
    texts = all(isinstance(category, str) for category in column.categories)
    if isinstance(dtype, pd.StringDtype) and texts:
        return pd.array(objects, dtype=dtype)
    if dtype.kind in "mO" and not _is_object(dtype) and not texts:  # periods, intervals, time differences
        return pd.Series(objects.tolist(), dtype=dtype).array
    return pd.Series(objects.tolist()).array if texts and not _is_object(dtype) else objects


def _categorical(categories: list[Any], codes: npt.NDArray[Any], dtype: Any) -> Any:
    """Return a categorical array of the known categories, with any new ones appended."""
    import pandas as pd

    known = dtype.categories
    new = [category for category in categories if category not in known]
    if new:
        dtype = pd.CategoricalDtype(known.append(pd.Index(new)), dtype.ordered)
    positions = dtype.categories.get_indexer(categories) if categories else []
    return pd.Categorical.from_codes(np.append(positions, -1).astype(np.int64)[codes], dtype=dtype)


def _array_of_objects(objects: list[Any]) -> npt.NDArray[Any]:
    return np.fromiter(objects, dtype=object, count=len(objects))
