"""New values are written in the style of the column that they replace."""

import datetime as dt
from pathlib import Path

import numpy as np
import pytest

from microagg import Column, Table, read, write
from source_tables import make_column, text_table


def _rewritten(table: Table, column: Column, folder: Path) -> list[str]:
    """Write a table with a new column, and return its lines after the header."""
    write(table.with_columns([column]), folder / "out.csv")
    return (folder / "out.csv").read_text().splitlines()[1:]


@pytest.mark.parametrize(
    ("fields", "written"),
    [
        (["true", "false"], ["false", "", "true"]),
        (["TRUE", "NA"], ["FALSE", "NA", "TRUE"]),
        (["False", "."], ["False", ".", "True"]),
        (["0", "1"], ["0", "", "1"]),
        (["0", "2"], ["false", "", "true"]),
        (["x", "y"], ["false", "", "true"]),
    ],
)
def test_booleans_are_written_with_the_words_of_their_column(
    fields: list[str], written: list[str], tmp_path: Path
) -> None:
    fields = [*fields, fields[0]]
    table = text_table(tmp_path, "a,b\n" + "".join(f"{field},z\n" for field in fields))
    lines = _rewritten(table, make_column("a", "boolean", [False, None, True]), tmp_path)
    assert lines == [f"{one},z" for one in written]


@pytest.mark.parametrize(
    ("fields", "mark"),
    [
        (["1", "NA", "NA", "."], "NA"),
        (["1", "", "", "NA"], ""),
        (["1", "2", "3", "4"], ""),
        (["x", "NA", "NA", ""], ""),
    ],
)
def test_missing_values_get_the_mark_of_their_column(fields: list[str], mark: str, tmp_path: Path) -> None:
    table = text_table(tmp_path, "a,b\n" + "".join(f"{field},z\n" for field in fields))
    lines = _rewritten(table, make_column("a", "number", [0.5, None, 1.5, 2.5]), tmp_path)
    assert lines == ["0.5,z", f"{mark},z", "1.5,z", "2.5,z"]


@pytest.mark.parametrize(
    ("fields", "written"),
    [
        (["2020-01-31 10:30", "2020-01-31 10:30"], "1999-12-31 23:59:59.500"),
        (["2020-01-31T10:30Z", "2020-01-31T10:30Z"], "1999-12-31T23:59:59.500Z"),
        (["x", "y"], "1999-12-31T23:59:59.500"),
    ],
)
def test_date_times_are_written_in_the_style_of_their_column(fields: list[str], written: str, tmp_path: Path) -> None:
    table = text_table(tmp_path, "a,b\n" + "".join(f"{field},z\n" for field in fields))
    new = make_column("a", "datetime", [dt.datetime(1999, 12, 31, 23, 59, 59, 500_000), None])
    assert _rewritten(table, new, tmp_path) == [f"{written},z", ",z"]


def _without_plus(rows: list[str]) -> list[str]:
    """Return rows with exponents as older versions of polars write them."""
    return [row.replace("e+", "e") for row in rows]


def test_numbers_are_written_with_the_decimal_sign_of_their_column(tmp_path: Path) -> None:
    new = Column.of_numbers("a", np.array([0.5, np.nan, 1e20]))
    rewritten = _rewritten(text_table(tmp_path, "a;b\n1,5;x\n2;y\n3;z\n"), new, tmp_path)
    assert _without_plus(rewritten) == ["0,5;x", ";y", "1e20;z"]
    quoted = text_table(tmp_path, 'a,b\n"1,5",x\n2,y\n3,z\n', decimal=",")
    write(quoted.with_columns([new]), tmp_path / "out.csv", force=True)
    assert _without_plus((tmp_path / "out.csv").read_text().splitlines()) == ["a,b", '"0,5",x', ",y", "1e20,z"]
    assert read(tmp_path / "out.csv", decimal=",").numbers("a")[0] == 0.5


def test_integers_of_any_size_are_written_with_all_their_digits(tmp_path: Path) -> None:
    table = text_table(tmp_path, "a,b\n1,x\n2,y\n")
    new = Column("a", "integer", np.array([10**60, -(2**100)], dtype=object))
    assert _rewritten(table, new, tmp_path) == [f"{10**60},x", f"{-(2**100)},y"]
