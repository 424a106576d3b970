"""A sheet is a table if it is one; what is not is refused by naming the cell, what may be overlooked is said."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from microagg import ReadError, protect, read
from microagg.data_size import first_records
from microagg.model.errors import DoubtError
from microagg.model.reading import Reading
from microagg.source.memory_estimate import estimated_memory

NO_NAME = (
    "has no name in the first row: the table must start in the first cell, and each of its columns must have a name"
)


def _workbook(path: Path, rows: Sequence[Sequence[Any]], edit: Callable[[Any], None] | None = None) -> Path:
    """Write a workbook of one sheet, edited."""
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    assert sheet is not None
    for row in rows:
        sheet.append(list(row))
    if edit is not None:
        edit(workbook)
    workbook.save(path)
    return path


def _refusal(path: Path, **reading: Any) -> str:
    with pytest.raises(ReadError) as caught:
        read(path, **reading)
    return str(caught.value).replace(str(path), "in.xlsx")


def _with_stored_values(path: Path, stored: dict[str, str]) -> Path:
    """Store values with the formulas of a sheet, as Excel does."""
    import zipfile

    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    part = "xl/worksheets/sheet1.xml"
    for formula, value in stored.items():
        parts[part] = (
            parts[part]
            .replace(f"<f>{formula}</f><v />".encode(), f"<f>{formula}</f><v>{value}</v>".encode())
            .replace(f"<f>{formula}</f><v></v>".encode(), f"<f>{formula}</f><v>{value}</v>".encode())
        )
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


def test_rows_and_columns_that_are_only_formatted_are_no_part_of_the_table(tmp_path: Path) -> None:
    def colour(workbook: Any) -> None:
        workbook.active["Z1000000"].number_format = "0.00"

    table = read(_workbook(tmp_path / "in.xlsx", [["a", "b"], [1, 2], [3, None]], colour))
    assert (table.names, table.n_records) == (("a", "b"), 2)


def test_sheets_are_chosen_by_name(tmp_path: Path) -> None:
    def add(workbook: Any) -> None:
        workbook.create_sheet("Second").append(["other"])
        workbook["Second"].append([5])
        workbook.create_sheet("Hidden", 0).sheet_state = "hidden"
        workbook["Hidden"].append(["no"])

    path = _workbook(tmp_path / "in.xlsx", [["a"], [1]], add)
    assert read(path).names == ("a",), "the first sheet that can be seen"
    assert read(path, table_name="Second").names == ("other",)
    assert read(path, table_name="Hidden").names == ("no",)
    assert _refusal(path, table_name="second one") == "in.xlsx has no sheet 'second one': did you mean 'Second'?"
    assert _refusal(path, table_name="Zzz") == "in.xlsx has no sheet 'Zzz': it has 'Hidden', 'Sheet', 'Second'"


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "sheet 'Sheet' of in.xlsx is empty: expected a row of column names and a row for each record"),
        (
            [["a", None, "c"], [1, 2, 3]],
            f"column 2 of sheet 'Sheet' of in.xlsx {NO_NAME}",
        ),
        (
            [[None, None], ["a", "b"], [1, 2]],
            f"column 1 of sheet 'Sheet' of in.xlsx {NO_NAME}",
        ),
        (
            [["a", "b", "a"], [1, 2, 3]],
            "sheet 'Sheet' of in.xlsx has several columns of the name 'a': give each a name of its own",
        ),
        (
            [["a"], [1], ["#DIV/0!"]],
            "cell A3 of sheet 'Sheet' of in.xlsx is the error #DIV/0!: correct it, or clear it",
        ),
        (
            [["a"], ["=1+1"]],
            "cell A2 of sheet 'Sheet' of in.xlsx is a formula without a value: open the file in Excel, and save it "
            "there",
        ),
    ],
)
def test_what_is_no_table_is_refused(rows: list[list[Any]], reason: str, tmp_path: Path) -> None:
    assert _refusal(_workbook(tmp_path / "in.xlsx", rows)) == reason


def test_merged_cells_are_refused_only_within_the_table(tmp_path: Path) -> None:
    rows: list[list[Any]] = [["a", "b"], [1, 2], [3, 4]]
    inside = _workbook(tmp_path / "inside.xlsx", rows, lambda workbook: workbook.active.merge_cells("A2:A3"))
    expected = f"the cells A2:A3 of sheet 'Sheet' of {inside} are merged: unmerge them, and fill them in"
    with pytest.raises(ReadError) as caught:
        read(inside)
    assert str(caught.value) == expected
    outside = _workbook(tmp_path / "outside.xlsx", rows, lambda workbook: workbook.active.merge_cells("D1:E1"))
    assert read(outside).n_records == 2


def test_formulas_are_read_as_stored_and_announced(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    rows: list[list[Any]] = [["income", "rent", "total"], [10, 1, "=A2+$B$2"], [20, 2, "=A3+$B$2"]]
    path = _workbook(tmp_path / "in.xlsx", rows)
    _with_stored_values(path, {"A2+$B$2": "11", "A3+$B$2": "21"})
    with caplog.at_level(logging.WARNING, "microagg"):
        table = read(path)
    assert table.values("total") == [11, 21]
    assert caplog.messages == [
        f"column 'total' of sheet 'Sheet' of {path} holds formulas of 'income', 'rent': their stored values are read "
        "and released; protect it or drop it, if these tell what is protected"
    ]
    assert table.source.description("total")["formulas"] == 2  # type: ignore[attr-defined]


def test_hidden_rows_and_columns_are_announced(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def hide(workbook: Any) -> None:
        workbook.active.column_dimensions["B"].hidden = True
        workbook.active.row_dimensions[3].hidden = True

    path = _workbook(tmp_path / "in.xlsx", [["a", "b"], [1, 2], [3, 4]], hide)
    with caplog.at_level(logging.WARNING, "microagg"):
        table = read(path)
    assert table.values("b") == [2, 4]
    assert caplog.messages == [
        f"'b' is hidden in sheet 'Sheet' of {path}: it is read and released like any other column",
        f"1 row of sheet 'Sheet' of {path} cannot be seen: all are read and released",
    ]


def test_a_first_row_that_may_be_a_record_is_doubted(tmp_path: Path) -> None:
    path = _workbook(tmp_path / "in.xlsx", [[2019, 7], [5, 6], [7, 8], [9, 1]])
    assert read(path).names == ("2019", "7")
    with pytest.raises(DoubtError, match="the first row may be a record and not the names of the columns, as '2019'"):
        protect(read(path), 2)
    unnamed = read(path, header=False)
    assert (unnamed.names, unnamed.n_records) == (("column_1", "column_2"), 4)
    assert read(path, header=True).source.header_doubt() is None
    texts = read(_workbook(tmp_path / "texts.xlsx", [["Ulm", "b"], ["Bonn", 1], ["Ulm", 2]]))
    assert texts.source.header_doubt() == (
        "the first row may be a record and not the names of the columns, as 'Ulm' is a value of its own column too"
    )


def test_a_sheet_without_names_is_written_without_names(tmp_path: Path) -> None:
    from microagg import protect_file

    path = _workbook(tmp_path / "in.xlsx", [[1, 10.5], [2, 11.5], [30, 80.5], [31, 81.5]])
    protect_file(path, tmp_path / "out.xlsx", 2, columns=["column_2"], header=False)
    sheet = openpyxl.load_workbook(tmp_path / "out.xlsx").active
    assert sheet is not None
    assert [list(row) for row in sheet.values] == [[1, 11], [2, 11], [30, 81], [31, 81]]


def test_options_of_text_files_are_refused(tmp_path: Path) -> None:
    path = _workbook(tmp_path / "in.xlsx", [["a"], [1]])
    assert _refusal(path, delimiter=";") == (
        "'delimiter' tells how a text file is read, found the Excel file in.xlsx: leave it out"
    )


def test_first_records_are_streamed(tmp_path: Path) -> None:
    path = _workbook(tmp_path / "in.xlsx", [["a", "b"], *([number, "x"] for number in range(1500))])
    first = first_records(path, Reading())
    assert (first.table.n_records, first.n_records) == (1000, 1500)
    assert first.table.kind("a") == "integer"
    few = first_records(_workbook(tmp_path / "few.xlsx", [["a"], [1], [2]]), Reading())
    assert (few.table.n_records, few.n_records) == (2, 2)


def test_memory_is_estimated_from_the_archive(tmp_path: Path) -> None:
    small = _workbook(tmp_path / "small.xlsx", [["a"], [1]])
    large = _workbook(tmp_path / "large.xlsx", [["a"], *([number] for number in range(3000))])
    assert estimated_memory(small) < estimated_memory(large)
    assert estimated_memory(large) > 3000 * 200
