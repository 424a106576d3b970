"""Cells that differ are counted by what has become of them, whatever the tables were read from."""

import datetime as dt
from decimal import Decimal
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_changes
from microagg import CellChanges, Table, read
from microagg.cell_changes import count_cell_changes
from microagg.model import row_slices
from microagg.source.delimited import DelimitedSource
from microagg.source.dialect import Dialect

_NUMBERS = ["1", "1.0", "1.50", "1.5", "-2", "1e1", "10", None]
_TEXTS = ["a", "a ", "b", "1", "1.0", None]


def _frame(values: list[Any], dtype: Any = None) -> Table:
    return read(pl.DataFrame({"x": pl.Series(values, dtype=dtype)}))


def _fields(fields: list[str | None]) -> Table:
    """Return a text file of one column with these fields."""
    frame = pl.DataFrame({"x": pl.Series(fields, dtype=pl.String)})
    return Table(DelimitedSource(frame, Dialect(b"", "utf-8", "\n", True, ",", True), None, ""))


@given(st.lists(st.tuples(st.sampled_from(_NUMBERS), st.sampled_from(_NUMBERS)), min_size=1, max_size=12))
def test_numbers_of_text_files_agree_with_the_naive_count(pairs: list[tuple[str | None, str | None]]) -> None:
    before, after = ([*column, "7"] for column in zip(*pairs, strict=True))  # both are columns of numbers
    found = count_cell_changes(_fields(before), _fields(after), "x")
    assert found == naive_changes.cell_changes(before, after, numeric=True)


@given(st.lists(st.tuples(st.sampled_from(_TEXTS), st.sampled_from(_TEXTS)), min_size=1, max_size=12))
def test_texts_of_text_files_agree_with_the_naive_count(pairs: list[tuple[str | None, str | None]]) -> None:
    before, after = ([*column, "word"] for column in zip(*pairs, strict=True))  # both are columns of texts
    found = count_cell_changes(_fields(before), _fields(after), "x")
    assert found == naive_changes.cell_changes(before, after, numeric=False)


def test_counts_by_hand() -> None:
    before = _frame([1.0, 2.0, None, 4.0, None, 6.0])
    after = _frame([1.0, 2.5, 3.0, None, None, 6.0])
    assert count_cell_changes(before, after, "x") == CellChanges(altered=1, to_missing=1, from_missing=1)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (_frame([1, 2, 2**60]), _frame([Decimal(1), Decimal(2), Decimal(2**60)])),
        (_frame([0.1, 2.0]), _fields(["0.1", "2"])),
        (_frame([0.1], pl.Float64), _frame([Decimal("0.1")])),
        (_frame([dt.date(2020, 1, 31)]), _fields(["2020-01-31"])),
        (_frame([1, 2]), _frame([1.0, 2.0])),
        (_frame(["a", None]), _fields(["a", None])),
    ],
)
def test_equal_values_of_other_types_are_no_changes(before: Table, after: Table) -> None:
    assert count_cell_changes(before, after, "x") == CellChanges()
    assert count_cell_changes(after, before, "x") == CellChanges()


def test_integers_beyond_floats_are_compared_exactly() -> None:
    assert count_cell_changes(_frame([2**60]), _frame([2**60 + 1]), "x") == CellChanges(altered=1)


def test_a_number_that_becomes_a_text_is_rewritten_only_between_texts() -> None:
    found = count_cell_changes(_fields(["1.50", "2"]), _fields(["1.5", "2"]), "x")
    assert found == CellChanges(rewritten=1)
    assert found.total == 0


def test_another_mark_of_a_missing_value_is_rewritten() -> None:
    marks = {"x": ["-9", "-8"]}
    before = _fields(["5", "-9", "-8", "-9"]).with_missing_values(marks)
    after = _fields(["5", "-9", "-9", None]).with_missing_values(marks)
    assert count_cell_changes(before, after, "x") == CellChanges(rewritten=2)


def test_batches_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_slices, "ROWS_PER_SLICE", 2)
    before = _frame([1.0, 2.0, 3.0, 4.0, 5.0])
    after = _frame([1.0, 2.0, 3.5, 4.0, None])
    assert count_cell_changes(before, after, "x") == CellChanges(altered=1, to_missing=1)


def test_no_records_have_no_changes() -> None:
    assert count_cell_changes(_frame([], pl.Float64), _frame([], pl.Float64), "x") == CellChanges()
