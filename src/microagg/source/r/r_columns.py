"""Columns of R data frames as polars series, with what their attributes tell."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from microagg.model.arrays import BoolArray
from microagg.model.errors import ReadError
from microagg.source.polars_columns import with_nulls
from microagg.source.r.r_objects import RObjects
from microagg.source.statistical.codebook import CodebookEntry, MissingRange
from microagg.source.statistical.statistical_columns import TypedColumn, typed_column

if TYPE_CHECKING:
    import polars as pl

_INTEGER64_NA = np.iinfo(np.int64).min
_NA_WORD = 1954  # lower half of the bits of a missing number of R
_TAG_SHIFT = 32  # bits, to the letter of a missing number that is tagged
_MICROSECONDS = 1_000_000
_STORAGE = {"LGL": "int8", "INT": "int32", "REAL": "double", "STR": "string"}


class RColumn(NamedTuple):
    """Column of a data frame: its values, the codes of missing ones, and what its attributes tell."""

    typed: TypedColumn
    entry: CodebookEntry


def column_of_vector(objects: RObjects, vector: Any, label: str) -> RColumn:
    """Return a vector of a data frame as a column.

    Parameters
    ----------
    objects
        The objects of the file.
    vector
        The vector, as rdata holds it.
    label
        What messages call it.

    Raises
    ------
    ReadError
        If it is a list, a matrix, or of a type that is no column of a table.
    """
    kind = vector.info.type.name
    known = objects.attributes(vector)
    if kind not in _STORAGE or "dim" in known:
        what = "a matrix" if "dim" in known else "a list" if kind == "VEC" else f"of type {kind}"
        raise ReadError(f"{label} is {what}: expected a vector of numbers, texts, dates or a factor; convert it in R")
    entry = _entry(objects, vector)
    if entry.value_labels or entry.missing:
        return RColumn(typed_column(_values_with_tags(objects, vector), entry, "R"), entry)
    return RColumn(TypedColumn(_series(objects, vector, entry), None), entry)


def _series(objects: RObjects, vector: Any, entry: CodebookEntry) -> "pl.Series":
    """Return the values of a vector by its class."""
    import polars as pl

    classes = objects.classes(vector)
    if vector.info.type.name == "STR":
        return pl.Series(objects.texts(vector), dtype=pl.String)
    values = np.ma.getdata(vector.value)
    missing = _missing(vector)
    if "factor" in classes:
        return _factor(objects, vector, values, missing, ordered="ordered" in classes)
    if "integer64" in classes:
        integers = values.view(np.int64)
        return with_nulls(pl.Series(integers), integers == _INTEGER64_NA)
    if "Date" in classes:
        days = np.floor(np.where(missing, 0, values)).astype(np.int64)
        return with_nulls(pl.Series(days.astype("datetime64[D]")), missing)
    if "POSIXct" in classes:
        return _instants(values, missing, entry.format)
    if vector.info.type.name == "LGL":
        return with_nulls(pl.Series(values.astype(np.bool_)), missing)
    return with_nulls(pl.Series(values.astype(values.dtype.newbyteorder("="))), missing)


def _factor(objects: RObjects, vector: Any, codes: Any, missing: BoolArray, *, ordered: bool) -> "pl.Series":
    """Return a factor: its levels in order if they have one."""
    import polars as pl

    levels = [level or "" for level in objects.texts(objects.attributes(vector)["levels"])]
    both = zip(codes.tolist(), missing.tolist(), strict=True)
    texts = [None if absent else levels[code - 1] for code, absent in both]
    return pl.Series(texts, dtype=pl.Enum(levels) if ordered else pl.Categorical)


def _instants(seconds: Any, missing: BoolArray, time_zone: str | None) -> "pl.Series":
    """Return instants, which R counts in seconds of UTC, in their time zone."""
    import polars as pl

    whole = np.floor(np.where(missing, 0, seconds))
    fractions = np.rint((np.where(missing, 0, seconds) - whole) * _MICROSECONDS)
    counts = whole.astype(np.int64) * _MICROSECONDS + fractions.astype(np.int64)
    instants = with_nulls(pl.Series(counts), missing).cast(pl.Datetime("us", "UTC"))
    try:
        return instants.dt.convert_time_zone(time_zone) if time_zone else instants
    except pl.exceptions.ComputeError:  # a zone that is not known here
        return instants


def _missing(vector: Any) -> BoolArray:
    """Return which values are missing, of shape (n,); of numbers, also those that are none."""
    is_real = vector.info.type.name == "REAL"
    return np.asarray(np.isnan(vector.value) if is_real else np.ma.getmaskarray(vector.value), dtype=np.bool_)


def _values_with_tags(objects: RObjects, vector: Any) -> list[Any]:
    """Return the values of a labelled vector, None where one is missing, the letter of a missing one that is tagged."""
    if vector.info.type.name == "STR":
        return list(objects.texts(vector))
    values = np.ma.getdata(vector.value).tolist()
    tags = _tags(vector.value) if vector.info.type.name == "REAL" else [None] * len(values)
    both = zip(values, tags, _missing(vector).tolist(), strict=True)
    return [tag if absent else value for value, tag, absent in both]


def _tags(numbers: npt.NDArray[Any]) -> list[str | None]:
    """Return the letters of missing numbers that are tagged, as haven does."""
    bits = np.ascontiguousarray(numbers, dtype=np.float64).view(np.uint64).tolist()
    letters = [chr(word >> _TAG_SHIFT & 0xFF) if word & 0xFFFFFFFF == _NA_WORD else "" for word in bits]
    return [letter if letter.isascii() and letter.islower() else None for letter in letters]


def _entry(objects: RObjects, vector: Any) -> CodebookEntry:
    """Return what the attributes of a vector tell: labels, as haven writes them, time zones and units."""
    known = objects.attributes(vector)
    label = next(iter(objects.texts(known.get("label"))), None)
    formats = ("tzone", "units", "format.spss", "format.stata", "format.sas")
    shown = [text for name in formats for text in objects.texts(known.get(name)) if text]
    is_text = vector.info.type.name == "STR" or "factor" in objects.classes(vector)
    return CodebookEntry(
        label=label,
        storage="string" if is_text else _STORAGE[vector.info.type.name],
        format=next(iter(shown), None),
        value_labels=_value_labels(objects, known.get("labels")),
        missing=_missing_ranges(objects, known),
    )


def _value_labels(objects: RObjects, labels: Any) -> dict[Any, str]:
    """Return the label of each labelled value; of a missing one that is tagged, by its letter."""
    if labels is None or labels.info.type.name not in _STORAGE:
        return {}
    names = objects.texts(objects.attributes(labels).get("names"))
    values = _values_with_tags(objects, labels)
    return {value: name or "" for value, name in zip(values, names, strict=True) if value is not None}


def _missing_ranges(objects: RObjects, known: dict[str, Any]) -> tuple[MissingRange, ...]:
    """Return the values that stand for missing ones in a vector that came from SPSS."""
    values = known.get("na_values")
    single = [] if values is None else [value for value in _values_with_tags(objects, values) if value is not None]
    bounds = known.get("na_range")
    ranges = [] if bounds is None else [tuple(_values_with_tags(objects, bounds))]
    return tuple(MissingRange(low, high) for low, high in [*((one, one) for one in single), *ranges])
