"""Sheets written as Excel workbooks: values, number formats, widths and the style of names, and nothing else."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microagg.model.errors import WriteError
from microagg.model.source_protocol import Changes, Source
from microagg.source.excel.sheet_cells import NOT_AVAILABLE
from microagg.source.excel.sheet_layout import GENERAL, ColumnLayout, SheetLayout
from microagg.source.excel.workbook_limits import check_frame
from microagg.source.excel.workbook_source import WorkbookSource
from microagg.source.file_handler import needing_extra

if TYPE_CHECKING:
    import polars as pl

_TITLE = "release"
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
    check_frame(frame)
    layout = source.layout if isinstance(source, WorkbookSource) else SheetLayout(_TITLE)
    if layout.left_out:
        _log.warning("of the workbook, only the sheet %r is written: left out are %s", layout.title, _listed(layout))
    workbook = Workbook(write_only=True)
    if layout.epoch is not None:
        workbook.epoch = layout.epoch
    workbook.properties.creator = None
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
        self._sheet = sheet
        self._series = series
        self._layout = layout

    def __iter__(self) -> Iterator[Any]:
        """Yield the cell of each record, or its value alone if that is enough."""
        layout = self._layout
        for record, value in enumerate(self._series):
            number_format = layout.format_of(record)
            marked = value is None and record in layout.not_available
            if number_format == GENERAL and _is_plain(value) and not marked:
                yield value
            else:
                yield self._cell(record, value, number_format)

    def _cell(self, record: int, value: Any, number_format: str) -> Any:
        """Return a cell with its format: empty where there is no number, an error where that marks a missing value."""
        from openpyxl.cell import WriteOnlyCell

        shown = value if value == value else None
        if value is None and record in self._layout.not_available:
            shown = NOT_AVAILABLE
        if isinstance(shown, float | Decimal) and not _is_kept(shown):
            cell = WriteOnlyCell(self._sheet, repr(float(shown)))
            cell.data_type = "n"
        else:
            cell = WriteOnlyCell(self._sheet, shown)
        if isinstance(value, str):
            cell.data_type = "s"  # a text, also if it looks like a formula or an error
            cell.quotePrefix = value.startswith("=")
        if number_format != GENERAL:
            cell.number_format = number_format
        elif cell.number_format != GENERAL:
            cell.number_format = GENERAL
        return cell


def _is_plain(value: Any) -> bool:
    """Check whether openpyxl writes a value as it is: most numbers, and texts that look like no formula or error."""
    if isinstance(value, str):
        return not value.startswith(("=", "#"))
    return value is None or isinstance(value, int) or (isinstance(value, float) and _is_kept(value))


def _is_kept(value: float | Decimal) -> bool:
    """Check whether openpyxl writes a number exactly: it writes 16 digits, and some floats need 17."""
    return float(f"{value:.16g}") == float(value)


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
