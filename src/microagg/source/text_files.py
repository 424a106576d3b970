"""Fields written as a text file of a given dialect, at once or in batches of records."""

import codecs
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microagg.source.dialect import Dialect
from microagg.source.polars_files import TAB_SUFFIXES

if TYPE_CHECKING:
    import polars as pl


def save_texts(batches: "Iterable[pl.DataFrame]", path: Path, dialect: Dialect) -> None:
    """Write batches of records, at least one, as a text file; tabs separate its fields if its ending says so.

    Raises
    ------
    WriteError
        If the encoding of the dialect lacks a character.
    """
    if path.suffix.lower() in TAB_SUFFIXES:
        dialect = replace(dialect, delimiter="\t")
    if dialect.encoding == "utf-8" and dialect.line_end != "\r":
        _write_by_polars(batches, path, dialect)
    else:
        _write_encoded(batches, path, dialect)


def _write_by_polars(batches: "Iterable[pl.DataFrame]", path: Path, dialect: Dialect) -> None:
    options = _polars_options(dialect)
    with path.open("wb") as file:
        file.write(dialect.byte_order_mark)
        for frame in batches:
            file.flush()  # polars writes to the file behind Python's back
            frame.write_csv(file, **options)
            options["include_header"] = False
    if not _has_final_line_end(frame, dialect):
        os.truncate(path, path.stat().st_size - len(dialect.line_end))


def _write_encoded(batches: "Iterable[pl.DataFrame]", path: Path, dialect: Dialect) -> None:
    """Write an encoding or line ends that polars does not know; the last line end waits for the next batch."""
    options = _polars_options(dialect)
    encoder = codecs.getincrementalencoder(dialect.encoding)()
    line_end = ""
    with path.open("wb") as file:
        file.write(dialect.byte_order_mark)
        for frame in batches:
            text = frame.write_csv(**options)
            text = line_end + (text.replace("\n", "\r") if dialect.line_end == "\r" else text)
            line_end = dialect.line_end if text.endswith(dialect.line_end) else ""
            file.write(dialect.encode(text.removesuffix(dialect.line_end), encoder))
            options["include_header"] = False
        if _has_final_line_end(frame, dialect):
            file.write(dialect.encode(line_end, encoder))
        file.write(encoder.encode("", final=True))


def _has_final_line_end(last: "pl.DataFrame", dialect: Dialect) -> bool:
    """Check whether the last record is ended: an empty field alone on its line would be lost otherwise."""
    ends_empty = last.width == 1 and last.height > 0 and last[-1, 0] is None
    return dialect.final_line_end or ends_empty


def _polars_options(dialect: Dialect) -> dict[str, Any]:
    """Return the options with which polars writes a dialect."""
    line_end = "\n" if dialect.line_end == "\r" else dialect.line_end
    return {"include_header": dialect.header, "separator": dialect.delimiter, "line_terminator": line_end}
