"""Files larger than memory as a source of columns: one column is in memory at a time."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Protocol

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column import Column, Kind
from microagg.model.errors import InputError
from microagg.model.reading import Reading
from microagg.model.row_slices import row_slices
from microagg.model.source_protocol import Changes, FileKind
from microagg.source.column_spool import ColumnSpool, records_per_batch
from microagg.source.delimited import DelimitedSource
from microagg.source.frame import FrameSource
from microagg.source.polars_files import check_storable

ColumnSource = DelimitedSource | FrameSource
"""Source of one column, which is in memory."""


class StoredColumns(Protocol):
    """Columns of a file, each read when it is used."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, in order."""

    @property
    def n_records(self) -> int:
        """Number of records."""

    def header_doubt(self) -> str | None:
        """Return why the first line may be a record and not the names of the columns, if it may."""

    def kind(self, name: str) -> Kind:
        """Return the kind of a column."""

    def source(self, name: str) -> ColumnSource:
        """Return a source of one column."""

    def save(self, columns: ColumnSpool, path: Path, kind: FileKind) -> None:
        """Write spooled columns as a file."""


@dataclass(frozen=True, eq=False, repr=False)
class LargeSource:
    """Source of the columns of a file larger than memory.

    Parameters
    ----------
    columns
        The columns of the file.
    path
        The path of the file; None for standard input.
    file_kind
        Its kind.
    sha256
        Its checksum.
    folder
        Where temporary files are made.
    """

    columns: StoredColumns
    path: Path | None
    file_kind: FileKind
    sha256: str
    folder: Path
    may_hold_identifiers: ClassVar[bool] = True
    _kinds: dict[str, Kind] = field(default_factory=dict)

    def __repr__(self) -> str:
        file = "standard input" if self.path is None else repr(self.path.name)
        return f"LargeSource({file}, {self.file_kind}, {self.n_records} records, {len(self.names)} columns)"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return self.columns.names

    @property
    def n_records(self) -> int:
        """The number of records."""
        return self.columns.n_records

    @property
    def reading(self) -> Reading:
        """The user's options for reading it."""
        reading: Reading = getattr(self.columns, "reading", Reading())
        return reading

    @property
    def read_as(self) -> dict[str, str]:
        """How the file was read, in words; nothing where it could be read in one way only."""
        read_as: dict[str, str] = getattr(self.columns, "read_as", {})
        return read_as

    def header_doubt(self) -> str | None:
        """Describe why the first line of a text file may be a record and not a header; None if it is not doubtful."""
        return self.columns.header_doubt()

    def kind(self, name: str) -> Kind:
        """Return the kind of a column."""
        if name not in self._kinds:
            self._kinds[name] = self.columns.kind(name)
        return self._kinds[name]

    def column(self, name: str) -> Column:
        """Return a column with its type."""
        return self.columns.source(name).column(name)

    def numbers(self, name: str) -> FloatArray:
        """Return a column as floats; raise `ReadError`, naming row and value, if it holds text."""
        return self.columns.source(name).numbers(name)

    def codes(self, name: str) -> IntArray:
        """Return a number for each value of a column, equal for equal values."""
        return self.columns.source(name).codes(name)

    def values(self, name: str) -> list[Any]:
        """Return the original values of a column."""
        return self.columns.source(name).values(name)

    def value_batches(self, name: str) -> Iterator[list[Any]]:
        """Yield the original values of a column, some records at a time."""
        source = self.columns.source(name)
        for rows in row_slices(self.n_records):
            yield replace(source, frame=source.frame[rows]).values(name)

    def description(self, name: str | None) -> Mapping[str, Any]:
        """Return what is known of a column beside its values, or with None of the file."""
        return self.columns.source(self.names[0] if name is None else name).description(name)

    def native(self, changes: Changes) -> Any:
        """Refuse to make a dataframe: it would not fit in memory."""
        raise InputError(f"{self!r} is larger than memory: expected an output file, not a dataframe; write it to one")

    def written(self, changes: Changes, kind: FileKind) -> Any:
        """Refuse to make a dataframe: it would not fit in memory."""
        return self.native(changes)

    def save(self, changes: Changes, path: Path, kind: FileKind) -> None:
        """Write the edited table as a file, the same as from memory: first column by column, then batch by batch."""
        spool = ColumnSpool(self.folder / f"output-{os.urandom(6).hex()}.columns")
        n_records = records_per_batch(len(changes.names))
        try:
            for name in changes.names:
                frame = self.columns.source(name).written(_changes_of(name, changes), kind)
                check_storable(frame, kind)
                spool.append_batches(frame, n_records)
            self.columns.save(spool, path, kind)
        finally:
            spool.remove()


def _changes_of(name: str, changes: Changes) -> Changes:
    """Return the changes to one column."""
    replaced = tuple(column for column in changes.replaced if column.name == name)
    as_read = {name: changes.as_read[name]} if name in changes.as_read else {}
    return Changes((name,), replaced, changes.order, as_read)
