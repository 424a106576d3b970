"""Tables of any kind are written as new Stata and SPSS files, or one sentence says what they cannot hold."""

import datetime as dt
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyreadstat
import pytest

from microagg import Column, WriteError, read, write
from microagg.source.statistical.stata_file import Characteristic
from microagg.source.statistical.stata_parsing import parse_stata
from microagg.source.statistical.stata_rendering import padded, render_stata
from statistical_cases import N, contents, spss_survey, stata_survey, survey

ENDINGS = ["dta", "sav", "zsav"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_type_is_written(ending: str, tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "flag": [True, False, None],
            "small": pl.Series([1, -2, None], dtype=pl.Int8),
            "large": [2**40, 2, None],
            "unsigned": pl.Series([7, 8, 9], dtype=pl.UInt64),
            "single": pl.Series([1.5, None, float("nan")], dtype=pl.Float32),
            "money": pl.Series(["1.25", None, "3.50"]).cast(pl.Decimal(scale=2)),
            "text": ["ä", None, "x" * 3000],
            "coded": pl.Series(["a", None, "b"], dtype=pl.Enum(["a", "b"])),
            "day": [dt.date(2020, 2, 29), None, dt.date(1890, 1, 1)],
            "time": [dt.datetime(2020, 1, 1, 1, 2, 3, 250_000), None, dt.datetime(1890, 1, 1)],
            "nothing": [None, None, None],
        }
    )
    path = tmp_path / f"out.{ending}"
    write(read(frame), path)
    table = read(path)
    assert table.values("flag") == [1, 0, None]
    assert table.source.value_label("flag", 0) == "false"  # type: ignore[attr-defined]
    assert table.values("small") == [1, -2, None]
    assert table.values("large") == [2**40, 2, None]
    assert table.values("unsigned") == [7, 8, 9]
    assert table.values("single") == [1.5, None, None]
    assert table.values("money") == [1.25, None, 3.5]
    assert table.values("text") == ["ä", None, "x" * 3000]
    assert table.values("coded") == ["a", None, "b"]
    assert table.values("day") == frame["day"].to_list()
    assert table.values("time") == frame["time"].to_list()
    assert table.values("nothing") == [None] * 3


@pytest.mark.parametrize(
    ("columns", "words", "endings"),
    [
        ({"a b": [1]}, r"column 'a b' has a name that .* cannot hold \(at most", ENDINGS),
        ({"1a": [1]}, r"column '1a' has a name .*: rename it, or write another kind of file", ENDINGS),
        ({"": [1]}, "column '' has a name", ENDINGS),
        ({"x" * 33: [1]}, "has a name", ["dta"]),
        ({"ü" * 33: [1]}, "has a name", ENDINGS),
        ({"with": [1]}, "column 'with' has a name", ENDINGS),
        ({"strL": [1]}, "column 'strL' has a name", ["dta"]),
        ({"str12": [1]}, "column 'str12' has a name", ["dta"]),
        ({"a.": [1]}, "has a name", ENDINGS),
        ({"_a": [1]}, "has a name", ["sav"]),
        ({"A": [1], "a": [1]}, "columns 'A' and 'a' have the same name in an SPSS file: rename one", ["sav"]),
        ({"a": [2**53]}, "column 'a' has integers of more than 53 bits, which .*: convert them to texts", ENDINGS),
        ({"a": [-(2**53)]}, "integers of more than 53 bits", ENDINGS),
        ({"a": [float("inf")]}, "column 'a' has infinite numbers", ENDINGS),
        ({"a": ["x" * 32_768]}, "has a text of more than 32767 bytes, which an SPSS file cannot hold", ["sav", "zsav"]),
        ({"a": ["x\0"]}, "has a text with a zero byte", ENDINGS),
        ({"a": [[1]]}, r"has values of type List\(Int64\), which", ENDINGS),
        ({"a": [dt.time(1)]}, "has values of type Time", ENDINGS),
        ({"a": [dt.datetime(2020, 1, 1, tzinfo=dt.UTC)]}, "has values of type Datetime", ENDINGS),
    ],
)
def test_what_cannot_be_held_is_said(columns: dict[str, Any], words: str, endings: list[str], tmp_path: Path) -> None:
    for ending in endings:
        with pytest.raises(WriteError, match=words):
            write(read(pl.DataFrame(columns)), tmp_path / f"out.{ending}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("columns", "ending"),
    [
        ({"x" * 32: [1]}, "dta"),
        ({"_a": [1]}, "dta"),
        ({"ü" * 32: [1]}, "sav"),
        ({"a.b": [1]}, "sav"),
        ({"A": [1], "a": [2]}, "dta"),
        ({"a": [2**53 - 1]}, "sav"),
        ({"a": [2**31 - 26, -(2**31) + 1]}, "dta"),
        ({"a": ["x" * 32_767]}, "sav"),
    ],
)
def test_what_can_just_be_held(columns: dict[str, Any], ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"out.{ending}"
    write(read(pl.DataFrame(columns)), path)
    assert {name: read(path).values(name) for name in columns} == columns


@pytest.mark.parametrize("ending", ["dta", "sav"])
def test_labels_go_along_to_another_kind(ending: str, tmp_path: Path) -> None:
    make, other = (spss_survey, "in.sav") if ending == "dta" else (stata_survey, "in.dta")
    before = read(make(tmp_path / other))
    path = tmp_path / f"out.{ending}"
    income = Column.of_numbers("income", np.arange(N) / 2)
    write(before.with_columns([income, Column.of_objects("firm", ["x"] * N)]), path)
    values, found = contents(path)
    assert found.file_label == "A survey"
    assert found.column_names_to_labels["age"] == "Age in years"
    assert found.variable_value_labels["sex"] == {1: "male", 2: "female", 3: "other"}
    assert "firm" not in found.variable_value_labels
    assert b"ACME" not in path.read_bytes()
    assert values["sex"] == survey()["sex"].to_list()
    assert [values["age"][row] for row in (1, 2)] == [None, None]
    after = read(path)
    assert after.values("born") == before.values("born")
    assert after.values("asked") == before.values("asked")
    assert after.values("note") == before.values("note")
    if ending == "sav":
        assert found.missing_ranges == {}


def test_portable_files_become_system_files(tmp_path: Path) -> None:
    portable = tmp_path / "in.por"
    pyreadstat.write_por(pd.DataFrame({"X": [1.0, 2.5]}), portable, file_label="old", column_labels={"X": "a number"})
    write(read(portable), tmp_path / "out.sav")
    values, found = contents(tmp_path / "out.sav")
    assert (values, found.file_label, found.column_names_to_labels) == ({"X": [1.0, 2.5]}, "old", {"X": "a number"})


def test_notes_of_a_stata_file_go_to_an_spss_file(tmp_path: Path) -> None:
    file = parse_stata(stata_survey(tmp_path / "in.dta").read_bytes())
    note = padded(b"_dta", file.sizes.name) + padded(b"note1", file.sizes.name) + b"about the file\0"
    (tmp_path / "in.dta").write_bytes(render_stata(replace(file, characteristics=(Characteristic(1, note),))))
    write(read(tmp_path / "in.dta"), tmp_path / "out.sav")
    assert contents(tmp_path / "out.sav")[1].notes == ["about the file"]


def test_labels_that_stata_cannot_hold_are_left_out(tmp_path: Path) -> None:
    labels: dict[str, Any] = {
        "half": {1.5: "half", 2: "two"},
        "text": {"a": "first"},
        "wide": {1: "x" * 100, 2: "y"},
    }
    pyreadstat.write_sav(
        pd.DataFrame({"half": [1.5, 2.0], "text": ["a", "b"], "wide": [1.0, 2.0]}),
        tmp_path / "in.sav",
        variable_value_labels=labels,
        column_labels={"half": "ä" * 100},
    )
    write(read(tmp_path / "in.sav"), tmp_path / "out.dta")
    found = contents(tmp_path / "out.dta")[1]
    assert found.variable_value_labels == {"half": {2: "two"}, "wide": {1: "x" * 100, 2: "y"}}
    assert found.column_names_to_labels["half"] == "ä" * 40


def test_values_that_a_file_has_no_room_for(tmp_path: Path) -> None:
    table = read(spss_survey(tmp_path / "in.sav"))
    large = Column("age", "integer", np.full(N, 2**60))
    with pytest.raises(
        WriteError, match="column 'age' has integers of more than 53 bits, which an SPSS file cannot hold"
    ):
        write(table.with_columns([large]), tmp_path / "out.sav")
    days = Column("age", "date", np.full(N, np.datetime64("2020-01-01")))
    with pytest.raises(WriteError, match="column 'age' would have dates in place of other values"):
        write(table.with_columns([days]), tmp_path / "out.sav")
    assert [path.name for path in tmp_path.iterdir()] == ["in.sav"]
