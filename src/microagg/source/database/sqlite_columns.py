"""Conversion between columns of SQLite, which holds numbers, texts and bytes of any mix, and polars series."""

from typing import TYPE_CHECKING, Any

from microagg.model.column import EXACT_INTEGER_LIMIT
from microagg.model.errors import WriteError
from microagg.source.database.database_source import DeclaredType
from microagg.source.object_columns import shows_as_float

if TYPE_CHECKING:
    import polars as pl

_DATE_FORMAT = "%Y-%m-%d"
_TIME_FORMATS = tuple(
    f"%Y-%m-%d{separator}{time}"
    for separator in (" ", "T")
    for time in ("%H:%M:%S", "%H:%M", "%H:%M:%S%.3f", "%H:%M:%S%.6f")
)
_LARGEST = 2**63 - 1
_PLAIN = (int, float, str, bytes)


def series_of_stored(values: list[Any], declared: str) -> "tuple[pl.Series, str | None]":
    """Return the values of a column as polars holds them, and the format of dates and times that are texts.

    Parameters
    ----------
    values
        What SQLite holds: integers, floats, texts, bytes, and None.
    declared
        The type that the table declares, which SQLite does not enforce. It tells booleans and dates; what is none is
        left as it is stored.
    """
    import polars as pl

    kind = declared.upper()
    found = {type(value) for value in values} - {type(None)}
    if found == {str}:
        texts = pl.Series(values, dtype=pl.String)
        return _dates(texts) if "DATE" in kind or "TIME" in kind else (texts, None)
    if not found:
        return pl.Series(values, dtype=_type_of_nothing(kind)), None
    if found == {int}:
        numbers = pl.Series(values, dtype=pl.Int64)
        return (numbers.cast(pl.Boolean) if "BOOL" in kind and {*values} <= {0, 1, None} else numbers), None
    if found <= {int, float} and all(map(_is_exact, values)):
        return pl.Series([None if value is None else float(value) for value in values], dtype=pl.Float64), None
    return pl.Series(values, dtype=pl.Binary if found == {bytes} else pl.Object), None


def type_of_series(series: "pl.Series") -> DeclaredType:
    """Return the type that a table declares for a series."""
    import polars as pl

    dtype = series.dtype
    if isinstance(dtype, pl.Datetime):
        return DeclaredType("TIMESTAMP", _time_format(series, dtype))
    if dtype == pl.Date:
        return DeclaredType("DATE", _DATE_FORMAT)
    if dtype == pl.Boolean:
        return DeclaredType("BOOLEAN")
    if dtype.is_integer():
        return DeclaredType("INTEGER")
    if dtype.is_float() or (dtype.is_decimal() and all(map(shows_as_float, series.to_list()))):
        return DeclaredType("REAL")
    if dtype == pl.Binary:
        return DeclaredType("BLOB")
    return DeclaredType("" if dtype == pl.Object else "TEXT")


def stored_values(series: "pl.Series", time_format: str | None) -> list[Any]:
    """Return a series as SQLite holds it; raise `WriteError` if it cannot."""
    import polars as pl

    dtype = series.dtype
    if dtype == pl.Date:
        return series.dt.to_string(_DATE_FORMAT).to_list()
    if isinstance(dtype, pl.Datetime):
        return _time_texts(series, dtype, time_format).to_list()
    if dtype in (pl.Categorical, pl.Enum, pl.Time):
        return series.cast(pl.String).to_list()
    if dtype.is_nested() or dtype == pl.Duration:
        raise WriteError(_refusal(series, f"values of type {dtype.base_type().__name__}"))
    values = series.to_list()
    if dtype.is_decimal():
        as_float = all(map(shows_as_float, values))
        values = [None if value is None else float(value) if as_float else str(value) for value in values]
    if any(isinstance(value, int) and abs(value) > _LARGEST for value in values):
        raise WriteError(_refusal(series, "integers of more than 64 bits"))
    if any(value is not None and not isinstance(value, _PLAIN) for value in values):
        raise WriteError(_refusal(series, "Python objects"))
    return values


def _dates(texts: "pl.Series") -> "tuple[pl.Series, str | None]":
    """Return texts as dates or times if all of them are in one format, so that they are written back to the letter."""
    import polars as pl

    for time_format in (_DATE_FORMAT, *_TIME_FORMATS):
        dtype = pl.Date() if time_format == _DATE_FORMAT else pl.Datetime("us")
        parsed = texts.str.strptime(dtype, time_format, strict=False)
        if parsed.dt.to_string(time_format).equals(texts):
            return parsed, time_format
    return texts, None


def _time_texts(series: "pl.Series", dtype: "pl.Datetime", time_format: str | None) -> "pl.Series":
    """Return times in a format, or in one with more digits where these are needed."""
    if time_format is not None and dtype.time_zone is None:
        texts = series.dt.to_string(time_format)
        if texts.str.strptime(dtype, time_format, strict=False).equals(series):
            return texts
    return series.dt.to_string(_time_format(series, dtype))


def _time_format(series: "pl.Series", dtype: "pl.Datetime") -> str:
    """Return a format that shows every digit of times, and their time zone if they have one."""
    nanoseconds = series.dt.nanosecond()
    digits = 9 if (nanoseconds % 1000 != 0).any() else 6
    fraction = f"%.{digits}f" if (nanoseconds != 0).any() else ""
    return f"%Y-%m-%d %H:%M:%S{fraction}{'' if dtype.time_zone is None else '%:z'}"


def _type_of_nothing(kind: str) -> Any:
    """Return the type of a column without any value, by its declared type."""
    import polars as pl

    if "BOOL" in kind:
        return pl.Boolean
    if "INT" in kind:
        return pl.Int64
    return pl.Float64 if any(word in kind for word in ("REAL", "FLOA", "DOUB", "NUM", "DEC")) else pl.String


def _is_exact(value: Any) -> bool:
    """Check whether a float holds a number exactly."""
    return not isinstance(value, int) or abs(value) < EXACT_INTEGER_LIMIT


def _refusal(series: "pl.Series", content: str) -> str:
    return (
        f"column {series.name!r} has {content}, which a SQLite table cannot hold: convert it, drop it, or write "
        "another kind of file"
    )
