"""Stata, SPSS and SAS files as a source of columns."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.column import NUMERIC, Column, Kind
from microagg.model.errors import ReadError
from microagg.model.reading import Reading
from microagg.model.source_protocol import Changes, FileKind
from microagg.source.file_handler import FileContent
from microagg.source.frame import FrameSource
from microagg.source.polars_columns import array_of_series, unnamed
from microagg.source.polars_files import save_frame
from microagg.source.statistical.codebook import Codebook
from microagg.source.statistical.date_formats import date_unit

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False, repr=False)
class StatisticalSource:
    """Source of the columns of a statistical file.

    Codes whose values are labelled are categories; codes that stand for missing values are missing.

    Parameters
    ----------
    frame
        The values with their types, null wherever one is missing.
    book
        What the file tells of its columns.
    missing_codes
        Codes that stand for missing values, null everywhere else; by the name of the columns that have some.
    content
        The file itself, for what is written in its place.
    file_kind
        Its kind.
    """

    frame: "pl.DataFrame"
    book: Codebook
    missing_codes: Mapping[str, "pl.Series"]
    content: FileContent
    file_kind: FileKind
    may_hold_identifiers: ClassVar[bool] = True
    _kinds: dict[str, Kind] = field(default_factory=dict)

    def __repr__(self) -> str:
        file = "standard input" if self.path is None else repr(self.path.name)
        return f"StatisticalSource({file}, {self.file_kind}, {self.n_records} records, {len(self.names)} columns)"

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle, without what can be computed again."""
        return {each.name: getattr(self, each.name) for each in fields(self)} | {"_kinds": {}}

    @property
    def path(self) -> Path | None:
        """The path of the file; None for standard input."""
        return self.content.path

    @property
    def sha256(self) -> str:
        """The checksum of the file."""
        return self.content.sha256

    @property
    def reading(self) -> Reading:
        """The user's options for reading it."""
        return self.content.reading

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(self.frame.columns)

    @property
    def n_records(self) -> int:
        """The number of records."""
        return self.frame.height

    def header_doubt(self) -> None:
        """Return None: the columns of a statistical file are named for certain."""

    def kind(self, name: str) -> Kind:
        """Return the kind of a column: labelled codes are categories, unless all of them stand for missing values."""
        if name not in self._kinds:
            self._kinds[name] = "category" if self._holds_codes(name) else self._columns.kind(name)
        return self._kinds[name]

    def column(self, name: str) -> Column:
        """Return a column with its type; the categories of labelled codes are the codes."""
        if self.kind(name) != "category":
            return self._columns.column(name)
        if self.book.entries[name].is_text:
            return replace(self._columns.column(name), kind="category")
        return self._column_of_codes(name)

    def numbers(self, name: str) -> FloatArray:
        """Return a column as floats; raise `ReadError`, naming the first value, if it does not hold numbers."""
        if self.kind(name) != "category":
            return self._columns.numbers(name)
        row, value = next(((row, value) for row, value in enumerate(self.values(name)) if value is not None), (0, None))
        raise ReadError(
            f"column {name!r} has labels for its values, so that these are codes and no numbers: row {row + 1} holds "
            f"{value!r}; remove the labels, or leave it out by naming the columns"
        )

    def codes(self, name: str) -> IntArray:
        """Return a number for each value, and for each code of missing ones; equal for equal ones, of shape (n,)."""
        codes = self.column(name).codes()
        marks = self.missing_codes.get(name)
        if marks is not None:
            marked = array_of_series(marks.is_not_null())
            numbers = array_of_series(marks.rank("dense").cast(int), 0)
            codes = np.where(marked, codes.max(initial=0) + numbers, codes)
        return codes

    def values(self, name: str) -> list[Any]:
        """Return the values of a column, None where one is missing."""
        return self._columns.values(name)

    def native(self, changes: Changes) -> "pl.DataFrame":
        """Return the edited table as a polars dataframe: labelled codes as codes, missing ones as nulls."""
        frame: pl.DataFrame = self._columns.native(changes)
        return frame

    def written(self, changes: Changes, kind: FileKind) -> "pl.DataFrame":
        """Return the polars dataframe that is written as a file of another kind."""
        return self.native(changes)

    def save(self, changes: Changes, path: Path, kind: FileKind) -> None:
        """Write the edited table as a CSV, Parquet or Arrow file, which hold no labels."""
        save_frame(self.native(changes), path, kind)

    def label(self, name: str) -> str | None:
        """Return what a column is, in words."""
        return self.book.entries[name].label

    def description(self, name: str | None) -> Mapping[str, Any]:
        """Return the metadata of a column, or with None those of the file, as plain values by what they are."""
        return self.book.facts() if name is None else self.book.entries[name].facts()

    def value_label(self, name: str, value: Any) -> str | None:
        """Return what a value of a column means."""
        return self.book.entries[name].value_labels.get(value)

    def declared_missing(self, column: Column) -> BoolArray:
        """Return which values of a column, of shape (n,), would stand for missing ones in the file."""
        entry = self.book.entries[column.name]
        if not entry.missing:
            return np.zeros(len(column), dtype=np.bool_)
        if column.categories is not None:
            by_category = np.array([*map(entry.stands_for_missing, column.categories), False], dtype=np.bool_)
            declared: BoolArray = by_category[np.clip(column.values, 0, len(column.categories))]
        else:
            unit = date_unit(self.file_kind, entry.format) if column.kind in ("date", "datetime") else None
            declared = entry.declared_missing(column.numbers() if unit is None else unit.numbers(column.values))
        return declared if column.missing is None else declared & ~column.missing

    def marks(self, name: str) -> list[Any]:
        """Return the code that stands for each missing value; None where there is a value, or simply none."""
        marks = self.missing_codes.get(name)
        return [None] * self.n_records if marks is None else marks.to_list()

    def code_doubt(self, name: str) -> str | None:
        """Return why a column of numbers may hold codes: it has some labels, or is not measured on a scale."""
        if self.kind(name) not in NUMERIC:
            return None
        entry = self.book.entries[name]
        if entry.labels_of_codes:
            return "has labels for some of its values, so that it may hold codes"
        return f"is {entry.measure} in the file, so that it may hold codes" if _is_coded(entry.measure) else None

    def is_ordinal(self, name: str) -> bool:
        """Check whether a column holds codes in an order."""
        return self.kind(name) == "category" and self.book.entries[name].measure == "ordinal"

    @property
    def _columns(self) -> FrameSource:
        return FrameSource(self.frame)

    def _holds_codes(self, name: str) -> bool:
        """Check whether a column holds labelled codes: it is said to be measured so, or each value has a label."""
        entry = self.book.entries[name]
        labels = entry.labels_of_codes
        series = unnamed(self.frame, name)
        if not labels or series.dtype.is_temporal():
            return False
        return _is_coded(entry.measure) or all(value in labels for value in series.drop_nulls().unique())

    def _column_of_codes(self, name: str) -> Column:
        entry = self.book.entries[name]
        series = unnamed(self.frame, name)
        whole = series.dtype.is_integer() and all(value == int(value) for value in entry.labels_of_codes)
        labelled = [int(value) if whole else value for value in entry.labels_of_codes]
        categories = sorted({*series.drop_nulls().unique(), *labelled})
        missing = array_of_series(series.is_null())
        values = array_of_series(series, 0)
        codes = np.clip(np.searchsorted(np.array(categories), values), 0, max(len(categories) - 1, 0))
        ordered = entry.measure != "nominal"
        return Column(name, "category", codes, tuple(categories), missing if missing.any() else None, ordered=ordered)


def _is_coded(measure: str) -> bool:
    return measure in ("nominal", "ordinal")
