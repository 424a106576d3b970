"""Columns of a Parquet or Arrow file, each read from the file when it is used."""

from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

from microagg.model.errors import ReadError
from microagg.model.source_protocol import FileKind
from microagg.source.batch_files import save_batches
from microagg.source.column_spool import ColumnSpool
from microagg.source.frame import FrameSource
from microagg.source.watched_file import WatchedFile

if TYPE_CHECKING:
    import polars as pl


_MAGIC: dict[bytes, FileKind] = {b"PAR1": "Parquet", b"ARROW1": "Arrow"}

N_FIRST_BYTES = max(map(len, _MAGIC))
"""Number of bytes that tell the kind of a file."""


@dataclass(frozen=True, eq=False)
class TypedColumns:
    """Columns of a Parquet or Arrow file.

    Parameters
    ----------
    file
        The file.
    kind
        "Parquet" or "Arrow".
    names
        The names of the columns.
    n_records
        The number of records.
    """

    file: WatchedFile
    kind: FileKind
    names: tuple[str, ...]
    n_records: int

    @classmethod
    def opened(cls, file: WatchedFile, kind: FileKind) -> "TypedColumns":
        """Return the columns of a file; raise `ReadError` if it is damaged."""
        import polars as pl

        schema, n_records = schema_and_length(file, kind)
        if pl.Object in schema.values():
            raise ReadError(f"{file.label} holds Python objects: write it anew without these columns")
        return cls(file, kind, tuple(schema), n_records)

    def source(self, name: str) -> FrameSource:
        """Return a source of one column, read from the file."""
        with self.file.unchanged():
            return FrameSource(_collected(_scan(self.file, self.kind).select(name), self.file, self.kind))

    def save(self, columns: ColumnSpool, path: Path, kind: FileKind) -> None:
        """Write spooled columns as a file."""
        save_batches(columns, path, kind)


def kind_of(beginning: bytes) -> FileKind:
    """Return the kind of a file by its first bytes."""
    return next((kind for magic, kind in _MAGIC.items() if beginning.startswith(magic)), "CSV")


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
