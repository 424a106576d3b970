"""Missing policy: words and values that it can have, and tables that obey it."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microagg import Column, InputError, Plan, read
from microagg.model.missing_policy import MissingPolicy
from microagg.write import to_native


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"missing": "ignore"}, "missing must be one of error, pattern, available, drop"),
        ({"small_strata": "drop"}, "small_strata must be one of error, merge, suppress"),
        ({"missing_values": [-9]}, "missing_values must list values by column"),
        ({"missing_values": {"x": -9}}, "missing_values of 'x' must be a list of values"),
        ({"missing_values": {"x": []}}, "missing_values of 'x' is an empty list"),
        ({"missing_values": {"x": [None]}}, "missing_values of 'x' must be numbers or texts"),
    ],
)
def test_impossible_policies_get_one_clear_sentence(options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        MissingPolicy(**options)  # type: ignore[arg-type]


def test_values_by_column_survive_toml() -> None:
    plan = Plan(k=3, missing="pattern", missing_values={"income": [-9, 999.5], "my town": ["?"]})
    assert Plan.from_toml(plan.to_toml()) == plan


def test_marks_are_missing_to_numbers_and_distinct_to_patterns() -> None:
    table = read(pl.DataFrame({"x": [1, -9, None, -8, 5]})).with_missing_values({"x": [-9, -8]})
    np.testing.assert_array_equal(table.numbers("x"), [1, np.nan, np.nan, np.nan, 5])
    assert table.column("x").missing is not None
    codes = table.missing_codes("x")
    assert codes[0] == codes[4] == 0
    assert len(set(codes[1:4])) == 3
    assert len(set(table.patterns(["x"]))) == 5


def test_text_marks_of_categories() -> None:
    table = read(pl.DataFrame({"town": ["Ulm", "?", "Bonn"]})).with_missing_values({"town": ["?"]})
    missing = table.column("town").missing
    assert missing is not None
    assert missing.tolist() == [False, True, False]


def test_a_mark_for_a_column_that_is_not_there_is_an_error() -> None:
    with pytest.raises(InputError, match="there is no column 'incom': did you mean 'income'"):
        read(pl.DataFrame({"income": [1.0]})).with_missing_values({"incom": [-9]})


@pytest.mark.parametrize("library", [pl, pd])
def test_what_was_missing_is_written_as_it_was_and_what_is_suppressed_is_not(library: object) -> None:
    frame = {"x": [1.0, -9.0, 7.0, 5.0]}
    table = read(library.DataFrame(frame)).with_missing_values({"x": [-9]})  # type: ignore[attr-defined]
    new = Column("x", "number", np.array([3.0, 0.0, 0.0, 3.0]), missing=np.array([False, True, True, False]))
    released = to_native(table.with_columns([new]))
    values = [None if value != value else value for value in released["x"].to_list()] if library is pd else None
    assert (values or released["x"].to_list()) == [3.0, -9.0, None, 3.0]


def test_fields_that_mark_missing_values_are_byte_equal_in_a_text_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    source = tmp_path / "in.csv"
    source.write_text("x,y\n1,a\n-9,b\nNA,c\n,d\n -9 ,e\n5,f\n")
    table = read(source).with_missing_values({"x": [-9]})
    mask = np.array([False, True, True, True, True, False])
    new = Column("x", "number", np.array([3.0, 0, 0, 0, 0, 3.0]), missing=mask)
    table.with_columns([new]).source.save(table.with_columns([new]).changes, tmp_path / "out.csv", "CSV")
    assert (tmp_path / "out.csv").read_text() == "x,y\n3.0,a\n-9,b\nNA,c\n,d\n -9 ,e\n3.0,f\n"


def test_rows_that_are_left_out_are_not_written() -> None:
    table = read(pd.DataFrame({"x": [1.0, 2.0, 3.0]}, index=["a", "b", "c"])).in_order(np.array([0, 2]))
    assert table.n_records == 2
    changed = table.with_columns([Column.of_numbers("x", np.array([7.0, 9.0]))])
    assert changed.numbers("x").tolist() == [7.0, 9.0]
    released = to_native(changed)
    assert released["x"].tolist() == [7.0, 9.0]
    assert list(released.index) == ["a", "c"]


def test_numbers_among_texts_that_stand_for_missing_values_are_numbers(tmp_path) -> None:  # type: ignore[no-untyped-def]
    source = tmp_path / "in.csv"
    source.write_text("x\n1\n3\nrefused\n8.5\n\n")
    table = read(source).with_missing_values({"x": ["refused", 8.5]})
    assert table.kind("x") == "number"
    np.testing.assert_array_equal(table.numbers("x"), [1, 3, np.nan, np.nan, np.nan])
    other = read(source).with_missing_values({"x": ["unknown"]})
    assert other.kind("x") not in ("number", "integer")
