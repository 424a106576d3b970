"""Excel workbooks opened by openpyxl, and what is refused of them."""

import warnings
from io import BytesIO
from pathlib import Path
from typing import Any

from microagg.model.errors import ReadError
from microagg.source.file_handler import needing_extra

ZIP = b"PK\x03\x04"
"""What a workbook begins with: it is a ZIP archive."""

OLD_OR_LOCKED = bytes.fromhex("d0cf11e0a1b11ae1")
"""What an old workbook begins with, and a new one with a password."""

_MAIN_PART = "xl/workbook.xml"
_BYTES_PER_BYTE = 10  # that a cell takes in memory, for each byte of the text that it is in the archive


def load(data: bytes, file: str, *, stored_values: bool = False, streamed: bool = False) -> Any:
    """Open a workbook.

    Parameters
    ----------
    data
        The bytes of the file.
    file
        What messages call it.
    stored_values
        Whether formulas are read as the values that they had when the file was saved.
    streamed
        Whether rows are read one after another, without what is known of the sheet besides.

    Raises
    ------
    ReadError
        If openpyxl is not installed, or if the file is damaged, locked or no workbook.
    """
    with needing_extra("excel", f"the Excel file {file}"):
        import openpyxl
    _check_archive(data, file)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what openpyxl does not read, which is left out anyway
        try:
            return openpyxl.load_workbook(
                BytesIO(data), read_only=streamed, data_only=stored_values, keep_links=False, rich_text=False
            )
        except Exception as error:  # openpyxl raises whatever its parsers meet
            raise ReadError(f"{file} is a damaged Excel file: {type(error).__name__}") from None


def estimated_memory(path: Path) -> int:
    """Estimate the bytes that a workbook takes in memory while it is read; of a damaged one, those of the file."""
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            parts = [part.file_size for part in archive.infolist() if part.filename.startswith("xl/")]
    except zipfile.BadZipFile:
        return path.stat().st_size
    return path.stat().st_size + _BYTES_PER_BYTE * sum(parts)


def _check_archive(data: bytes, file: str) -> None:
    """Refuse what is no workbook, with what it is where that is known."""
    import zipfile
    import zlib

    if data.startswith(OLD_OR_LOCKED):
        raise ReadError(f"{file} is an old Excel file, or one with a password: save it as .xlsx, without a password")
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            parts = set(archive.namelist())
            is_sound = archive.testzip() is None  # piece by piece: no part is larger than the archive says
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError):  # kinds of ZIP that no workbook is
        is_sound = False
    if not is_sound:
        raise ReadError(f"{file} is a damaged Excel file: it is no complete archive")
    if _MAIN_PART not in parts:
        found = "a binary Excel file" if "xl/workbook.bin" in parts else "an archive without a workbook"
        raise ReadError(f"{file} is {found}: save the table as .xlsx or .csv, and read that")
