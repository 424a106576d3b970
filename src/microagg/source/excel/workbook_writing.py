"""Sheets written as Excel workbooks: values, number formats, widths and the style of names, and nothing else."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microagg.model.column import EXACT_INTEGER_LIMIT
from microagg.model.errors import WriteError
from microagg.model.source_protocol import Changes, Source
from microagg.source.excel.sheet_cells import NOT_AVAILABLE
from microagg.source.excel.sheet_layout import GENERAL, ColumnLayout, SheetLayout
from microagg.source.excel.workbook_source import WorkbookSource
from microagg.source.file_handler import needing_extra

if TYPE_CHECKING:
    import polars as pl

MOST_RECORDS = 2**20 - 1
"""Rows of a sheet besides that of the names."""

MOST_COLUMNS = 2**14
"""Columns of a sheet."""

_LONGEST_TEXT = 32_767
_FIRST_DAY = date(1900, 1, 1)
_TITLE = "release"
_NO_TIME = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)  # in place of the time at which it was made
_log = logging.getLogger("microagg")


def write_workbook(source: Source, changes: Changes, path: Path) -> None:
    """Write a source with its changes as a workbook of one sheet.

    Of a workbook that was read, only the sheet that was read is written, with the number formats of its cells, the
    widths of its columns, and the style of their names. Its formulas are written as values. Everything else is left
    out: other sheets may hold what is protected here.
    """
    with needing_extra("excel", f"the Excel file {path.name}", WriteError):
        from openpyxl import Workbook
    frame = source.written(changes, "Excel")
    _check_frame(frame)
    layout = source.layout if isinstance(source, WorkbookSource) else SheetLayout(_TITLE)
    if layout.left_out:
        _log.warning("of the workbook, only the sheet %r is written: left out are %s", layout.title, _listed(layout))
    workbook = Workbook(write_only=True)
    if layout.epoch is not None:
        workbook.epoch = layout.epoch
    workbook.properties.creator = None
    workbook.properties.created = _NO_TIME
    sheet = workbook.create_sheet(layout.title)
    columns = [_Cells(sheet, series, _column_layout(series, layout, changes)) for series in frame.iter_columns()]
    _set_widths(sheet, layout, frame.columns)
    sheet.freeze_panes = layout.freeze
    with _streamed(sheet, path):
        if layout.has_names:
            sheet.append([_name_cell(sheet, name, layout.columns.get(name)) for name in frame.columns])
        for row in zip(*columns, strict=True):
            sheet.append(row)
    workbook.save(path)


@contextmanager
def _streamed(sheet: Any, path: Path) -> Iterator[None]:
    """Write the rows of a sheet to a file beside its workbook, not to the system's temporary folder."""
    from openpyxl.worksheet import _writer

    part = str(path.with_name(f"{path.name}.sheet"))
    _writer.ALL_TEMP_FILES.append(part)  # of which openpyxl removes it in the end
    sheet._writer = _writer.WorksheetWriter(sheet, part)
    sheet._writer.write_top()
    try:
        yield
    except BaseException:
        with suppress(Exception):
            sheet.close()
        raise


class _Cells:
    """Cells of a column that is written.

    Parameters
    ----------
    sheet
        The sheet that they are written to.
    series
        The values.
    layout
        Their number formats, and which of the missing ones are marked.
    """

    def __init__(self, sheet: Any, series: "pl.Series", layout: ColumnLayout) -> None:
        _check(series)
        self._sheet = sheet
        self._series = series
        self._layout = layout

    def __iter__(self) -> Iterator[Any]:
        """Yield the cell of each record."""
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.utils.exceptions import IllegalCharacterError

        for record, value in enumerate(self._series):
            marked = value is None and record in self._layout.not_available
            try:
                cell = WriteOnlyCell(self._sheet, NOT_AVAILABLE if marked else _plain(value))
            except (IllegalCharacterError, ValueError, TypeError):
                raise WriteError(
                    f"row {record + 1} of column {self._series.name!r} has a value that an Excel file cannot hold: "
                    "correct it, drop the column, or write another kind of file"
                ) from None
            if isinstance(value, str):
                cell.data_type = "s"  # a text, also if it looks like a formula or an error
                cell.quotePrefix = value.startswith("=")
            number_format = self._layout.format_of(record)
            if cell.number_format != number_format:
                cell.number_format = number_format
            yield cell


def _plain(value: Any) -> Any:
    """Return a value as openpyxl takes it: nothing for what is no number."""
    return None if isinstance(value, float) and value != value else value


def _column_layout(series: "pl.Series", layout: SheetLayout, changes: Changes) -> ColumnLayout:
    """Return the layout of a column: as it was read, or the usual one of its type."""
    known = layout.columns.get(series.name)
    if known is None:
        return ColumnLayout((_usual_format(series),))
    if series.name not in {column.name for column in changes.replaced}:
        return known.in_order(changes.order)
    as_read = changes.as_read.get(series.name)
    marked = frozenset(record for record in known.not_available if as_read is not None and as_read[record])
    usual = known.usual_format
    plain = _usual_format(series)
    return ColumnLayout((plain if usual == GENERAL else usual,), marked).in_order(changes.order)


def _usual_format(series: "pl.Series") -> str:
    """Return the number format of values of a type."""
    import polars as pl

    if isinstance(series.dtype, pl.Datetime):
        fraction = bool((series.dt.millisecond() != 0).any())
        return "yyyy-mm-dd hh:mm:ss.000" if fraction else "yyyy-mm-dd hh:mm:ss"
    known: dict[Any, str] = {pl.Date: "yyyy-mm-dd", pl.Time: "hh:mm:ss", pl.Duration: "[hh]:mm:ss"}
    return next((text for dtype, text in known.items() if series.dtype == dtype), GENERAL)


def _check_frame(frame: "pl.DataFrame") -> None:
    """Refuse what would be lost: a column without a name, and a last record without any value."""
    if "" in frame.columns:
        raise WriteError("a column has no name, as an Excel file needs it: name it, or write another kind of file")
    if frame.height and all(series[-1] is None for series in frame.iter_columns()):
        raise WriteError("the last record has no values, so that an Excel file would lose it: leave such records out")


def _check(series: "pl.Series") -> None:
    """Refuse values that Excel would change: more digits than a float has, a time zone, more text than a cell holds."""
    import polars as pl

    dtype = series.dtype
    if dtype.is_integer() and ((series.abs() if dtype.is_signed_integer() else series) > EXACT_INTEGER_LIMIT).any():
        raise _refusal(series, "integers beyond 2^53, which Excel rounds")
    if dtype.is_float() and series.is_infinite().any():
        raise _refusal(series, "infinite numbers")
    if isinstance(dtype, pl.Datetime) and dtype.time_zone is not None:
        raise _refusal(series, "times with a time zone")
    if dtype in (pl.Date, pl.Datetime) and (series.cast(pl.Date) < _FIRST_DAY).any():
        raise _refusal(series, "dates before 1900")
    if dtype == pl.String and (series.str.len_chars() > _LONGEST_TEXT).any():
        raise _refusal(series, f"texts of more than {_LONGEST_TEXT} characters")
    if dtype.is_nested() or dtype == pl.Binary:
        raise _refusal(series, f"values of type {dtype.base_type().__name__}")


def _refusal(series: "pl.Series", content: str) -> WriteError:
    return WriteError(
        f"column {series.name!r} has {content}: an Excel file cannot hold them; convert it, drop it, or write another "
        "kind of file"
    )


def _name_cell(sheet: Any, name: str, layout: ColumnLayout | None) -> Any:
    """Return the cell of a column's name."""
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(sheet, name)
    cell.data_type = "s"
    if layout is not None and layout.header is not None:
        for part, style in layout.header._asdict().items():
            setattr(cell, part, style)
    return cell


def _set_widths(sheet: Any, layout: SheetLayout, names: list[str]) -> None:
    from openpyxl.utils import get_column_letter

    for number, name in enumerate(names, start=1):
        width = layout.columns[name].width if name in layout.columns else None
        if width is not None:
            sheet.column_dimensions[get_column_letter(number)].width = width


def _listed(layout: SheetLayout) -> str:
    return ", ".join(f"{what} ({number})" for what, number in layout.left_out.items())
