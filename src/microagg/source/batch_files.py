"""Batches of records written as a CSV, Parquet or Arrow file, one batch in memory at a time."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microagg.model.errors import WriteError
from microagg.model.source_protocol import FileKind
from microagg.source.column_spool import ColumnSpool, records_per_batch
from microagg.source.polars_files import delimiter_of, raise_disk_error, save_frame

if TYPE_CHECKING:
    import polars as pl

_BATCHES_PER_ROW_GROUP = 4


def save_batches(columns: ColumnSpool, path: Path, kind: FileKind) -> None:
    """Write spooled columns as `save_frame` would write them from memory; all of them are of types that it can hold.

    Raises
    ------
    OSError
        If the disk is full.
    WriteError
        If the file cannot be written for another reason.
    """
    import polars as pl

    first = columns.batch(0)
    if columns.n_batches == 1:
        save_frame(first, path, kind)
        return
    if kind == "CSV":
        _save_csv(columns, path)
        return
    try:
        _sink(_lazy_frame(columns, first.schema), path, kind, first.width)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise_disk_error(error)
        raise WriteError(f"the {kind} file cannot be written: {str(error).strip().partition(chr(10))[0]}") from None


def _save_csv(columns: ColumnSpool, path: Path) -> None:
    delimiter = delimiter_of(path)
    with path.open("wb") as file:
        for number, frame in enumerate(columns.batches()):
            frame.write_csv(file, separator=delimiter, include_header=number == 0)


def _lazy_frame(columns: ColumnSpool, schema: "pl.Schema") -> "pl.LazyFrame":
    """Return the records as a lazy frame, whose sink asks for one batch after the other."""
    from polars.io.plugins import register_io_source

    def batches(names: list[str] | None, predicate: Any, n_rows: int | None, size: int | None) -> Iterator[Any]:
        """Return everything: a sink selects nothing."""
        return columns.batches()

    return register_io_source(batches, schema=schema)


def _sink(frame: "pl.LazyFrame", path: Path, kind: FileKind, n_columns: int) -> None:
    import polars as pl

    if kind == "Parquet":
        frame.sink_parquet(path, row_group_size=_BATCHES_PER_ROW_GROUP * records_per_batch(n_columns))
    else:
        frame.sink_ipc(path, compression="uncompressed", compat_level=pl.CompatLevel.oldest())
