"""Conversion between pyarrow arrays and columns, by way of polars."""

from typing import TYPE_CHECKING, Any

from microagg.model.arrays import BoolArray
from microagg.model.column import NUMERIC, Column, Kind
from microagg.source.object_columns import kind_of_objects, objects_over
from microagg.source.polars_columns import column_of_series, kind_of_series, series_over, values_of_series

if TYPE_CHECKING:
    import polars as pl


def kind_of_arrow(array: Any) -> Kind:
    """Return the kind of an array."""
    series = _series(array)
    if series is None:
        return _kind_without_polars(array)
    return kind_of_series(series)


def values_of_arrow(array: Any) -> list[Any]:
    """Return the values as Python objects, None where one is missing."""
    series = _series(array)
    return list(array.to_pylist()) if series is None else values_of_series(series)


def column_of_arrow(name: str, array: Any, kind: Kind) -> Column:
    """Return an array as a column of its kind."""
    series = _series(array)
    if series is None:
        return Column.of_objects(name, array.to_pylist(), kind)
    return column_of_series(name, series, kind)


def arrow_of_column(column: Column, before: Any, as_read: BoolArray | None = None) -> Any:
    """Return a column as an array, of the type before if that can hold it, with some values as they were before."""
    import pyarrow as pa

    old = _series(before)
    if old is None:
        objects = objects_over(column, before.to_pylist(), as_read)
        return _dictionary(objects, before.type) if pa.types.is_dictionary(before.type) else pa.array(objects)
    series = series_over(column, old, as_read)
    return series.to_arrow().cast(before.type) if series.dtype == old.dtype else series.to_arrow()


def _dictionary(objects: list[Any], dtype: Any) -> Any:
    """Return objects as a dictionary of the type, if that can hold them."""
    import pyarrow as pa

    try:
        encoded = pa.array(objects, dtype.value_type).dictionary_encode()
        places = encoded.indices.cast(dtype.index_type)
        return pa.DictionaryArray.from_arrays(places, encoded.dictionary, ordered=dtype.ordered)
    except pa.ArrowException:
        return pa.array(objects).dictionary_encode()


def field_of(before: Any, array: Any) -> Any:
    """Return the field of an array that replaces another one: its metadata, and "not null" where nothing is."""
    field = before.with_type(array.type)
    return field.with_nullable(True) if array.null_count else field


def with_occurring_values(array: Any) -> Any:
    """Return a chunked array whose dictionaries hold only values that occur."""
    import pyarrow as pa
    import pyarrow.compute as pc

    dtype = array.type
    if not pa.types.is_dictionary(dtype):
        nested = pa.types.is_nested(dtype) and "dictionary<" in str(dtype)
        return pa.chunked_array([pa.array(array.to_pylist(), dtype)]) if nested else array
    one = array.unify_dictionaries().combine_chunks()
    occurring = pc.unique(one.indices).drop_null()
    if dtype.ordered:
        occurring = occurring.sort()
    places = pc.index_in(one.indices, occurring, skip_nulls=True).cast(dtype.index_type)
    values = one.dictionary.take(occurring)
    return pa.chunked_array([pa.DictionaryArray.from_arrays(places, values, ordered=dtype.ordered)])


def _series(array: Any) -> "pl.Series | None":
    """Return an array as a polars series; None if polars would lose its type."""
    import polars as pl
    import pyarrow as pa

    if pa.types.is_dictionary(array.type) and not _is_text(array.type.value_type):
        return None
    try:
        series = pl.from_arrow(array)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, TypeError, ValueError, NotImplementedError):
        return None
    assert isinstance(series, pl.Series)
    return series


def _is_text(dtype: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(dtype) or pa.types.is_large_string(dtype) or pa.types.is_string_view(dtype))


def _kind_without_polars(array: Any) -> Kind:
    import pyarrow as pa

    if pa.types.is_dictionary(array.type):
        return "category"
    return "mixed" if kind_of_objects(array.to_pylist()) in NUMERIC else "text"
