"""Files read as a source of columns: into memory, or column by column if they do not fit there."""

import hashlib
import os
import shutil
import sys
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from microagg.model.errors import ReadError
from microagg.model.memory_budget import in_words
from microagg.model.names import listing
from microagg.model.reading import Reading
from microagg.model.source_protocol import FileKind, Source
from microagg.source.delimited import DelimitedSource
from microagg.source.dialect import sniff
from microagg.source.file_handler import FileContent, with_article
from microagg.source.file_kinds import FORMATS, kind_of, kind_of_file
from microagg.source.frame import FrameSource
from microagg.source.large_file import LargeSource
from microagg.source.large_text import LargeText
from microagg.source.memory_estimate import estimated_memory
from microagg.source.text_records import parse_records
from microagg.source.typed_columns import TypedColumns
from microagg.source.watched_file import WatchedFile

if TYPE_CHECKING:
    import polars as pl


def read_file(path: Path | None, reading: Reading) -> Source:
    """Read a file, or standard input if there is no path, into memory."""
    database = _read_in_place(path, reading)
    if database is not None:
        return database
    try:
        raw = sys.stdin.buffer.read() if path is None else path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null byte in a name
        raise ReadError(f"cannot read {_label(path)}: {getattr(error, 'strerror', None) or error}") from None
    return _in_memory(raw, path, reading)


def read_file_within(memory: int, path: Path | None, reading: Reading, folder: Path) -> Source:
    """Read a file into memory if it takes at most so many bytes there; else open it, to be read column by column.

    Parameters
    ----------
    memory
        The bytes that the table may take in memory.
    path
        The path of the file; None for standard input.
    reading
        The user's options for reading it.
    folder
        Where temporary files are made.
    """
    file = WatchedFile.opened(_spooled_input(folder) if path is None else path, _label(path))
    if estimated_memory(file.path, reading) <= memory:
        with file.unchanged():
            return _read_in_place(path, reading) or _in_memory(file.path.read_bytes(), path, reading)
    return open_large(file, path, reading, folder)


def open_large(file: WatchedFile, path: Path | None, reading: Reading, folder: Path) -> LargeSource:
    """Open a file to be read column by column."""
    kind = kind_of_file(file)
    if FORMATS[kind].handler is not None:
        needed = in_words(estimated_memory(file.path, reading))
        raise ReadError(
            f"{file.label} may take {needed} in memory, more than may be used, and {with_article(kind)} is read as a "
            "whole: convert it to Parquet first, or allow more memory"
        )
    refuse_reading(reading, f"the {kind} file {file.label}", FORMATS[kind].options)
    checksum = file.sha256()
    if kind == "CSV":
        return LargeSource(LargeText.opened(file, reading, folder), path, kind, checksum, folder)
    return LargeSource(TypedColumns.opened(file, kind), path, kind, checksum, folder)


def refuse_reading(reading: Reading, found: str, taken: Collection[str] = ()) -> None:
    """Refuse the options of reading that do not tell how something is read.

    Parameters
    ----------
    reading
        The options.
    found
        What is to be read, for the message.
    taken
        The options that tell how it is read.
    """
    others = [name for name in reading.given if name not in taken]
    if others == ["table_name"]:
        raise ReadError(f"'table_name' names one of several tables in a file, found {found}: leave it out")
    if others:
        raise ReadError(f"{listing(others)} tells how a text file is read, found {found}: leave it out")


def _read_in_place(path: Path | None, reading: Reading) -> Source | None:
    """Return the table of a database, which is read where it lies; None for any other file."""
    if path is None or not path.is_file():  # a pipe can be read only once
        return None
    file = WatchedFile.opened(path, str(path))
    kind = kind_of_file(file)
    one = FORMATS[kind]
    if one.handler is None or not one.in_place:
        return None
    refuse_reading(reading, f"the {kind} file {path}", one.options)
    with file.unchanged():
        return one.handler.read(FileContent(b"", path, str(path), file.sha256(), reading))


def _in_memory(raw: bytes, path: Path | None, reading: Reading) -> Source:
    label = _label(path)
    checksum = hashlib.sha256(raw).hexdigest()
    kind = kind_of(raw, path, label)
    refuse_reading(reading, f"the {kind} file {label}", FORMATS[kind].options)
    if kind == "CSV":
        data, names, dialect = sniff(raw, label, reading)
        frame = parse_records(data, names, dialect, label)
        return DelimitedSource(frame, dialect, path, checksum, reading)
    handler = FORMATS[kind].handler
    if handler is not None:
        return handler.read(FileContent(raw, path, label, checksum, reading))
    return FrameSource(_typed_frame(raw, kind, label), path=path, file_kind=kind, sha256=checksum)


def _label(path: Path | None) -> str:
    """Return what messages call a file, or standard input."""
    return "standard input" if path is None else str(path)


def _spooled_input(folder: Path) -> Path:
    """Copy standard input to a temporary file."""
    path = folder / f"standard-input-{os.urandom(6).hex()}"
    try:
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
    except (OSError, ValueError) as error:
        raise ReadError(f"cannot read standard input: {getattr(error, 'strerror', None) or error}") from None
    return path


def _typed_frame(raw: bytes, kind: FileKind, label: str) -> "pl.DataFrame":
    import polars as pl

    try:
        return pl.read_parquet(raw) if kind == "Parquet" else pl.read_ipc(raw)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise ReadError(f"{label} is a damaged {kind} file: {reason}") from None
