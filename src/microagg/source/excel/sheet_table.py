"""Table of a sheet: the first row names the columns, and each further row is a record."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from microagg.model.errors import ReadError
from microagg.model.names import listing
from microagg.model.reading import Reading
from microagg.source.excel.sheet_cells import cell_value, series_of_cells
from microagg.source.excel.workbook_file import load
from microagg.source.table_choice import chosen_table

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False, repr=False)
class SheetTable:
    """Cells of the table of a sheet.

    Parameters
    ----------
    workbook, sheet
        The workbook and the sheet, as openpyxl holds them.
    data
        The bytes of the file.
    file
        What messages call it.
    has_names
        Whether the first row names the columns.
    """

    workbook: Any
    sheet: Any
    data: bytes
    file: str
    has_names: bool

    @classmethod
    def opened(cls, data: bytes, file: str, reading: Reading) -> "SheetTable":
        """Open the sheet that is wanted; raise `ReadError` if there is none, or none such."""
        workbook = load(data, file)
        return cls(workbook, wanted_sheet(workbook, file, reading), data, file, reading.header is not False)

    @property
    def label(self) -> str:
        """What messages call the sheet."""
        return f"sheet {self.sheet.title!r} of {self.file}"

    @cached_property
    def size(self) -> tuple[int, int]:
        """Numbers of rows and columns, up to the last that hold anything."""
        cells = self.sheet._cells.values()  # those that are there: the last row of a sheet may be coloured
        filled = [(cell.row, cell.column) for cell in cells if cell.value is not None]
        return max((row for row, _ in filled), default=0), max((column for _, column in filled), default=0)

    @cached_property
    def columns(self) -> list[list[Any]]:
        """The cells by column, that of the name first; raise `ReadError` if there are none, or merged ones."""
        n_rows, n_columns = self.size
        if not n_rows:
            raise ReadError(f"{self.label} is empty: expected a row of column names and a row for each record")
        for merged in self.sheet.merged_cells.ranges:
            if merged.min_row <= n_rows and merged.min_col <= n_columns:
                raise ReadError(f"the cells {merged.coord} of {self.label} are merged: unmerge them, and fill them in")
        return [list(column) for column in self.sheet.iter_cols(1, n_columns, 1, n_rows)]

    @cached_property
    def records(self) -> list[list[Any]]:
        """The cells of the records, by column."""
        return [column[self.has_names :] for column in self.columns]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the columns; raise `ReadError` if one has none, or that of another."""
        first = [column[0].value for column in self.columns]
        return column_names(first if self.has_names else [None] * len(first), self.label, has_names=self.has_names)

    def frame(self) -> "pl.DataFrame":
        """Return the table with typed columns; raise `ReadError` if a cell is an error, or a formula without value."""
        import polars as pl

        series = [series_of_cells([self._value(cell) for cell in cells]) for cells in self.records]
        return pl.DataFrame(dict(zip(self.names, series, strict=True)))

    def _value(self, cell: Any) -> Any:
        """Return the value of a cell; of a formula, what was stored with it."""
        if cell.data_type != "f":
            return cell_value(cell, self.label)
        stored = self._stored[cell.coordinate]
        if stored.value is None:
            raise ReadError(
                f"cell {cell.coordinate} of {self.label} is a formula without a value: open the file in Excel, and "
                "save it there"
            )
        return cell_value(stored, self.label)

    @cached_property
    def _stored(self) -> Any:
        """The same sheet with the values of formulas."""
        return load(self.data, self.file, stored_values=True)[self.sheet.title]


def wanted_sheet(workbook: Any, file: str, reading: Reading) -> Any:
    """Return the sheet that is named, or else the first that can be seen; raise `ReadError` if there is none."""
    names = [sheet.title for sheet in workbook.worksheets]
    visible = [sheet.title for sheet in workbook.worksheets if sheet.sheet_state == "visible"]
    wanted = reading.table_name or next(iter(visible), None)
    return workbook[chosen_table(names, wanted, file, "sheet")]


def column_names(first_row: list[Any], label: str, *, has_names: bool) -> tuple[str, ...]:
    """Return the names of columns, which are numbered if the first row does not name them.

    Raises
    ------
    ReadError
        If one is empty, or two are the same.
    """
    if not has_names:
        return tuple(f"column_{number}" for number in range(1, len(first_row) + 1))
    for number, name in enumerate(first_row, start=1):
        if name is None or name == "":
            raise ReadError(
                f"column {number} of {label} has no name in the first row: the table must start in the first cell, and "
                "each of its columns must have a name"
            )
    names = tuple(map(str, first_row))
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ReadError(f"{label} has several columns of the name {listing(twice)}: give each a name of its own")
    return names
