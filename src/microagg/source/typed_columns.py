"""Columns of a Parquet or Arrow file, each read from the file when it is used."""

from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

from microagg.model.column import Kind
from microagg.model.errors import ReadError
from microagg.model.source_protocol import FileKind
from microagg.source.batch_files import save_batches
from microagg.source.column_spool import ColumnSpool
from microagg.source.frame import FrameSource
from microagg.source.watched_file import WatchedFile

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class TypedColumns:
    """Columns of a Parquet or Arrow file.

    Parameters
    ----------
    file
        The file.
    file_kind
        "Parquet" or "Arrow".
    schema
        The polars types of the columns, by their names.
    n_records
        The number of records.
    """

    file: WatchedFile
    file_kind: FileKind
    schema: "pl.Schema"
    n_records: int

    @classmethod
    def opened(cls, file: WatchedFile, kind: FileKind) -> "TypedColumns":
        """Return the columns of a file; raise `ReadError` if it is damaged."""
        return cls(file, kind, *schema_and_length(file, kind))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(self.schema)

    def header_doubt(self) -> None:
        """Return None: the columns of a typed file are named for certain."""

    def kind(self, name: str) -> Kind:
        """Return the kind of a column; only that of texts depends on their values."""
        import polars as pl

        dtype = self.schema[name]
        if dtype in (pl.String, pl.Categorical, pl.Enum):
            return self.source(name).kind(name)
        return FrameSource(pl.DataFrame(schema={name: dtype})).kind(name)

    def source(self, name: str) -> FrameSource:
        """Return a source of one column, read from the file."""
        import polars as pl

        position = pl.nth(self.names.index(name))  # a name may look like a pattern
        with self.file.unchanged():
            return FrameSource(_collected(_scan(self.file, self.file_kind).select(position), self.file, self.file_kind))

    def save(self, columns: ColumnSpool, path: Path, kind: FileKind) -> None:
        """Write spooled columns as a file."""
        save_batches(columns, path, kind)


def schema_and_length(file: WatchedFile, kind: FileKind) -> "tuple[pl.Schema, int]":
    """Return the types of the columns and the number of records; raise `ReadError` if the file is damaged."""
    import polars as pl

    with file.unchanged():
        scan = _scan(file, kind)
        schema = _collected(scan.head(0), file, kind).schema
        return schema, int(_collected(scan.select(pl.len()), file, kind).item())


def first_records(file: WatchedFile, kind: FileKind, n_records: int) -> "pl.DataFrame":
    """Return the first records of a file; raise `ReadError` if it is damaged."""
    with file.unchanged():
        return _collected(_scan(file, kind).head(n_records), file, kind)


def _scan(file: WatchedFile, kind: FileKind) -> "pl.LazyFrame":
    """Return the file as a lazy frame; no character of its path is a wildcard, nor a folder's name a column."""
    import polars as pl

    path = escape(str(file.path))
    scan = pl.scan_parquet if kind == "Parquet" else pl.scan_ipc
    return scan(path, hive_partitioning=False)


def _collected(frame: "pl.LazyFrame", file: WatchedFile, kind: FileKind) -> "pl.DataFrame":
    import polars as pl

    try:
        return frame.collect()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise ReadError(f"{file.label} is a damaged {kind} file: {reason}") from None
