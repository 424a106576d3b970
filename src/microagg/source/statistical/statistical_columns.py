"""Columns of statistical files with their types, and the codes that stand for missing values apart."""

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from microagg.model.arrays import BoolArray
from microagg.model.column import EXACT_INTEGER_LIMIT
from microagg.model.source_protocol import FileKind
from microagg.source.polars_columns import array_of_series, with_nulls
from microagg.source.statistical.codebook import CodebookEntry
from microagg.source.statistical.date_formats import date_unit

if TYPE_CHECKING:
    import polars as pl

_DECIMALS = re.compile(r"\.0*[1-9]\d*$")  # of a format such as F8.2


class TypedColumn(NamedTuple):
    """Values of a column with their type, null where one is missing, and the codes that stand for missing ones."""

    values: "pl.Series"
    missing_codes: "pl.Series | None"  # None if there are none


def typed_column(values: list[Any], entry: CodebookEntry, kind: FileKind, *, has_letters: bool = True) -> TypedColumn:
    """Return a column with its type: texts, numbers as they are stored, or dates by their format.

    Parameters
    ----------
    values
        What pyreadstat returns: numbers, texts, None; letters for the missing values of Stata and SAS, if it has such.
    entry
        What the file tells of the column.
    kind
        Kind of the file.
    has_letters
        Whether letters stand for missing values of the column.
    """
    column = _texts(values, entry) if entry.is_text else _numbers(values, entry, kind, has_letters)
    unit = None if entry.is_text else date_unit(kind, entry.format)
    if unit is None:
        return column
    import polars as pl

    instants = unit.instants(array_of_series(column.values.cast(pl.Float64), np.nan))
    return column if instants is None else TypedColumn(pl.Series(instants), column.missing_codes)


def _texts(values: list[Any], entry: CodebookEntry) -> TypedColumn:
    """Return texts; an empty one is missing, as is one that the file declares so."""
    import polars as pl

    texts = pl.Series(values, dtype=pl.String)
    declared = array_of_series(texts.is_in([one.low for one in entry.missing]).fill_null(False))
    empty = array_of_series((texts == "").fill_null(True))
    return TypedColumn(with_nulls(texts, empty | declared), _codes(texts, declared))


def _numbers(values: list[Any], entry: CodebookEntry, kind: FileKind, has_letters: bool) -> TypedColumn:
    import polars as pl

    codes = None
    if has_letters:
        codes = pl.Series([f".{value}" if isinstance(value, str) else None for value in values], dtype=pl.String)
        values = [None if isinstance(value, str) else value for value in values]
    stored = {"int8": pl.Int8(), "int16": pl.Int16(), "int32": pl.Int32(), "float": pl.Float32()}
    numbers = pl.Series(values, dtype=stored.get(entry.storage, pl.Float64()))
    numbers = numbers.fill_nan(None) if numbers.dtype.is_float() else numbers
    if entry.missing:
        declared = entry.declared_missing(array_of_series(numbers.cast(pl.Float64), np.nan))
        codes = _codes(numbers, declared)
        numbers = with_nulls(numbers, declared)
    if kind != "Stata" and _holds_integers(numbers, entry):  # SPSS and SAS store every number as a double
        numbers = numbers.cast(pl.Int64)
    return TypedColumn(numbers, codes)


def _codes(values: "pl.Series", declared: BoolArray) -> "pl.Series | None":
    return with_nulls(values, ~declared) if declared.any() else None


def _holds_integers(numbers: "pl.Series", entry: CodebookEntry) -> bool:
    """Check whether numbers are whole, and codes or shown without decimals."""
    if _DECIMALS.search(entry.format or "") and not entry.labels_of_codes:
        return False
    values = array_of_series(numbers.drop_nulls())
    return bool(((values == np.rint(values)) & (np.abs(values) < EXACT_INTEGER_LIMIT)).all())
