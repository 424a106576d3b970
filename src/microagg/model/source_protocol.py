"""Interface between tables and their sources: arrays, dataframes and files."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

from microagg.model.arrays import BoolArray, FloatArray, IntArray, ReadOnlyArrays
from microagg.model.column import Column, Kind

FileKind = Literal["CSV", "Parquet", "Arrow", "Stata", "SPSS", "SAS", "Excel", "R", "DuckDB", "SQLite"]
"""Kind of a file; "CSV" is delimited text of any dialect."""


@dataclass(frozen=True, eq=False)
class Changes(ReadOnlyArrays):
    """Changes that a table makes to its source: what is to be written in place of what was read.

    Parameters
    ----------
    names
        Columns that are kept, in order.
    replaced
        New values of some of them, in the order of the source's records.
    order
        Record of the source in each row, of shape (n,); None if all are there, in the order of the source.
    as_read
        Values of replaced columns that stay as they were read: missing ones, which may be written in several ways; by
        the name of the column, each of shape (n,).
    without_index
        Names of the labels of records that are left out, where the source is a dataframe that has such.
    """

    names: tuple[str, ...]
    replaced: tuple[Column, ...] = ()
    order: IntArray | None = field(default=None, repr=False)
    as_read: Mapping[str, BoolArray] = field(default_factory=dict, repr=False)
    without_index: tuple[str, ...] = ()

    @property
    def edited(self) -> tuple[str, ...]:
        """Columns of which some records are left out, or have new values: what they declare may tell of the others."""
        replaced = {column.name for column in self.replaced}
        return tuple(name for name in self.names if self.order is not None or name in replaced)


class Source(Protocol):
    """Backend that reads columns and writes them back: an array, a dataframe, a file."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all columns, in order."""

    @property
    def n_records(self) -> int:
        """Number of records."""

    @property
    def path(self) -> Path | None:
        """The file that was read, if it was one."""

    @property
    def file_kind(self) -> FileKind | None:
        """Kind of that file."""

    @property
    def sha256(self) -> str | None:
        """Checksum of that file, as it was read."""

    @property
    def may_hold_identifiers(self) -> bool:
        """Whether numbers in order may be identifiers, and `solve` doubts any: not those of an array."""

    def header_doubt(self) -> str | None:
        """Return why the first line may be a record and not the names of the columns, if it may."""

    def kind(self, name: str) -> Kind:
        """Return the kind of a column."""

    def column(self, name: str) -> Column:
        """Return a column with its type: codes and categories where it is no number, date or boolean."""

    def numbers(self, name: str) -> FloatArray:
        """Return a column as numbers, missing ones as NaN; refuse text, naming row and value."""

    def codes(self, name: str) -> IntArray:
        """Return a number for each distinct value of a column: equal if and only if the values are."""

    def values(self, name: str) -> list[Any]:
        """Return a column as it was read, missing values as None."""

    def native(self, changes: Changes) -> Any:
        """Return the kind of object that was read, changed; for a file, a polars dataframe with typed columns."""

    def written(self, changes: Changes, kind: FileKind) -> Any:
        """Return the polars dataframe that is written as a file of this kind, changed."""

    def save(self, changes: Changes, path: Path, kind: FileKind) -> None:
        """Write a CSV, Parquet or Arrow file; what is not replaced in a text file stays to the letter."""


@runtime_checkable
class BatchedSource(Source, Protocol):
    """Source that is larger than memory: Python objects of a whole column would not fit there."""

    def value_batches(self, name: str) -> Iterator[list[Any]]:
        """Yield a column as it was read, missing values as None, some records at a time."""


@runtime_checkable
class CodebookSource(Source, Protocol):
    """Source that tells what its columns and codes mean, as statistical files do."""

    def label(self, name: str) -> str | None:
        """Return what a column is, in words, if the file says it."""

    def value_label(self, name: str, value: Any) -> str | None:
        """Return what a value of a column means, if the file says it."""

    def declared_missing(self, column: Column) -> BoolArray:
        """Return which values of a column, of shape (n,), would stand for missing ones in the file."""

    def marks(self, name: str) -> list[Any]:
        """Return the code that stands for each missing value; None where there is a value, or simply none."""

    def is_ordinal(self, name: str) -> bool:
        """Check whether a column holds codes that are declared to be in an order."""

    def code_doubt(self, name: str) -> str | None:
        """Return why a column of numbers may hold codes, by its metadata; it completes "column 'x' …"."""
