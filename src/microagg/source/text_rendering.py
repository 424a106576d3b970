"""Columns rendered as the fields of a text file, in the style of the column they replace."""

from typing import TYPE_CHECKING

from microagg.model.arrays import BoolArray
from microagg.model.column import CODED, Column
from microagg.source.polars_columns import series_of_column
from microagg.source.text_column import N_FIRST_FIELDS, TextColumn
from microagg.source.text_parsing import TIME_ZONE, DecimalSign

if TYPE_CHECKING:
    import polars as pl

_SECONDS = r"[T ][0-9]{2}:[0-9]{2}:"
_BOOLEAN_WORDS = (("false", "true"), ("False", "True"), ("FALSE", "TRUE"))


def rendered(
    column: Column, before: TextColumn, decimal_sign: DecimalSign, as_read: BoolArray | None = None
) -> "pl.Series":
    """Return a column as texts, or as numbers that polars writes the same way.

    Parameters
    ----------
    column
        The column to render.
    before
        The column of the file that it replaces: it shows how booleans, times and missing values are written.
    decimal_sign
        The decimal sign to write.
    as_read
        Which fields stay as they were before.
    """
    import polars as pl

    if column.kind == "number" and column.missing is None and decimal_sign == ".":
        return series_of_column(column)
    if column.kind in CODED:
        texts = _rendered_categories(column)
    elif column.kind == "boolean":
        texts = _rendered_booleans(column, before)
    elif column.kind in ("date", "datetime"):
        texts = _rendered_times(column, before)
    elif column.kind == "number":
        texts = series_of_column(column).cast(pl.String).str.replace(".", decimal_sign, literal=True)
    else:
        texts = _rendered_integers(column)
    mark = "" if column.missing is None else _missing_mark(before)
    texts = texts.fill_null(mark) if mark else texts
    return texts if as_read is None else texts.zip_with(pl.Series(~as_read), before.texts)


def _rendered_categories(column: Column) -> "pl.Series":
    assert column.categories is not None
    categories = tuple(map(str, column.categories))
    return series_of_column(Column(column.name, "text", column.values, categories, column.missing))


def _rendered_booleans(column: Column, before: TextColumn) -> "pl.Series":
    import polars as pl

    words = pl.Series(_boolean_words(before))
    return words.gather(series_of_column(column).cast(pl.Int64)).alias(column.name)


def _rendered_integers(column: Column) -> "pl.Series":
    import polars as pl

    series = series_of_column(column)
    if series.dtype == pl.Object:  # integers beyond 128 bits
        return _rendered_categories(Column.of_objects(column.name, column.objects()))
    return series.cast(pl.String)


def _rendered_times(column: Column, before: TextColumn) -> "pl.Series":
    import polars as pl

    series = series_of_column(column)
    if series.dtype == pl.Date:
        return series.dt.to_string("%Y-%m-%d")
    separator = "T"
    zone = ""
    seconds = ":%S%.f"
    if before.kind == "datetime":
        whole_minutes = (series.drop_nulls().dt.truncate("1m") == series.drop_nulls()).all()
        seconds = "" if whole_minutes and not before.present.str.contains(_SECONDS).any() else seconds
        separator = "T" if "T" in str(before.present[0]) else " "
        zone = "Z" if before.present.head(1).str.contains(TIME_ZONE)[0] else ""
    return series.dt.to_string(f"%Y-%m-%d{separator}%H:%M{seconds}{zone}")


def _missing_mark(before: TextColumn) -> str:
    """Return the most frequent mark of a missing value; nothing in a column of texts."""
    if before.kind in CODED:
        return ""
    marks = before.stripped.fill_null("").filter(before.missing)
    counts = marks.value_counts(sort=True)
    return str(counts[marks.name][0]) if len(counts) else ""


def _boolean_words(before: TextColumn) -> tuple[str, str]:
    """Return the words for false and true."""
    first = set(before.present.head(N_FIRST_FIELDS).to_list())
    for words in _BOOLEAN_WORDS:
        if first & set(words):
            return words
    zeros_and_ones = bool(first & {"0", "1"}) and bool(before.present.is_in(["0", "1"]).all())
    return ("0", "1") if zeros_and_ones else _BOOLEAN_WORDS[0]
