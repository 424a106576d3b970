"""Kinds of files: a further one is a handler in a module of its own, and one line here."""

from pathlib import Path

from microagg.model.errors import ReadError
from microagg.model.source_protocol import FileKind
from microagg.source.database.databases import DatabaseHandler
from microagg.source.excel.workbook_file import OLD_OR_LOCKED, ZIP
from microagg.source.excel.workbook_limits import MOST_COLUMNS, MOST_RECORDS
from microagg.source.excel.workbooks import WorkbookHandler
from microagg.source.file_handler import FileFormat, begins_with, with_article
from microagg.source.r.r_files import RFileHandler
from microagg.source.r.r_objects import begins_as_r
from microagg.source.statistical.statistical_files import (
    StatisticalFiles,
    begins_as_sas,
    begins_as_spss,
    begins_as_stata,
)
from microagg.source.watched_file import WatchedFile

FORMATS: dict[FileKind, FileFormat] = {
    "CSV": FileFormat((".csv", ".tsv", ".tab", ".txt"), options=("delimiter", "decimal", "encoding", "header")),
    "Parquet": FileFormat((".parquet", ".pq"), begins_with(b"PAR1")),
    "Arrow": FileFormat((".arrow", ".feather", ".ipc"), begins_with(b"ARROW1")),
    "Stata": FileFormat((".dta",), begins_as_stata, StatisticalFiles("Stata", (".dta",)), ("encoding",)),
    "SPSS": FileFormat(
        (".sav", ".zsav", ".por"), begins_as_spss, StatisticalFiles("SPSS", (".sav", ".zsav")), ("encoding",)
    ),
    "SAS": FileFormat((".sas7bdat", ".xpt"), begins_as_sas, StatisticalFiles("SAS"), ("encoding",)),
    "Excel": FileFormat(
        (".xlsx", ".xlsm"),
        begins_with(ZIP, OLD_OR_LOCKED),
        WorkbookHandler(),
        ("header", "table_name"),
        most_records=MOST_RECORDS,
        most_columns=MOST_COLUMNS,
    ),
    "R": FileFormat((".rds", ".rda", ".rdata"), begins_as_r, RFileHandler(), ("table_name",)),
    "DuckDB": FileFormat(
        (".duckdb", ".ddb"),
        lambda data: data[8:12] == b"DUCK",
        DatabaseHandler("DuckDB"),
        ("table_name",),
        in_place=True,
    ),
    "SQLite": FileFormat(
        (".sqlite", ".sqlite3"),
        begins_with(b"SQLite format 3\0"),
        DatabaseHandler("SQLite"),
        ("table_name",),
        in_place=True,
    ),
}
"""Every kind of file that can be read."""

_COMPRESSED = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"\x28\xb5\x2f\xfd": "zstd"}

N_FIRST_BYTES = 1024
"""Number of bytes that tell the kind of a file."""


def kind_of_file(file: WatchedFile) -> FileKind:
    """Return the kind of a file; raise `ReadError` if it is not what its ending says."""
    return kind_of(file.beginning(N_FIRST_BYTES), file.path, file.label)


def kind_of(beginning: bytes, path: Path | None, label: str) -> FileKind:
    """Return the kind of a file by its first bytes and its ending.

    Parameters
    ----------
    beginning
        Its first `N_FIRST_BYTES` bytes, or more.
    path
        Where it is; None for standard input.
    label
        What messages call it.

    Raises
    ------
    ReadError
        If its ending says another kind than its first bytes.
    """
    begun = next((kind for kind, one in FORMATS.items() if one.begins is not None and one.begins(beginning)), None)
    named = "CSV" if path is None else kind_of_ending(path) or "CSV"
    packed = next((name for first, name in _COMPRESSED.items() if beginning.startswith(first)), None)
    may_be_r = path is None or path.suffix.lower() not in (".gz", ".bz2", ".xz", ".zst")  # R compresses its files, too
    if packed is not None and named == "CSV" and not (begun == "R" and may_be_r):
        raise ReadError(f"{label} is compressed by {packed}: decompress it first, and give the file that comes of it")
    if named in ("CSV", begun):  # a text file may have any ending
        return begun or "CSV"
    if begun is not None:
        raise ReadError(f"{label} ends like {with_article(named)}, but is {with_article(begun)}: rename it")
    if FORMATS[named].begins is not None:
        raise ReadError(f"{label} is a damaged {named} file, or none: it does not begin as one")
    return named


def kind_of_ending(path: Path) -> FileKind | None:
    """Return the kind of file that the ending of a path names, if it names one."""
    suffix = path.suffix.lower()
    return next((kind for kind, one in FORMATS.items() if suffix in one.suffixes), None)


def written_suffixes() -> tuple[str, ...]:
    """Return the endings of all files that can be written."""
    return tuple(suffix for one in FORMATS.values() for suffix in one.written_suffixes)
