"""Columns of two tables, whatever each was read from."""

from datetime import datetime
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyreadstat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from files import write_bytes
from microagg import Column, read
from microagg.column_comparison import (
    changed,
    comparable,
    identifying_columns,
    is_constant,
    reordered,
    same_records,
    unchanged,
)
from microagg.model import row_slices


def test_numbers_are_compared_exactly_and_the_rest_as_text(tmp_path: Path) -> None:
    text = "x;n;who\n1,50;1; a\nNA;02;b \n-0,25;3;\n"
    table = read(write_bytes(tmp_path / "in.csv", text), decimal=",")
    assert comparable(table, "x") == [Decimal("1.5"), "NA", Decimal("-0.25")]
    assert comparable(table, "who") == ["a", "b", None]
    frame = read(pl.DataFrame({"x": [1.5, None, float("inf")], "day": [True, False, None], "n": [2**60 + 1, 1, 2]}))
    assert comparable(frame, "x") == [Decimal("1.5"), None, "inf"]
    assert comparable(frame, "day") == [1, 0, None]
    assert comparable(frame, "n") == [Decimal(2**60 + 1), Decimal(1), Decimal(2)]


def test_times_are_compared_however_they_are_written(tmp_path: Path) -> None:
    times = [datetime(2020, 1, 2, 3, 4), datetime(2020, 1, 2, 3, 4, 5, 250_000), None]
    frame = read(pl.DataFrame({"t": times, "n": [1, 2, 3]}))
    text = "t,n\n2020-01-02T03:04,1\n2020-01-02T03:04:05.250000,2\n,3\n"
    written = read(write_bytes(tmp_path / "in.csv", text))
    assert comparable(frame, "t") == comparable(written, "t") == times
    assert unchanged(frame, written, "t")
    later = read(write_bytes(tmp_path / "later.csv", text.replace("03:04,", "03:05,")))
    assert not unchanged(frame, later, "t")


def test_labelled_codes_are_compared_as_numbers(tmp_path: Path) -> None:
    coded = pd.DataFrame({"c": [1.0, 2.0, 2.5]})
    pyreadstat.write_sav(coded, tmp_path / "in.sav", variable_value_labels={"c": {1: "a", 2: "b", 2.5: "c"}})
    table = read(tmp_path / "in.sav")
    assert table.kind("c") == "category"
    assert comparable(table, "c") == [Decimal(1), Decimal(2), Decimal("2.5")]
    assert unchanged(table, read(write_bytes(tmp_path / "in.csv", "c\n1\n2.0\n2.50\n")), "c")
    assert not unchanged(table, read(write_bytes(tmp_path / "in.csv", "c\n1\n2\n2\n")), "c")
    assert comparable(read(pl.DataFrame({"c": pl.Series(["1", "a"], dtype=pl.Categorical)})), "c") == ["1", "a"]


def test_blanks_are_missing_where_a_file_cannot_tell_them_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quoted = read(write_bytes(tmp_path / "in.csv", b'x,t\n1,""\n2,a\n3,\n'))
    blank = read(pl.DataFrame({"x": [1, 2, 3], "t": ["", "a", " "]}))
    gone = read(pl.DataFrame({"x": [1, 2, 3], "t": [None, "a", None]}))
    pyreadstat.write_sav(pd.DataFrame({"x": [1, 2, 3], "t": ["", "a", ""]}), tmp_path / "gone.sav")
    spss = read(tmp_path / "gone.sav")
    for rows in (row_slices.ROWS_PER_SLICE, 1):
        monkeypatch.setattr(row_slices, "ROWS_PER_SLICE", rows)
        for before, after, same in (
            (quoted, gone, True),
            (blank, spss, True),
            (quoted, spss, True),
            (blank, gone, False),
        ):
            assert unchanged(before, after, "t") is same
            assert same_records(before, after, ["x", "t"]) is same


def test_marks_of_text_files_are_missing_values_of_other_files(tmp_path: Path) -> None:
    marked = read(write_bytes(tmp_path / "in.csv", b'x,t,b\n1,NA,true\n"",NA,NA\nNA,a,false\n'))
    typed = pl.DataFrame({"x": [1, None, None], "t": ["NA", "NA", "a"], "b": [True, None, False]})
    for name in marked.names:
        assert unchanged(marked, read(typed), name)
        assert unchanged(read(typed), marked, name)
    assert same_records(marked, read(typed[::-1]), marked.names)
    assert not unchanged(marked, read(typed.with_columns(t=pl.Series([None, "NA", "a"]))), "t"), "a text is none"


def test_what_differs_in_every_record_identifies() -> None:
    table = read(
        pl.DataFrame({"x": [1.0, 2.0, 3.0], "id": [7, 8, 9], "town": ["a", "a", "b"], "who": ["a", None, "c"]})
    )
    assert identifying_columns(table, ["x"]) == ("id", "who")
    assert identifying_columns(table, ["x", "id", "who"]) == ()
    assert identifying_columns(read(pl.DataFrame({"x": [1.0], "id": [7]})), ["x"]) == ()
    assert identifying_columns(read(pl.DataFrame({"x": [1.0, 2.0], "id": [7, 8]})), ["x"]) == ("id",)


def test_changed_is_not_reordered() -> None:
    before = read(pl.DataFrame({"same": [1, 2, 3], "moved": [1, 2, 3], "new": [1, 2, 3], "often": [1, 1, 2]}))
    after = read(pl.DataFrame({"same": [1.0, 2.0, 3.0], "moved": [3, 1, 2], "new": [1, 2, 4], "often": [1, 2, 2]}))
    assert changed(before, after, before.names) == ["new", "often"]
    assert reordered(before, after, before.names) == ["moved"]


@pytest.mark.parametrize("rows", [1, 2, 3, 100])
def test_large_tables_are_compared_like_small_ones(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_slices, "ROWS_PER_SLICE", rows)
    before = read(pl.DataFrame({"n": [1, 2, 2, None], "t": ["a", "b", "b", None], "x": [1.5, 0.0, -0.0, float("nan")]}))
    after = read(
        pl.DataFrame({"n": ["1.0", "2", "2.00", None], "t": ["b", "a", None, "b"], "x": [0.0, 1.5, 0.0, None]})
    )
    numbers = read(pl.DataFrame({"n": [1.0, 2.0, 2.0, None], "t": [" a", "b", "b ", None], "x": [0.0, 0.5, 1.5, 0.0]}))
    assert not unchanged(before, after, "n")  # text is no number
    assert unchanged(before, numbers, "n")
    assert unchanged(before, numbers, "t")
    assert unchanged(before, before, "x")
    assert reordered(before, after, ["n", "t", "x"]) == ["t", "x"]  # NaN is a missing number, too
    assert changed(before, numbers, ["n", "t", "x"]) == ["x"]
    assert same_records(before, numbers, ["n", "t"])
    assert not same_records(before, numbers.in_order(np.arange(3)), ["n", "t"])
    assert same_records(before, numbers.in_order(np.array([3, 1, 0, 2])), ["n", "t"])
    assert not same_records(before, before.with_columns([Column.of_numbers("n", np.array([2, 1, 2, 2]))]), ["n", "t"])


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from("abc")), min_size=1, max_size=12), st.integers(0, 2**32))
def test_the_same_records_in_any_order(records: list[tuple[int, str]], seed: int) -> None:
    rng = np.random.default_rng(seed)
    before = read(pl.DataFrame({"n": [n for n, _ in records], "t": [t for _, t in records]}))
    after = before.in_order(rng.permutation(len(records)))
    other = before.in_order(rng.integers(0, len(records), len(records)))
    expected = sorted(records) == sorted(zip(other.values("n"), other.values("t"), strict=True))
    for rows in (2, 100):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(row_slices, "ROWS_PER_SLICE", rows)
            assert same_records(before, after, ["n", "t"])
            assert same_records(before, other, ["n", "t"]) == expected


def test_constant_columns() -> None:
    table = read(pl.DataFrame({"one": [1, 1], "two": [1, 2], "gap": [None, "a"], "none": [None, None]}))
    assert [is_constant(table, name) for name in table.names] == [True, False, False, True]
