"""Read a file, a dataframe or an array as a table."""

from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from microagg.model.checks import whole_number
from microagg.model.errors import InputError, ReadError
from microagg.model.location import DatabaseTable, location
from microagg.model.names import listing
from microagg.model.reading import Reading
from microagg.model.table import Table
from microagg.source import ArraySource, FrameSource
from microagg.source.file_handler import with_article
from microagg.source.file_kinds import kind_of_file
from microagg.source.file_reading import read_file, read_file_within, refuse_reading
from microagg.source.watched_file import WatchedFile

STANDARD_INPUT = "-"
"""Stands for standard input in place of a path."""


def read(
    source: Any,
    reading: Reading | None = None,
    *,
    delimiter: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    table_name: str | None = None,
    memory: int | None = None,
    folder: Path | None = None,
) -> Table:
    """Read a table.

    Parameters
    ----------
    source
        A path to a text file such as CSV (its format is detected where it is not given), a Parquet, Arrow (Feather) or
        Excel file, or one of Stata, SPSS, SAS or R; "-" for standard input; the address of a table of a database, such
        as "duckdb:///people.duckdb?table=people"; a dataframe of pandas, polars, pyarrow or another library that
        narwhals knows; an array or a list of rows. A `Table` is returned as it is, if it was read in the same way.
    reading
        How a file is read, in one value; or in several:
    delimiter, decimal, encoding, header, table_name
        The fields of `Reading`: the character between two fields, the decimal sign, the name of the encoding, whether
        the first line names the columns, and which sheet of a workbook (the first unless it is given), object of an
        R file, or table of a database (the only one unless it is given) is read.
    memory
        Bytes that a file may take in memory. The table of a larger one has one column in memory at a time, for as long
        as that is used. None: every file is read into memory.
    folder
        Folder for the temporary files of a file that is larger than `memory`; it must last as long as the table.

    Returns
    -------
    Table
        The columns, which are converted only when they are used.

    Raises
    ------
    ReadError
        If it cannot be read as a table, or if the format of a text file, or `memory`, is given for anything else.
    InputError
        If a format is impossible, or given twice; if `memory` is given without `folder`.

    Examples
    --------
    >>> import microagg
    >>> microagg.read([[1.0, 2.0], [3.0, 4.0]])
    Table(2 records, 2 columns)
    """
    reading = _one_reading(reading, Reading(delimiter, decimal, encoding, header, table_name))
    _check_limit(source, memory, folder)
    if isinstance(source, str | PathLike):
        path, reading = file_to_read(source, reading)
        if memory is None or folder is None:
            return Table(read_file(path, reading))
        return Table(read_file_within(memory, path, reading, folder))
    if isinstance(source, Table) and reading in (Reading(), getattr(source.source, "reading", None)):
        return source
    refuse_reading(reading, f"a {type(source).__name__}")
    if isinstance(source, np.ndarray | list | tuple):
        return Table(_read_array(source))
    return Table(_read_frame(source))


class FileToRead(NamedTuple):
    """A file, None for standard input, and how it is to be read."""

    path: Path | None
    reading: Reading


def file_to_read(source: str | PathLike[str], reading: Reading | None = None) -> FileToRead:
    """Return the file that a path or an address leads to; the address of a database tells the table, too.

    Raises
    ------
    InputError
        If it is an address of something else, if the table is given twice, or if the file is no such database.
    """
    where = location(source)
    options = Reading() if reading is None else reading
    if not isinstance(where, DatabaseTable):
        return FileToRead(None if where == Path(STANDARD_INPUT) else where, options)
    found = kind_of_file(WatchedFile.opened(where.path, str(where)))
    if found != where.kind:
        raise ReadError(f"{where.path} is {with_article(found)}, not a {where.kind} database: correct the address")
    if where.table is None or where.table == options.table_name:
        return FileToRead(where.path, options)
    if options.table_name is not None:
        given = f"as {options.table_name!r} and by the address as {where.table!r}"
        raise InputError(f"table_name is given {given}: give it once")
    return FileToRead(where.path, replace(options, table_name=where.table))


def read_back(data: Any, names: tuple[str, ...]) -> Table:
    """Read released data again; an array does not hold the names of its columns, so they are passed in."""
    return Table(ArraySource(data, names)) if isinstance(data, np.ndarray) else read(data)


def _one_reading(reading: Reading | None, keywords: Reading) -> Reading:
    """Return the format that is given in one value or by keywords; refuse both."""
    if reading is None:
        return keywords
    if not isinstance(reading, Reading):
        raise InputError(f"reading must be a Reading, found {type(reading).__name__}: give its fields by name")
    if keywords.given:
        raise InputError(f"{listing(keywords.given)} is given besides reading: set it there, or leave reading out")
    return reading


def _check_limit(source: Any, memory: int | None, folder: Path | None) -> None:
    """Refuse a limit of memory that would have no effect, or that could not be kept."""
    if (memory is None) != (folder is None):
        given, missing = ("memory", "folder") if folder is None else ("folder", "memory")
        raise InputError(f"{given} is given without {missing}: a file larger than memory needs both")
    if memory is None or folder is None:
        return
    whole_number("memory", memory, at_least=0)
    if not folder.is_dir():
        raise InputError(f"folder must be a folder for temporary files, found {folder}: make it first")
    if not isinstance(source, str | PathLike):
        raise ReadError(f"memory limits how a file is read, found a {type(source).__name__}: leave it out")


def _read_array(source: Any) -> ArraySource:
    if isinstance(source, np.ma.MaskedArray):
        raise ReadError("expected an array without a mask: fill in or remove the masked records first")
    try:
        array = np.asarray(source)
    except ValueError as error:
        raise ReadError(f"expected rows of equal length: {error}") from None
    if array.ndim not in (1, 2) or array.dtype.names is not None:
        raise ReadError(f"expected records by columns, found an array of shape {array.shape}, type {array.dtype}")
    return ArraySource(array)


def _read_frame(source: Any) -> FrameSource:
    import narwhals as nw

    try:
        frame = nw.from_native(source, eager_only=True)
        labels = list(frame.columns)
    except TypeError:
        raise ReadError(
            f"expected a path, a dataframe in memory or an array, found {type(source).__name__}: "
            "collect a lazy frame, turn a series into a dataframe"
        ) from None
    except nw.exceptions.DuplicateError:
        raise ReadError("the dataframe has columns of the same name: give each a name of its own") from None
    names = [str(label) for label in labels]
    if labels == names:
        return FrameSource(frame.to_native())
    if len(set(names)) < len(names):
        raise ReadError("the dataframe has columns whose names read alike: give each a name of its own")
    renamed = source.copy(deep=False)  # pandas: no other library names columns by anything but strings
    renamed.columns = names
    return FrameSource(renamed, labels=source.columns)
