"""Layout of a sheet: what is kept of it besides the values, and what is left out."""

from collections import Counter
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from microagg.model.arrays import IntArray
from microagg.source.excel.sheet_cells import is_not_available
from microagg.source.excel.sheet_table import SheetTable

_PROGRAM = "openpyxl"  # what it takes for the author of a file that names none

GENERAL = "General"
"""Number format of a cell that has none of its own."""


class HeaderStyle(NamedTuple):
    """How the name of a column is shown, as openpyxl holds it."""

    font: Any
    fill: Any
    border: Any
    alignment: Any


@dataclass(frozen=True)
class ColumnLayout:
    """What is kept of a column of a sheet besides its values.

    Parameters
    ----------
    formats
        Number format of each record; one if it is that of all of them.
    not_available
        Records whose cell is the error #N/A, which stands for a missing value.
    n_formulas
        Number of cells that were formulas.
    width
        Width of the column; None: the usual one.
    header
        How its name is shown; None where no row names the columns.
    """

    formats: tuple[str, ...] = (GENERAL,)
    not_available: frozenset[int] = frozenset()
    n_formulas: int = 0
    width: float | None = None
    header: HeaderStyle | None = field(default=None, repr=False)

    @property
    def usual_format(self) -> str:
        """The most frequent number format: a replaced column has it, as other ones may tell of its values."""
        return Counter(self.formats).most_common(1)[0][0] if self.formats else GENERAL

    def format_of(self, record: int) -> str:
        """Return the number format of a record."""
        return self.formats[0] if len(self.formats) == 1 else self.formats[record]

    def in_order(self, order: IntArray | None) -> "ColumnLayout":
        """Return the layout for records in another order, or some of them."""
        if order is None:
            return self
        records = order.tolist()
        formats = self.formats if len(self.formats) == 1 else tuple(self.formats[record] for record in records)
        rows = frozenset(row for row, record in enumerate(records) if record in self.not_available)
        return replace(self, formats=formats, not_available=rows)


@dataclass(frozen=True)
class SheetLayout:
    """What is kept of a sheet besides its values, and what is left out.

    Parameters
    ----------
    title
        Name of the sheet.
    columns
        What is kept of each column, by its name.
    has_names
        Whether the first row names the columns.
    freeze
        First cell that moves, where those left of it and above do not; None: all of them move.
    epoch
        Day from which dates are counted.
    left_out
        What else is in the workbook: how many there are of it, by what it is.
    """

    title: str
    columns: Mapping[str, ColumnLayout] = field(default_factory=dict)
    has_names: bool = True
    freeze: str | None = None
    epoch: Any = None
    left_out: Mapping[str, int] = field(default_factory=dict)


def layout_of(table: SheetTable) -> SheetLayout:
    """Return what is kept of a sheet besides its values, and what is left out."""
    widths = _widths(table.sheet)
    named = zip(table.names, table.columns, table.records, strict=True)
    columns = {
        name: _column_layout(cells, widths.get(number), column[0] if table.has_names else None)
        for number, (name, column, cells) in enumerate(named, start=1)
    }
    left_out = {what: number for what, number in _left_out(table).items() if number}
    return SheetLayout(
        table.sheet.title, columns, table.has_names, table.sheet.freeze_panes, table.workbook.epoch, left_out
    )


def _column_layout(cells: list[Any], width: float | None, header: Any) -> ColumnLayout:
    formats = tuple(cell.number_format for cell in cells)
    style = None
    if header is not None:
        style = HeaderStyle(copy(header.font), copy(header.fill), copy(header.border), copy(header.alignment))
    return ColumnLayout(
        formats[:1] if len({*formats}) == 1 else formats,
        frozenset(row for row, cell in enumerate(cells) if is_not_available(cell)),
        sum(cell.data_type == "f" for cell in cells),
        width,
        style,
    )


def _widths(sheet: Any) -> dict[int, float]:
    """Return the widths that were given to columns, by their numbers; openpyxl keeps those of neighbours together."""
    widths: dict[int, float] = {}
    for columns in sheet.column_dimensions.values():
        if columns.customWidth and columns.width:
            widths |= dict.fromkeys(range(columns.min, columns.max + 1), columns.width)
    return widths


def _left_out(table: SheetTable) -> dict[str, int]:
    workbook = table.workbook
    sheet = table.sheet
    properties = workbook.properties
    return {
        "other sheets": len(workbook.sheetnames) - 1,
        "comments": sum(cell.comment is not None for column in table.columns for cell in column),
        "links": sum(cell.hyperlink is not None for column in table.columns for cell in column),
        "defined names": len(workbook.defined_names) + len(sheet.defined_names),
        "conditional formats": len(sheet.conditional_formatting),
        "data validations": len(sheet.data_validations.dataValidation),
        "names of authors": sum(map(_is_name, (properties.creator, properties.lastModifiedBy))),
        "title and keywords": sum(map(bool, (properties.title, properties.subject, properties.keywords))),
    }


def _is_name(author: str | None) -> bool:
    return author not in (None, "", _PROGRAM)
