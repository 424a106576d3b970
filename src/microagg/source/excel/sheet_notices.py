"""Notices of what may be overlooked in a sheet: formulas, hidden rows and hidden columns."""

import re
from collections.abc import Iterable
from typing import Any

from microagg.model.names import listing, quantity
from microagg.source.excel.sheet_table import SheetTable

_COLUMN = re.compile(r"\$?([A-Z]{1,3})\$?(?:\d+|(?=:)|$)")


def sheet_notices(table: SheetTable) -> list[str]:
    """Return what may be overlooked in a sheet, each in one sentence."""
    names = dict(enumerate(table.names, start=1))
    notices = []
    for name, cells in zip(table.names, table.records, strict=True):
        formulas = [cell.value for cell in cells if cell.data_type == "f"]
        if formulas:
            referred = [names[number] for number in _referred_columns(formulas) if number in names]
            of_others = f" of {listing(referred)}" if referred else ""
            notices.append(
                f"column {name!r} of {table.label} holds formulas{of_others}: their stored values are read and "
                "released; protect it or drop it, if these tell what is protected"
            )
    hidden = [names[number] for number in _hidden_columns(table.sheet) if number in names]
    if hidden:
        notices.append(f"{listing(hidden)} is hidden in {table.label}: it is read and released like any other column")
    n_hidden = sum(row.hidden for number, row in table.sheet.row_dimensions.items() if number <= table.size[0])
    if n_hidden:
        notices.append(f"{quantity(n_hidden, 'row')} of {table.label} cannot be seen: all are read and released")
    return notices


def _referred_columns(formulas: Iterable[Any]) -> list[int]:
    """Return the numbers of the columns of the same sheet that formulas refer to, in order."""
    from openpyxl.formula import Tokenizer
    from openpyxl.utils import column_index_from_string

    letters: set[str] = set()
    for formula in formulas:
        tokens = Tokenizer(str(getattr(formula, "text", formula))).items
        ranges = [token.value for token in tokens if token.subtype == "RANGE" and "!" not in token.value]
        for cells in ranges:
            letters.update(_COLUMN.findall(cells))
    return sorted(column_index_from_string(one) for one in letters)


def _hidden_columns(sheet: Any) -> list[int]:
    hidden = [columns for columns in sheet.column_dimensions.values() if columns.hidden]
    return sorted(number for columns in hidden for number in range(columns.min, columns.max + 1))
