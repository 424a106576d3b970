"""Handler of Excel workbooks: one sheet is read, and a workbook of one sheet is written."""

import logging
from itertools import islice
from pathlib import Path
from typing import Any

from microagg.model.names import listing
from microagg.model.reading import Reading
from microagg.model.source_protocol import Changes, Source
from microagg.source.excel.sheet_cells import cell_value, series_of_cells
from microagg.source.excel.sheet_layout import layout_of
from microagg.source.excel.sheet_notices import sheet_notices
from microagg.source.excel.sheet_table import SheetTable, column_names, wanted_sheet
from microagg.source.excel.workbook_file import estimated_memory, load
from microagg.source.excel.workbook_source import WorkbookSource
from microagg.source.excel.workbook_writing import write_workbook
from microagg.source.file_handler import FileContent, FirstRecords
from microagg.source.watched_file import WatchedFile

_log = logging.getLogger("microagg")


class WorkbookHandler:
    """What reads and writes Excel workbooks."""

    @property
    def written_suffixes(self) -> tuple[str, ...]:
        """Endings of the files that it can write: not of those with macros."""
        return (".xlsx",)

    def read(self, content: FileContent) -> Source:
        """Return a sheet as a source; raise `ReadError` if it cannot be read as a table."""
        table = SheetTable.opened(content.data, content.label, content.reading)
        others = tuple(sheet.title for sheet in table.workbook.worksheets if sheet.title != table.sheet.title)
        source = WorkbookSource(
            table.frame(),
            path=content.path,
            file_kind="Excel",
            sha256=content.sha256,
            layout=layout_of(table),
            first_row=tuple(column[0].value for column in table.columns),
            reading=content.reading,
            other_sheets=others,
        )
        if others and content.reading.table_name is None:
            _log.warning(
                "%s is read, the first of %d sheets; not read: %s (table_name or --table-name chooses another)",
                table.label,
                len(others) + 1,
                listing(others),
            )
        for notice in sheet_notices(table):
            _log.warning("%s", notice)
        return source

    def first_records(self, file: WatchedFile, n_records: int, reading: Reading) -> FirstRecords:
        """Return the first records of a sheet, and how many rows it is said to have."""
        import polars as pl

        with file.unchanged():
            workbook = load(file.path.read_bytes(), file.label, stored_values=True, streamed=True)
        sheet = wanted_sheet(workbook, file.label, reading)
        has_names = reading.header is not False
        wanted = n_records + has_names
        rows = _without_empty_end([list(row) for row in islice(sheet.iter_rows(), wanted)])
        columns = _without_empty_end(list(map(list, zip(*rows, strict=True))))
        first_row = [column[0].value for column in columns]
        names = column_names(first_row, file.label, has_names=has_names)
        series = [series_of_cells([cell_value(cell, file.label) for cell in cells[has_names:]]) for cells in columns]
        source = WorkbookSource(
            pl.DataFrame(dict(zip(names, series, strict=True))),
            path=file.path,
            file_kind="Excel",
            first_row=tuple(first_row),
            reading=reading,
        )
        is_whole = len(rows) < wanted
        return FirstRecords(source, source.n_records if is_whole else max(sheet.max_row or 0, wanted) - has_names)

    def estimated_memory(self, file: WatchedFile, reading: Reading) -> int:
        """Estimate the bytes that a workbook takes in memory."""
        return estimated_memory(file.path)

    def write(self, source: Source, changes: Changes, path: Path) -> None:
        """Write a source with its changes as a workbook of one sheet."""
        write_workbook(source, changes, path)


def _without_empty_end(lines: list[list[Any]]) -> list[list[Any]]:
    """Return rows or columns of cells without the last ones that hold nothing."""
    while lines and all(cell.value is None for cell in lines[-1]):
        lines.pop()
    return lines
