"""Conversion between polars series and columns."""

from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from microagg.model.arrays import BoolArray, read_only
from microagg.model.column import CODED, Column, Kind
from microagg.model.source_protocol import Changes
from microagg.source.number_like_text import mostly_numbers
from microagg.source.object_columns import column_of_objects, integers, is_missing, kind_of_objects

if TYPE_CHECKING:
    import polars as pl


def unnamed(frame: "pl.DataFrame", name: str) -> "pl.Series":
    """Return a column without its name: polars would take one such as "^a.*$" for a pattern of names."""
    return frame.get_column(name).alias("")


def kind_of_series(series: "pl.Series") -> Kind:
    """Return the kind of a series."""
    import polars as pl

    dtype = series.dtype
    if dtype.is_numeric():
        return "integer" if dtype.is_integer() else "number"
    if dtype in (pl.Categorical, pl.Enum):
        return "category"
    if dtype == pl.String:
        return "mixed" if mostly_numbers(0, series.drop_nulls()) else "text"
    if dtype == pl.Object:
        return kind_of_objects(values_of_series(series))
    typed: dict[Any, Kind] = {pl.Boolean: "boolean", pl.Date: "date", pl.Datetime: "datetime"}
    return next((kind for known, kind in typed.items() if dtype == known), "text")


def values_of_series(series: "pl.Series") -> list[Any]:
    """Return the values as Python objects, None where one is missing."""
    import polars as pl

    values = series.to_list()
    if not (series.dtype.is_numeric() or series.dtype == pl.Object):
        return values
    return [None if is_missing(value) else value for value in values]


def column_of_series(name: str, series: "pl.Series", kind: Kind) -> Column:
    """Return a series as a column of its kind."""
    import polars as pl

    dtype = series.dtype
    if dtype == pl.Object:
        return column_of_objects(name, values_of_series(series), kind)
    missing = array_of_series(series.is_null())
    if kind == "number":
        return Column.of_numbers(name, array_of_series(series if dtype.is_float() else series.cast(pl.Float64), np.nan))
    if kind == "integer":
        fits_numpy = dtype in (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64)
        values = array_of_series(series, 0) if fits_numpy else integers(series.to_list(), missing)
    elif kind == "boolean":
        values = array_of_series(series, False)
    elif kind in ("date", "datetime"):
        unit = "D" if dtype == pl.Date else dtype.time_unit  # type: ignore[attr-defined]
        values = array_of_series(series.to_physical(), 0).astype(np.int64).astype(f"datetime64[{unit}]")
    else:
        return _coded_column(name, series, kind)
    return Column(name, kind, values, missing=missing if missing.any() else None)


def codes_of_texts(texts: "pl.Series") -> tuple[npt.NDArray[Any], tuple[str, ...], BoolArray]:
    """Return a code for each text: distinct texts are numbered in order of appearance.

    Returns
    -------
    codes : ndarray of shape (n,)
        The number of each text, 0 where it is missing.
    categories : tuple of str
        The distinct texts.
    missing : ndarray of shape (n,)
        Whether each text is missing.
    """
    import polars as pl

    distinct = texts.drop_nulls().unique(maintain_order=True)
    codes = texts.cast(pl.Enum(distinct)).to_physical()
    return array_of_series(codes.cast(pl.Int64), 0), tuple(distinct.to_list()), array_of_series(texts.is_null())


def series_of_column(column: Column, like: "pl.DataType | None" = None) -> "pl.Series":
    """Return a column as a series, of the type `like` if that can hold the values."""
    import polars as pl

    if column.kind in CODED:
        return _series_of_codes(column, like)
    if column.kind == "integer":
        return _series_of_integers(column, like)
    if column.kind == "number":
        return _series_of_floats(column, like)
    if column.kind == "boolean":
        series = pl.Series(column.name, column.values)
    elif column.kind == "date":
        series = pl.Series(column.name, column.values.astype("datetime64[D]"))
    else:
        series = _series_of_instants(column, like)
    return with_nulls(series, column.missing)


def series_of_objects(objects: list[Any], like: "pl.DataType | None" = None) -> "pl.Series":
    """Return objects as a series: of the type `like`, else of the type of the objects, else of Python objects."""
    import polars as pl

    if isinstance(like, pl.Enum):
        known = like.categories.to_list()
        like = pl.Enum(known + [text for text in objects if text not in known])
    texts = all(value is None or isinstance(value, str) for value in objects)
    for dtype in (like, pl.String if texts else None):
        if dtype is None or (texts and dtype.is_nested()):
            continue
        try:
            return pl.Series(objects, dtype=dtype, strict=True)
        except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
            continue
    try:
        return pl.Series(objects, strict=True)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return pl.Series(objects, dtype=pl.Object)


def object_columns(frame: Any) -> dict[str, tuple[int, list[Any]]]:
    """Return the columns of Python objects of a polars dataframe: the place and the values of each."""
    import polars as pl

    if not isinstance(frame, pl.DataFrame):
        return {}
    columns = enumerate(frame.iter_columns())
    return {series.name: (place, series.to_list()) for place, series in columns if series.dtype == pl.Object}


def with_objects(frame: "pl.DataFrame", objects: dict[str, tuple[int, list[Any]]]) -> "pl.DataFrame":
    """Return a dataframe with columns of Python objects put back to their places."""
    import polars as pl

    columns = [*frame.iter_columns()]
    for name, (place, values) in objects.items():
        columns.insert(place, pl.Series(name, values, dtype=pl.Object))
    return pl.DataFrame(columns)


def array_of_series(series: "pl.Series", fill: object = None) -> npt.NDArray[Any]:
    """Return a series as a read-only array, its nulls filled."""
    array = (series if fill is None else series.fill_null(fill)).to_numpy()
    if array.flags.writeable:
        read_only(array)
    return array


def with_nulls(series: "pl.Series", missing: BoolArray | None) -> "pl.Series":
    """Return a series with null wherever a value is missing."""
    import polars as pl

    if missing is None:
        return series
    return series.zip_with(pl.Series(~missing), pl.Series([None], dtype=series.dtype).new_from_index(0, len(series)))


def series_over(column: Column, before: "pl.Series", as_read: BoolArray | None) -> "pl.Series":
    """Return a column as a series of the type before, if that can hold it, with some values as they were before."""
    import polars as pl

    series = series_of_column(column, before.dtype)
    if as_read is not None and as_read.any() and series.dtype != pl.Object:
        series = series.zip_with(pl.Series(~as_read), before.cast(series.dtype, strict=False))
    return series


def released_part(frame: "pl.DataFrame", changes: Changes) -> "pl.DataFrame":
    """Return the columns and records of a dataframe that are kept; what is edited declares only categories in it."""
    frame = frame[list(changes.names)]  # not `select`: a name may look like a pattern
    frame = frame if changes.order is None else frame[changes.order]
    return frame.with_columns(_with_occurring_categories(frame.get_column(name)) for name in changes.edited)


def detached(frame: Any, changes: Changes) -> Any:
    """Return a dataframe whose memory holds no text of other records: polars selects without copying, and pickles all.

    A dataframe of another library is returned as it is.
    """
    import polars as pl

    if not isinstance(frame, pl.DataFrame):
        return frame
    return frame.with_columns(_detached(frame.get_column(name)) for name in changes.edited)


def _detached(series: "pl.Series") -> "pl.Series":
    import polars as pl

    if not (series.dtype.is_nested() or series.dtype in (pl.String, pl.Binary)):
        return series
    copy = BytesIO()
    series.alias("").to_frame().write_ipc(copy, compat_level=pl.CompatLevel.oldest())
    return pl.read_ipc(copy.getvalue()).to_series().alias(series.name)


def _with_occurring_categories(series: "pl.Series") -> "pl.Series":
    """Return a series without declared categories that do not occur; within lists and structs they become texts."""
    import polars as pl

    dtype = series.dtype
    if not isinstance(dtype, pl.Enum):
        return series.cast(_undeclared(dtype)) if dtype.is_nested() else series
    texts = series.cast(pl.String)
    return texts.cast(pl.Enum(dtype.categories.filter(dtype.categories.is_in(texts.unique().drop_nulls().to_list()))))


def _undeclared(dtype: Any) -> Any:
    """Return a type with texts in place of declared categories."""
    import polars as pl

    if isinstance(dtype, pl.List):
        return pl.List(_undeclared(dtype.inner))
    if isinstance(dtype, pl.Array):
        return pl.Array(_undeclared(dtype.inner), dtype.size)
    if isinstance(dtype, pl.Struct):
        return pl.Struct({field.name: _undeclared(field.dtype) for field in dtype.fields})
    return pl.String() if isinstance(dtype, pl.Enum) else dtype


def _coded_column(name: str, series: "pl.Series", kind: Kind) -> Column:
    import polars as pl

    dtype = series.dtype
    if isinstance(dtype, pl.Enum):
        missing = array_of_series(series.is_null())
        codes = array_of_series(series.to_physical(), 0).astype(np.int64)
        categories = tuple(dtype.categories.to_list())
        return Column(name, kind, codes, categories, missing if missing.any() else None, ordered=True)
    if dtype not in (pl.String, pl.Categorical):
        return Column.of_objects(name, series.to_list(), kind)
    codes, categories, missing = codes_of_texts(series.cast(pl.String))
    return Column(name, kind, codes, categories, missing if missing.any() else None)


def _series_of_integers(column: Column, like: "pl.DataType | None") -> "pl.Series":
    import polars as pl

    if column.values.dtype == object:
        return series_of_objects(column.objects(), pl.Int128()).alias(column.name)
    series = with_nulls(pl.Series(column.name, column.values), column.missing)
    if like is None:
        return series
    wide = pl.UInt64() if series.dtype == pl.UInt64 else pl.Int64()
    dtypes = (like, wide) if like.is_integer() or like.is_float() else (wide,)
    casts = (series.cast(dtype, strict=False) for dtype in dtypes)
    return next(cast for cast in casts if cast.cast(series.dtype, strict=False).equals(series))


def _series_of_floats(column: Column, like: "pl.DataType | None") -> "pl.Series":
    import polars as pl

    supported = column.values.dtype in (np.float32, np.float64)
    values = column.values if supported else column.values.astype(np.float64)
    series = with_nulls(pl.Series(column.name, values), column.missing)
    if like is None:
        return series
    return series.cast(like if like.is_float() else pl.Float64())


def _series_of_instants(column: Column, like: "pl.DataType | None") -> "pl.Series":
    import polars as pl

    unit = np.datetime_data(column.values.dtype)[0]
    polars_unit = unit if unit in ("ms", "us", "ns") else "us"
    series = pl.Series(column.name, column.values.astype(f"datetime64[{polars_unit}]"))
    if not isinstance(like, pl.Datetime):
        return series
    series = series.cast(pl.Datetime(like.time_unit))
    if like.time_zone is None:
        return series
    return series.dt.replace_time_zone("UTC").dt.convert_time_zone(like.time_zone)


def _series_of_codes(column: Column, like: "pl.DataType | None") -> "pl.Series":
    import polars as pl

    assert column.categories is not None
    if like == pl.Object:
        return pl.Series(column.name, column.objects(), dtype=pl.Object)
    categories = series_of_objects(list(column.categories), like)
    codes = with_nulls(pl.Series(column.values.astype(np.int64)), column.missing)
    return categories.gather(codes).alias(column.name)
