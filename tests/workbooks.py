"""Workbooks that tests read, and what must be kept of them."""

import datetime as dt
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl.styles import Font, PatternFill

NAMES = ["id", "income", "born", "seen", "member", "town", "code", "open", "rate"]
N_RECORDS = 8
_START = dt.datetime(2021, 5, 1, 9, 15)


def survey_row(number: int) -> list[Any]:
    """Return a record: numbers, dates, times, a boolean, texts, and values of several types in one column."""
    return [
        number,
        1000.5 + 100 * number,
        dt.date(1980, 1, 1 + number),
        _START + dt.timedelta(hours=number, milliseconds=250),
        number % 2 == 0,
        ["Bonn", "Ulm", "=SUM(A1)"][number % 3],
        number if number % 2 else f"x{number}",
        dt.time(8, number),
        0.1 * number,
    ]


def survey_workbook(path: Path) -> Path:
    """Write a workbook with formats, widths and styles, and with much that must not be released."""
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    assert sheet is not None
    sheet.title = "Data"
    sheet.append(NAMES)
    for number in range(N_RECORDS):
        sheet.append(survey_row(number))
    for row in range(2, N_RECORDS + 2):
        sheet.cell(row, 2).number_format = "#,##0.00"
        sheet.cell(row, 3).number_format = "dd.mm.yyyy"
        sheet.cell(row, 4).number_format = "yyyy-mm-dd hh:mm:ss.000"
        sheet.cell(row, 6).data_type = "s"
        sheet.cell(row, 9).number_format = "0.0%" if row % 2 else "0.00"
    sheet["A4"] = "#N/A"
    sheet["A1"].font = Font(bold=True, color="FF0000")
    sheet["B1"].fill = PatternFill("solid", fgColor="FFFF00")
    sheet.column_dimensions["B"].width = 31
    sheet.freeze_panes = "A2"
    _add_private_parts(workbook, sheet)
    workbook.save(path)
    return path


def _add_private_parts(workbook: Any, sheet: Any) -> None:
    """Add what a release must not have: other sheets, comments, names, authors, colours of single records."""
    from openpyxl.comments import Comment
    from openpyxl.workbook.defined_name import DefinedName
    from openpyxl.worksheet.datavalidation import DataValidation

    original = workbook.create_sheet("SECRET-SHEET")
    original.append(["SECRET-CELL"])
    sheet["B3"].comment = Comment("SECRET-COMMENT", "SECRET-COMMENTATOR")
    sheet["B5"].fill = PatternFill("solid", fgColor="00ABCD")
    sheet["F2"].hyperlink = "https://secret-link.example/"
    workbook.defined_names["SECRETNAME"] = DefinedName("SECRETNAME", attr_text="Data!$A$1")
    validation = DataValidation(type="list", formula1='"SECRET-CHOICE,other"')
    sheet.add_data_validation(validation)
    validation.add("F2")
    workbook.properties.creator = "SECRET-AUTHOR"
    workbook.properties.lastModifiedBy = "SECRET-EDITOR"
    workbook.properties.title = "SECRET-TITLE"


def cells_of(path: Path, sheet: str | None = None) -> dict[str, list[tuple[Any, str, str]]]:
    """Return value, type and number format of the cells of each column, by its name."""
    workbook = openpyxl.load_workbook(path)
    found = workbook[sheet or workbook.sheetnames[0]]
    columns = {}
    for column in found.iter_cols():
        name, *cells = column
        columns[str(name.value)] = [(cell.value, str(cell.data_type), str(cell.number_format)) for cell in cells]
    return columns
