"""Sheets of Excel workbooks as a source of columns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from microagg.model.names import listing
from microagg.model.reading import Reading
from microagg.source.delimited import names_stand_over_numbers
from microagg.source.excel.sheet_layout import SheetLayout
from microagg.source.frame import FrameSource


@dataclass(frozen=True, eq=False, repr=False)
class WorkbookSource(FrameSource):
    """Source of the columns of a sheet.

    Parameters
    ----------
    layout
        What is kept of the sheet besides its values.
    first_row
        What is in the first row, if that names the columns.
    reading
        The user's options for reading it.
    other_sheets
        Names of the sheets that were not read.
    """

    layout: SheetLayout = field(default_factory=lambda: SheetLayout(""))
    first_row: tuple[Any, ...] = ()
    reading: Reading = field(default_factory=Reading)
    other_sheets: tuple[str, ...] = ()

    def __repr__(self) -> str:
        file = "standard input" if self.path is None else repr(self.path.name)
        size = f"{self.n_records} records, {len(self.names)} columns"
        return f"WorkbookSource({file}, sheet {self.layout.title!r}, {size})"

    @property
    def table(self) -> str:
        """Name of the sheet."""
        return self.layout.title

    @property
    def read_as(self) -> dict[str, str]:
        """How the file was read, in words."""
        others = {"sheets not read": listing(self.other_sheets)} if self.other_sheets else {}
        return {"sheet": repr(self.table), **others}

    def header_doubt(self) -> str | None:
        """Describe why the first row may be a record and not a header; None if it is not doubtful, or was given."""
        if self.reading.header is not None:
            return None
        both = list(zip(self.names, self.first_row, strict=True))
        no_text = (f"{name!r} is no text" for name, found in both if not isinstance(found, str))
        own = (
            f"{name!r} is a value of its own column too"
            for name, found in both
            if self.n_records > 1 and self.kind(name) in ("text", "category") and found in self.values(name)
        )
        reason = next(no_text, None)
        if reason is None and not names_stand_over_numbers(self.names, self.kind):
            reason = next(own, None)
        return (
            None if reason is None else f"the first row may be a record and not the names of the columns, as {reason}"
        )

    def description(self, name: str | None) -> Mapping[str, Any]:
        """Return the kind of a column's cells and their number format, or with None what else is in the workbook."""
        if name is None:
            return {"sheet": self.layout.title, **self.layout.left_out}
        column = self.layout.columns[name]
        return {
            "type": str(self.frame.schema[name]),
            "number format": column.usual_format,
            "further number formats": len({*column.formats}) - 1,
            "formulas": column.n_formulas,
        }
