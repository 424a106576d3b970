"""What a workbook can hold: tables and values that Excel would change, or lose, are refused."""

from typing import TYPE_CHECKING

from microagg.model.column import EXACT_INTEGER_LIMIT
from microagg.model.errors import WriteError
from microagg.source.object_columns import shows_as_float

if TYPE_CHECKING:
    import polars as pl

MOST_RECORDS = 2**20 - 1
"""Rows of a sheet besides that of the names."""

MOST_COLUMNS = 2**14
"""Columns of a sheet."""

_LONGEST_TEXT = 32_767
_UNPRINTABLE = r"[\x00-\x08\x0b\x0c\x0e-\x1f]"  # what XML cannot hold
_FIRST_YEAR = 1900


def check_frame(frame: "pl.DataFrame") -> None:
    """Raise `WriteError` if a table, or one of its columns, cannot be held by a workbook as it is."""
    import polars as pl

    if "" in frame.columns:
        raise WriteError("a column has no name, as an Excel file needs it: name it, or write another kind of file")
    if pl.Series(frame.columns, dtype=pl.String).str.contains(_UNPRINTABLE).any():
        raise WriteError("the name of a column has a character that an Excel file cannot hold: rename it")
    if frame.height and all(series[-1] is None for series in frame.iter_columns()):
        raise WriteError("the last record has no values, so that an Excel file would lose it: leave such records out")
    for series in frame.iter_columns():
        content = _refused_content(series)
        if content is not None:
            raise WriteError(
                f"column {series.name!r} has {content}: an Excel file cannot hold them; convert it, drop it, or write "
                "another kind of file"
            )
        _check_characters(series)


def _refused_content(series: "pl.Series") -> str | None:
    """Return what a column holds that Excel would change; None if there is nothing such."""
    import polars as pl

    dtype = series.dtype
    if dtype == pl.Object:
        return _refused_objects(series)
    if dtype.is_integer() and ((series > EXACT_INTEGER_LIMIT) | (series < -EXACT_INTEGER_LIMIT)).any():
        return "integers beyond 2^53, which Excel rounds"
    if dtype.is_float() and series.is_infinite().any():
        return "infinite numbers"
    if dtype.is_decimal() and not all(map(shows_as_float, series)):
        return "decimal numbers of more digits than Excel keeps"
    if isinstance(dtype, pl.Datetime) and dtype.time_zone is not None:
        return "times with a time zone"
    if dtype in (pl.Date, pl.Datetime) and (series.dt.year() < _FIRST_YEAR).any():
        return "dates before 1900"
    if dtype == pl.String and (series.str.len_chars() > _LONGEST_TEXT).any():
        return f"texts of more than {_LONGEST_TEXT} characters"
    return f"values of type {dtype.base_type().__name__}" if dtype.is_nested() or dtype == pl.Binary else None


def _refused_objects(series: "pl.Series") -> str | None:
    """Return what a column of values of several types holds that Excel would change: of each type on its own."""
    import polars as pl

    for kind in {type(value) for value in series} - {type(None)}:
        alike = pl.Series([value for value in series if type(value) is kind], strict=False)
        content = "Python objects" if alike.dtype == pl.Object else _refused_content(alike)
        if content is not None:
            return content
    return None


def _check_characters(series: "pl.Series") -> None:
    """Raise `WriteError` if a text has a character that XML lacks."""
    import polars as pl

    if series.dtype == pl.Object:
        texts = pl.Series([value if isinstance(value, str) else None for value in series], dtype=pl.String)
    elif series.dtype in (pl.String, pl.Categorical, pl.Enum):
        texts = series.cast(pl.String)
    else:
        return
    rows = texts.str.contains(_UNPRINTABLE).fill_null(False).arg_true()
    if len(rows):
        raise WriteError(
            f"row {rows[0] + 1} of column {series.name!r} has a character that an Excel file cannot hold: correct it, "
            "drop the column, or write another kind of file"
        )
