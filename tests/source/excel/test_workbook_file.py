"""What is no workbook is refused with what it is."""

import sys
import zipfile
from pathlib import Path

import polars as pl
import pytest

from files import write_bytes
from microagg import ReadError, WriteError, read, write
from workbooks import survey_workbook


def _refusal(path: Path) -> str:
    with pytest.raises(ReadError) as caught:
        read(path)
    return str(caught.value).replace(str(path), path.name)


def _archive(path: Path, names: list[str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return path


def test_old_and_locked_workbooks(tmp_path: Path) -> None:
    old = write_bytes(tmp_path / "old.xls", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600))
    expected = "is an old Excel file, or one with a password: save it as .xlsx, without a password"
    assert _refusal(old) == f"old.xls {expected}"
    locked = write_bytes(tmp_path / "locked.xlsx", old.read_bytes())
    assert _refusal(locked) == f"locked.xlsx {expected}"


def test_other_archives(tmp_path: Path) -> None:
    binary = _archive(tmp_path / "in.xlsb", ["xl/workbook.bin"])
    assert _refusal(binary) == "in.xlsb is a binary Excel file: save the table as .xlsx or .csv, and read that"
    other = _archive(tmp_path / "in.ods", ["mimetype", "content.xml"])
    assert _refusal(other) == "in.ods is an archive without a workbook: save the table as .xlsx or .csv, and read that"


def test_damaged_workbooks(tmp_path: Path) -> None:
    whole = survey_workbook(tmp_path / "whole.xlsx").read_bytes()
    cut = write_bytes(tmp_path / "cut.xlsx", whole[: len(whole) // 2])
    assert _refusal(cut) == "cut.xlsx is a damaged Excel file: it is no complete archive"
    empty = _archive(tmp_path / "empty.xlsx", ["xl/workbook.xml"])
    assert _refusal(empty).startswith("empty.xlsx is a damaged Excel file: ")
    text = write_bytes(tmp_path / "text.xlsx", "a,b\n1,2\n")
    assert _refusal(text) == "text.xlsx is a damaged Excel file, or none: it does not begin as one"


def test_a_missing_extra_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = survey_workbook(tmp_path / "in.xlsx")
    for name in [name for name in sys.modules if name.partition(".")[0] == "openpyxl"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    assert _refusal(path) == "the Excel file in.xlsx needs the package openpyxl: pip install 'microagg[excel]'"
    with pytest.raises(WriteError, match=r"^the Excel file out\.xlsx needs the package openpyxl: pip install 'mic"):
        write(read(pl.DataFrame({"a": [1]})), tmp_path / "out.xlsx")


def test_an_archive_that_tells_too_small_a_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "in.xlsx"
    survey_workbook(path)
    data = bytearray(path.read_bytes())
    entry = data.index(b"PK\x01\x02")
    data[entry + 24 : entry + 28] = (3).to_bytes(4, "little")
    path.write_bytes(data)
    assert "no complete archive" in _refusal(path)
