"""Estimate of the memory that the table of a file takes, from the beginning and the metadata of the file."""

from pathlib import Path
from typing import TYPE_CHECKING

from microagg.model.reading import Reading
from microagg.source.file_kinds import FORMATS, kind_of_file
from microagg.source.typed_columns import schema_and_length
from microagg.source.watched_file import WatchedFile

if TYPE_CHECKING:
    import polars as pl

_BEGINNING = 2**20  # bytes of a text file in which fields are counted
_BYTES_PER_NUMBER = 8
_BYTES_PER_TEXT = 16  # besides its characters, if these are many
_BYTES_PER_FIELD = 32  # of a text file: the text, and the number that it is read as
_EXPANSION = 3  # of compressed texts


def estimated_memory(path: Path, reading: Reading | None = None) -> int:
    """Estimate the bytes that the table of a file takes in memory, with those of the file itself while it is read.

    Parameters
    ----------
    path
        The path of a file of any kind.
    reading
        How it is to be read; None: as it is without any option.

    Returns
    -------
    int
        The estimate, rather too large than too small.

    Raises
    ------
    ReadError
        If the file cannot be read.
    """
    file = WatchedFile.opened(path, str(path))
    size = file.state.size
    kind = kind_of_file(file)
    handler = FORMATS[kind].handler
    if handler is not None:
        return handler.estimated_memory(file, reading or Reading())
    if kind == "CSV":
        return 2 * size + _BYTES_PER_FIELD * _estimated_fields(file.beginning(_BEGINNING), size)
    schema, n_records = schema_and_length(file, kind)
    per_record = sum(map(_bytes_per_value, schema.values()))
    has_texts = any(map(_has_characters, schema.values()))
    return size + n_records * per_record + (_EXPANSION * size if has_texts else 0)


def _estimated_fields(beginning: bytes, size: int) -> int:
    """Estimate the number of fields of a text file by the ends of fields and lines in its beginning."""
    n_delimiters = max(beginning.count(delimiter) for delimiter in (b"\t", b";", b"|", b","))
    n_lines = max(beginning.count(b"\n"), beginning.count(b"\r"))
    return (n_delimiters + n_lines) * size // max(len(beginning), 1)


def _bytes_per_value(dtype: "pl.DataType") -> int:
    return _BYTES_PER_TEXT if _has_characters(dtype) else _BYTES_PER_NUMBER


def _has_characters(dtype: "pl.DataType") -> bool:
    import polars as pl

    return dtype in (pl.String, pl.Binary) or dtype.is_nested()
