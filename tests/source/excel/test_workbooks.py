"""Workbooks: a round trip keeps everything but what is replaced, and releases nothing else."""

import datetime as dt
import logging
import pickle
import tempfile
import zipfile
from decimal import Decimal
from pathlib import Path

import openpyxl
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microagg import Plan, WriteError, changes, inspect, protect, protect_file, read, write
from microagg.report import report
from microagg.report.facts import facts
from microagg.source.excel import workbook_limits
from microagg.source.excel.workbook_source import WorkbookSource
from workbooks import N_RECORDS, NAMES, cells_of, survey_row, survey_workbook

PLAN = Plan(k=3, columns=["income", "born"], drop=["town"], exclude=["id", "seen", "code", "open", "rate"])


def test_columns_have_their_types(tmp_path: Path) -> None:
    table = read(survey_workbook(tmp_path / "in.xlsx"))
    kinds = ["integer", "number", "date", "datetime", "boolean", "text", "mixed", "text", "number"]
    assert [table.kind(name) for name in NAMES] == kinds
    assert isinstance(table.source, WorkbookSource)
    assert repr(table.source) == "WorkbookSource('in.xlsx', sheet 'Data', 8 records, 9 columns)"
    rows = [survey_row(number) for number in range(N_RECORDS)]
    assert table.values("seen") == [row[3] for row in rows]
    assert table.values("born") == [row[2] for row in rows]
    assert table.values("town") == [row[5] for row in rows]
    assert table.values("code") == [row[6] for row in rows]
    assert table.values("id") == [0, 1, None, 3, 4, 5, 6, 7]


def test_a_round_trip_without_changes_is_identical(tmp_path: Path) -> None:
    survey_workbook(tmp_path / "in.xlsx")
    write(read(tmp_path / "in.xlsx"), tmp_path / "out.xlsx")
    assert cells_of(tmp_path / "out.xlsx") == cells_of(tmp_path / "in.xlsx")


def test_a_release_is_identical_in_everything_but_the_protected_columns(tmp_path: Path) -> None:
    survey_workbook(tmp_path / "in.xlsx")
    protect_file(tmp_path / "in.xlsx", tmp_path / "out.xlsx", plan=PLAN)
    before = cells_of(tmp_path / "in.xlsx")
    after = cells_of(tmp_path / "out.xlsx")
    assert list(after) == [name for name in NAMES if name != "town"]
    for name in after:
        if name not in ("income", "born"):
            assert after[name] == before[name], name
    formats = [{cell[2] for cell in after[name]} for name in ("income", "born")]
    assert formats == [{"#,##0.00"}, {"dd.mm.yyyy"}]
    means = {cell[0] for cell in after["income"]}
    assert all([cell[0] for cell in after["income"]].count(mean) >= 3 for mean in means)
    assert all(isinstance(cell[0], dt.datetime) for cell in after["born"])


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=60))
def test_floats_come_back_to_the_last_bit(numbers: list[float]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write(read(pl.DataFrame({"x": numbers, "y": [0.1 + 0.2] * len(numbers)})), Path(folder, "out.xlsx"))
        again = read(Path(folder, "out.xlsx"))
    assert again.numbers("x").tolist() == numbers
    assert set(again.values("y")) == {0.1 + 0.2}


def test_means_of_any_numbers_are_released_as_a_workbook(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": [(number * 7919 % 101) / 7 for number in range(30)]})
    frame.write_parquet(tmp_path / "in.parquet")
    release = protect_file(tmp_path / "in.parquet", tmp_path / "out.xlsx", plan=Plan(k=3, columns=["x"]))
    assert read(tmp_path / "out.xlsx").values("x") == release.data["x"].to_list()


def test_records_are_left_out_and_reordered_with_their_formats(tmp_path: Path) -> None:
    survey_workbook(tmp_path / "in.xlsx")
    order = [6, 2, 3]
    write(read(tmp_path / "in.xlsx").in_order(pl.Series(order).to_numpy()), tmp_path / "out.xlsx")
    before = cells_of(tmp_path / "in.xlsx")
    assert cells_of(tmp_path / "out.xlsx") == {name: [cells[row] for row in order] for name, cells in before.items()}


def test_width_style_and_frozen_rows_are_kept(tmp_path: Path) -> None:
    survey_workbook(tmp_path / "in.xlsx")
    protect_file(tmp_path / "in.xlsx", tmp_path / "out.xlsx", plan=PLAN)
    sheet = openpyxl.load_workbook(tmp_path / "out.xlsx")["Data"]
    assert sheet["A1"].font.b
    assert sheet["A1"].font.color.rgb == "00FF0000"
    assert sheet["B1"].fill.fgColor.rgb == "00FFFF00"
    assert sheet.column_dimensions["B"].width == 31
    assert sheet.freeze_panes == "A2"
    assert sheet["B5"].fill.fill_type is None, "the colour of a record may tell of its value"


def test_nothing_else_of_the_workbook_is_released(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    survey_workbook(tmp_path / "in.xlsx")
    with zipfile.ZipFile(tmp_path / "in.xlsx") as archive:
        everything = b"".join(archive.read(name) for name in archive.namelist()).upper()
    parts = ["SHEET", "CELL", "COMMENT", "COMMENTATOR", "LINK", "CHOICE", "AUTHOR", "EDITOR", "TITLE"]
    secrets = [f"SECRET-{part}".encode() for part in parts] + [b"SECRETNAME"]
    assert [secret for secret in secrets if secret not in everything] == [], "the test can fail"
    with caplog.at_level(logging.WARNING, "microagg"):
        protect_file(tmp_path / "in.xlsx", tmp_path / "out.xlsx", plan=PLAN)
    with zipfile.ZipFile(tmp_path / "out.xlsx") as archive:
        assert not [name for name in archive.namelist() if "comment" in name.lower()]
        everything = b"".join(archive.read(name) for name in archive.namelist()).upper()
    assert b"SECRET" not in everything
    assert openpyxl.load_workbook(tmp_path / "out.xlsx").sheetnames == ["Data"]
    left_out = (
        "of the workbook, only the sheet 'Data' is written: left out are other sheets (1), comments (1), links (1), "
        "defined names (1), data validations (1), names of authors (2), title and keywords (1)"
    )
    assert left_out in caplog.messages


def test_what_is_left_out_is_in_the_change_report(tmp_path: Path) -> None:
    survey_workbook(tmp_path / "in.xlsx")
    protect_file(tmp_path / "in.xlsx", tmp_path / "out.xlsx", plan=PLAN)
    found = changes(tmp_path / "in.xlsx", tmp_path / "out.xlsx", plan=PLAN)
    assert {change.what: (change.before, change.after) for change in found.table} == {
        "other sheets": ("1", None),
        "comments": ("1", None),
        "links": ("1", None),
        "defined names": ("1", None),
        "data validations": ("1", None),
        "names of authors": ("2", None),
        "title and keywords": ("1", None),
    }
    assert found.changed == ("income", "born")
    assert found.unplanned == ()


def test_a_mark_of_a_missing_value_comes_back(tmp_path: Path) -> None:
    survey_workbook(tmp_path / "in.xlsx")
    plan = Plan(k=3, columns=["id", "income"], exclude=["born", "seen", "code", "open", "rate"], missing="available")
    protect_file(tmp_path / "in.xlsx", tmp_path / "out.xlsx", plan=plan)
    column = cells_of(tmp_path / "out.xlsx")["id"]
    assert column[2][:2] == ("#N/A", "e")
    assert [cell[1] for cell in column].count("e") == 1


def test_any_table_becomes_a_workbook(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "text": ["=1+1", "#N/A", "plain"],
            "whole": [1, -(2**53), None],
            "float": [0.1, float("nan"), 1e300],
            "yes": [True, None, False],
            "day": [dt.date(1900, 1, 1), dt.date(2020, 2, 29), None],
            "noon": [dt.datetime(2020, 1, 1, 12), dt.datetime(2020, 1, 1, 12, 0, 0, 5000), None],
            "kind": pl.Series(["a", "b", None], dtype=pl.Categorical),
        }
    )
    write(read(frame), tmp_path / "out.xlsx")
    cells = cells_of(tmp_path / "out.xlsx", "release")
    assert [cell[:2] for cell in cells["text"]] == [("=1+1", "s"), ("#N/A", "s"), ("plain", "s")]
    assert [cell[0] for cell in cells["whole"]] == [1, -(2**53), None]
    assert [cell[0] for cell in cells["float"]] == [0.1, None, 1e300]
    assert cells["day"][1] == (dt.datetime(2020, 2, 29), "d", "yyyy-mm-dd")
    assert cells["noon"][1] == (dt.datetime(2020, 1, 1, 12, 0, 0, 5000), "d", "yyyy-mm-dd hh:mm:ss.000")
    assert [cell[0] for cell in cells["kind"]] == ["a", "b", None]
    again = read(tmp_path / "out.xlsx")
    assert [again.kind(name) for name in frame.columns[1:6]] == ["integer", "number", "boolean", "date", "datetime"]
    workbook = openpyxl.load_workbook(tmp_path / "out.xlsx")
    assert workbook["release"]["A2"].quotePrefix, "Excel must not take it for a formula when it is edited"
    assert b"<dc:creator>" not in zipfile.ZipFile(tmp_path / "out.xlsx").read("docProps/core.xml")


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([2**53 + 1], "integers beyond 2^53, which Excel rounds"),
        ([-(2**60)], "integers beyond 2^53, which Excel rounds"),
        ([float("inf")], "infinite numbers"),
        ([Decimal("1.2345678901234567890")], "decimal numbers of more digits than Excel keeps"),
        ([dt.datetime(2020, 1, 1, tzinfo=dt.UTC)], "times with a time zone"),
        ([dt.date(1899, 12, 31)], "dates before 1900"),
        (["x" * 32_768], "texts of more than 32767 characters"),
        ([[1, 2]], "values of type List"),
        ([b"x"], "values of type Binary"),
    ],
)
def test_what_excel_would_change_is_refused(values: list[object], reason: str, tmp_path: Path) -> None:
    with pytest.raises(WriteError) as caught:
        write(read(pl.DataFrame({"x": values})), tmp_path / "out.xlsx")
    expected = (
        f"column 'x' has {reason}: an Excel file cannot hold them; convert it, drop it, or write another kind of file"
    )
    assert str(caught.value) == expected
    assert not (tmp_path / "out.xlsx").exists()


def test_what_excel_cannot_hold_is_named_by_its_row(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": ["fine", "bell \x07"]})
    with pytest.raises(WriteError, match=r"row 2 of column 'x' has a character that an Excel file cannot hold"):
        write(read(frame), tmp_path / "out.xlsx")


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (["x", 2**53 + 1], "integers beyond 2^53"),
        (["x", -float("inf")], "infinite numbers"),
        (["x", object()], "Python objects"),
        ([1, "bell \x07"], "row 2 of column 'x' has a character"),
    ],
)
def test_values_among_others_are_refused_too(values: list[object], reason: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": pl.Series(values, dtype=pl.Object)})
    with pytest.raises(WriteError) as caught:
        write(read(frame), tmp_path / "out.xlsx")
    assert reason in str(caught.value)


def test_records_and_columns_that_excel_would_lose_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="the last record has no values"):
        write(read(pl.DataFrame({"x": [1, None]})), tmp_path / "out.xlsx")
    with pytest.raises(WriteError, match="a column has no name"):
        write(read(pl.DataFrame({"": [1]})), tmp_path / "out.xlsx")
    with pytest.raises(WriteError, match="the name of a column has a character that an Excel file cannot hold"):
        write(read(pl.DataFrame({"a\x07": [1]})), tmp_path / "out.xlsx")
    write(read(pl.DataFrame({"x": [Decimal("1.25")]})), tmp_path / "out.xlsx")
    assert read(tmp_path / "out.xlsx").values("x") == [1.25]


def test_too_many_records_or_columns_are_refused_before_any_work(tmp_path: Path) -> None:
    rows = read(pl.DataFrame({"x": pl.zeros(2**20, eager=True)}))
    with pytest.raises(WriteError, match=r"holds at most 1048575 records, found 1048576: write a CSV or Parquet file"):
        protect_file_target(rows, tmp_path)
    wide = read(pl.DataFrame({f"c{number}": [0] for number in range(2**14 + 1)}))
    with pytest.raises(WriteError, match="holds at most 16384 columns, found 16385"):
        protect_file_target(wide, tmp_path)
    assert (workbook_limits.MOST_RECORDS, workbook_limits.MOST_COLUMNS) == (1_048_575, 16_384)


def protect_file_target(table: object, folder: Path) -> None:
    """Check a target as `protect_file` does before it begins."""
    from microagg.write import check_target

    check_target(table, folder / "out.xlsx")  # type: ignore[arg-type]


def test_a_workbook_with_macros_is_read_but_not_written(tmp_path: Path) -> None:
    survey_workbook(tmp_path / "in.xlsm")
    table = read(tmp_path / "in.xlsm")
    assert table.n_records == N_RECORDS
    with pytest.raises(WriteError, match=r"a file that ends in \.xlsm can be read, but not written"):
        write(table, tmp_path / "out.xlsm")


def test_source_survives_pickling_with_its_layout(tmp_path: Path) -> None:
    table = read(survey_workbook(tmp_path / "in.xlsx"))
    write(pickle.loads(pickle.dumps(table)), tmp_path / "out.xlsx")
    assert cells_of(tmp_path / "out.xlsx") == cells_of(tmp_path / "in.xlsx")
    assert openpyxl.load_workbook(tmp_path / "out.xlsx")["Data"]["A1"].font.b


def test_a_release_in_memory_is_written_like_a_file(tmp_path: Path) -> None:
    survey_workbook(tmp_path / "in.xlsx")
    release = protect(read(tmp_path / "in.xlsx"), plan=PLAN)
    release.write(tmp_path / "out.xlsx")
    protect_file(tmp_path / "in.xlsx", tmp_path / "again.xlsx", plan=PLAN)
    assert cells_of(tmp_path / "out.xlsx") == cells_of(tmp_path / "again.xlsx")
    assert isinstance(release.data, pl.DataFrame)


def test_dates_of_a_macintosh_are_the_same_days(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    workbook.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    sheet = workbook.active
    assert sheet is not None
    sheet.append(["day"])
    sheet.append([dt.date(2020, 2, 29)])
    workbook.save(tmp_path / "in.xlsx")
    table = read(tmp_path / "in.xlsx")
    assert table.values("day") == [dt.date(2020, 2, 29)]
    write(table, tmp_path / "out.xlsx")
    assert cells_of(tmp_path / "out.xlsx") == cells_of(tmp_path / "in.xlsx")


def test_temporary_files_are_beside_the_output_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a file in the system's temporary folder outlasts a kill")

    monkeypatch.setattr("openpyxl.worksheet._writer.create_temporary_file", refuse)
    write(read(pl.DataFrame({"x": [1]})), tmp_path / "out.xlsx")
    with pytest.raises(WriteError):
        write(read(pl.DataFrame({"x": ["fine", "bell \x07"]})), tmp_path / "other.xlsx")
    assert [path.name for path in tmp_path.iterdir()] == ["out.xlsx"]


def test_the_sheet_that_was_read_is_told_with_the_others(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    workbook = openpyxl.Workbook()
    workbook.active.title = "Data"
    for row in [["age", "wage"], *([20 + number % 3, 1000.5 + number**2] for number in range(12))]:
        workbook.active.append(row)
    workbook.create_sheet("Notes").append(["about", "this"])
    workbook.save(tmp_path / "in.xlsx")
    with caplog.at_level(logging.WARNING, "microagg"):
        inspection = inspect(tmp_path / "in.xlsx")
    assert "the first of 2 sheets; not read: 'Notes'" in caplog.text
    told = {"sheet": "'Data'", "sheets not read": "'Notes'"}
    assert inspection.read_as == told
    assert "sheet 'Data', sheets not read 'Notes'" in inspection.summary()
    caplog.clear()
    release = protect(tmp_path / "in.xlsx", 3, columns=["wage"], table_name="Data", method="mdav")
    assert not caplog.text
    assert facts(release)["input"]["read_as"] == told
    assert "sheet 'Data', sheets not read 'Notes'" in report(release, "text")
