"""Files that are read column by column, and what must agree with the same files in memory."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import polars as pl

from microagg import InputError, Table
from microagg.model.reading import Reading
from microagg.model.source_protocol import FileKind
from microagg.source import column_spool, large_text
from microagg.source.file_reading import open_large
from microagg.source.watched_file import WatchedFile


@contextmanager
def small_batches(n_records: int = 2, chunk_size: int = 7) -> Iterator[None]:
    """Make batches of so many records, and chunks of text of so many bytes, that the smallest table has several."""
    with (
        mock.patch.multiple(column_spool, _BATCH_RECORDS=n_records, _MIN_BATCH_RECORDS=1),
        mock.patch.object(large_text, "CHUNK_SIZE", chunk_size),
    ):
        yield


def large_table(path: Path, folder: Path, reading: Reading | None = None) -> Table:
    """Return the table of a file, read column by column."""
    file = WatchedFile.opened(path, str(path))
    return Table(open_large(file, path, reading or Reading(), folder))


def outcome(function: Any, *arguments: Any) -> Any:
    """Return what a function returns, or the message of its error, in a form that can be compared."""
    try:
        found = function(*arguments)
    except InputError as error:
        return str(error)
    return found.tolist() if isinstance(found, np.ndarray) else found


def assert_same_source(one: Table, other: Table) -> None:
    """Check that two tables agree in every method of their sources."""
    assert (one.names, one.n_records, one.path) == (other.names, other.n_records, other.path)
    assert (one.source.sha256, one.source.file_kind) == (other.source.sha256, other.source.file_kind)
    assert one.source.may_hold_identifiers == other.source.may_hold_identifiers
    assert one.source.header_doubt() == other.source.header_doubt()
    for name in one.names:
        columns = [table.column(name) for table in (one, other)]
        assert one.kind(name) == other.kind(name) == columns[0].kind == columns[1].kind
        assert repr(columns[0].objects()) == repr(columns[1].objects())
        assert columns[0].categories == columns[1].categories
        assert columns[0].ordered == columns[1].ordered
        assert repr(one.values(name)) == repr(other.values(name))
        assert one.codes(name).tolist() == other.codes(name).tolist()
        assert repr(outcome(one.numbers, name)) == repr(outcome(other.numbers, name))


def assert_same_file(one: Table, other: Table, folder: Path, kind: FileKind) -> None:
    """Check that two tables are saved as the same bytes, as typed files of the same content, or not at all."""
    paths = (folder / "one", folder / "other")
    tables = (one, other)
    results = [outcome(table.source.save, table.changes, path, kind) for table, path in zip(tables, paths, strict=True)]
    assert results[0] == results[1]
    if results[0] is not None:
        return
    if kind == "CSV":
        assert paths[0].read_bytes() == paths[1].read_bytes()
        return
    frames = [pl.read_parquet(path) if kind == "Parquet" else pl.read_ipc(path) for path in paths]
    assert frames[0].schema == frames[1].schema
    assert repr(frames[0].to_dict(as_series=False)) == repr(frames[1].to_dict(as_series=False))
