"""Files opened to be read column by column, in chunks and batches so small that the smallest table has several."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from microagg import ReadError, Table
from microagg.model.reading import Reading
from microagg.model.source_protocol import FileKind
from microagg.source import column_spool, file_reading, large_text
from microagg.source.watched_file import WatchedFile


@contextmanager
def small_batches(n_records: int = 2, chunk_size: int = 7) -> Iterator[None]:
    """Make batches of so many records, and chunks of text of so many bytes."""
    with (
        mock.patch.multiple(column_spool, _BATCH_RECORDS=n_records, _MIN_BATCH_RECORDS=1),
        mock.patch.object(large_text, "CHUNK_SIZE", chunk_size),
    ):
        yield


def large_table(path: Path, folder: Path, reading: Reading | None = None) -> Table:
    """Return the table of a file, read column by column."""
    file = WatchedFile.opened(path, str(path))
    return Table(file_reading.open_large(file, path, reading or Reading(), folder))


def saved(table: Table, path: Path, kind: FileKind) -> bytes | str:
    """Return the bytes of the file that a table is saved as, or the message of the error."""
    try:
        table.source.save(table.changes, path, kind)
    except ReadError as error:
        return str(error)
    return path.read_bytes()
