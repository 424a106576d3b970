"""Missing policy: words and values that it can have, and tables that obey it."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microagg import Column, InputError, Plan, changes, compare, measure, protect, read, verify
from microagg.model.missing_policy import MissingPolicy
from microagg.write import to_native


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"missing": "ignore"}, "missing must be one of error, pattern, fill, blank, drop, available"),
        ({"small_strata": "drop"}, "small_strata must be one of error, suppress, merge"),
        ({"missing_values": []}, "missing_values is an empty list"),
        ({"missing_values": None}, "missing_values must be numbers or texts, found None"),
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


@pytest.mark.parametrize("given", [-9, 0, "?", [-9, "?"], {"x": -9}, {"x": [-9, 0]}])
def test_one_value_or_several_for_all_columns_or_by_column(given: object) -> None:
    plan = Plan(k=3, missing="drop", missing_values=given)
    values = given["x"] if isinstance(given, dict) else given
    expected = tuple(values) if isinstance(values, list) else (values,)
    assert plan.missing_policy.missing_values.of("x") == expected
    assert plan.missing_policy.missing_values.of("y") == (None if isinstance(given, dict) else expected)
    assert Plan.from_toml(plan.to_toml()) == plan


@pytest.mark.parametrize("library", [pl, pd])
def test_a_value_for_all_columns_is_missing_in_each(library: Any) -> None:
    frame = library.DataFrame({"x": [1, 2, -9, 4, 5], "c": ["a", "-9", "a", "b", "b"], "y": [1.0, 2.0, 3.0, 4.0, -9.0]})
    table = read(frame).with_missing_values(Plan(k=3, missing_values=-9).missing_policy.missing_values)
    assert [np.flatnonzero(table.missing_codes(name)).tolist() for name in ("x", "c", "y")] == [[2], [1], [4]]


UNUSED = [
    ({"x": [-9, -8]}, "column 'x' has no -8, which missing_values names"),
    ({"x": ["y=-9"]}, "column 'x' holds numbers, and so cannot have 'y=-9', which missing_values names"),
    ({"c": ["?"]}, "column 'c' has no ?, which missing_values names"),
    ([-9, -8], "no column has -8, which missing_values names"),
    ("?", "no column has ?, which missing_values names"),
]


@pytest.mark.parametrize(("values", "words"), UNUSED)
def test_a_value_that_no_record_has_is_an_error(values: object, words: str) -> None:
    frame = pl.DataFrame({"x": [1.5, 2.5, -9.0, 4.5, 5.5, 7.0], "c": list("aabbcc")})
    with pytest.raises(InputError, match=re.escape(words)):
        protect(frame, 2, columns=["x"], missing="drop", missing_values=values)
    with pytest.raises(InputError, match=re.escape(words)):
        compare(frame, k=2, methods=["mdav"], columns=["x"], missing="drop", missing_values=values)


def test_a_release_in_which_a_value_no_longer_occurs_is_verified() -> None:
    frame = pl.DataFrame({"x": [1.5, 2.5, -9.0, 4.5, 5.5, 7.0], "y": [1.0, 2.0, 3.0, 5.0, 8.0, 13.0]})
    for values in (-9, {"x": [-9]}):
        release = protect(frame, 2, columns=["x", "y"], missing="drop", missing_values=values, method="mdav")
        assert -9 not in release.data["x"].to_list()
        assert verify(frame, release.data, plan=release.plan).passed
        assert verify(None, release.data, plan=release.plan).passed
        measure(frame, release.data, plan=release.plan)
        changes(frame, release.data, plan=release.plan)


def test_a_value_that_the_reader_knows_as_missing_may_be_named(tmp_path: Path) -> None:
    path = tmp_path / "numbers.csv"
    path.write_text("x\n1\n2\nNA\n4\n5\n")
    assert protect(path, 2, columns=["x"], missing="drop", missing_values={"x": ["NA"]}).n_suppressed == 1


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
