"""Nothing is averaged on a guess: which columns are selected, and what the user is told."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from files import write_bytes
from microagg import InputError, read
from microagg.model.errors import DoubtError
from microagg.select import refuse_doubtful_header, select

SURVEY = {"id": [3, 1, 2, 6, 5, 4], "income": [31.5, 2, 7, 80, 12, 9], "wt": [1.5, 1, 2, 1, 1, 3], "rent": [5.5] * 6}


def test_mixed_column_is_doubtful_and_what_is_in_the_way_is_named(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("who;amount\na;12%\nb;17%\nc;13%\n")
    with pytest.raises(DoubtError, match="column 'amount' holds text: row 1 is '12%', which is no number") as caught:
        select(read(path), None)
    assert " it, or leave it out" not in str(caught.value)
    assert caught.value.plain == ()


def test_doubt_is_an_error_that_lets_the_user_go_on() -> None:
    table = read(pl.DataFrame(SURVEY, strict=False))
    with pytest.raises(DoubtError) as caught:
        select(table, None)
    error = caught.value
    assert str(error) == (
        "nothing is averaged on a guess: column 'id' looks like an identifier, by its name; column 'wt' looks like a "
        "sampling weight, by its name: name the columns, as in columns=['income', 'rent'] and identifiers=['id'], "
        "which are left out; 'wt' would be released unchanged"
    )
    assert str(error) == f"{error.finding}: {error.advice}"
    assert error.plain == ("income", "rent")
    assert [doubt.column for doubt in error.doubts] == ["id", "wt"]
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.doubts, again.plain) == (str(error), error.doubts, error.plain)
    assert select(table, error.plain) == ("income", "rent")
    assert select(table, None, exclude=[doubt.column for doubt in error.doubts]) == ("income", "rent")
    assert select(table, ["wt", "id"]) == ("wt", "id")
    with pytest.raises(DoubtError, match=r"columns=\['income', 'rent'\]; 'wt' would be released unchanged"):
        select(table, None, exclude=["id"])


def test_many_doubts_are_shortened() -> None:
    table = read(pl.DataFrame({f"id_{j}": [5, 1, 7] for j in range(15)}))
    with pytest.raises(DoubtError) as caught:
        select(table, None)
    assert "'id_5'" in str(caught.value)
    assert "'id_6'" not in str(caught.value)
    assert "'id_5' and 9 more looks like an identifier, by its name: name the columns" in str(caught.value)
    assert len(caught.value.doubts) == 15


def test_odd_names_stay_on_one_line() -> None:
    table = read(pl.DataFrame({"id\nof\u2028person": [5, 1, 7], "a": [0.5, 1, 2]}))
    with pytest.raises(DoubtError) as caught:
        select(table, None)
    assert len(str(caught.value).splitlines()) == 1


def test_plain_table_is_taken_whole(companies: Path) -> None:
    table = read(companies)
    assert select(table, None) == ("surface", "employees")
    assert select(table, None, exclude=["surface"]) == ("employees",)


def test_numbers_of_an_array_are_meant_where_nothing_speaks_against_it() -> None:
    rng = np.random.default_rng(0)
    assert select(read(rng.lognormal(size=(500, 4))), None) == ("0", "1", "2", "3")
    assert select(read(rng.integers(0, 1000, size=(500, 2))), None, exclude=[0]) == ("1",)


def test_an_array_is_doubted_as_a_frame_of_the_same_values_is() -> None:
    rng = np.random.default_rng(1)
    columns = {"0": rng.integers(1, 3, 300), "1": rng.normal(size=300), "2": rng.permutation(300), "3": [7, 8, 9] * 100}
    frame = pl.DataFrame(columns)
    found = []
    for table in (frame, frame.to_numpy(), frame.to_numpy().tolist(), frame.to_pandas()):
        with pytest.raises(DoubtError) as caught:
            select(read(table), None)
        found.append([doubt.column for doubt in caught.value.doubts])
    assert found == [["0", "2", "3"]] * 4
    assert select(read(frame.to_numpy()), None, asks=False) == ("0", "1", "2", "3")


def test_row_numbers_of_r_and_pandas_are_neither_taken_nor_doubtful(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text('"","income"\n"1",31.5\n"2",2.5\n"3",7.25\n')
    assert select(read(path), None) == ("income",)
    assert select(read(pl.DataFrame({"__index_level_0__": [0, 1, 2], "a": [0.5, 1, 2]})), None) == ("a",)


@pytest.mark.parametrize(
    ("values", "taken"),
    [([3, 8, 9], True), ([2, 1, 3], True), ([31.5, 2, 7], False), ([8, 3, 9], False), ([3, None, 9], False)],
)
def test_nameless_column_that_counts_no_rows_is_doubtful(values: Any, taken: bool) -> None:
    table = read(pl.DataFrame({"": values, "a": [0.5, 1, 2]}, strict=False))
    if taken:
        assert select(table, None) == ("a",)
    else:
        with pytest.raises(DoubtError, match="column '' has a name that row numbers have, but does not count the rows"):
            select(table, None)


def test_header_that_may_be_a_record_is_doubtful(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("a,31.5,7.5\nb,2.5,1.25\nc,7.25,3.5\n")
    with pytest.raises(DoubtError, match="header=True if it names the columns, or header=False if it is a record"):
        select(read(path), None)


@pytest.mark.parametrize(
    ("columns", "exclude", "message"),
    [
        ("income", None, "columns must be a list of names, found 'income': put it into a list"),
        (7, None, "columns must be a list of names"),
        ([], None, "columns is empty"),
        (["Income"], None, "there is no column 'Income': did you mean 'income'"),
        (["zzz"], None, "there is no column 'zzz': the table has"),
        (["income", "income"], None, "column 'income' is named 2 times in columns: name it once"),
        (["income"], ["income"], "column 'income' is both chosen and excluded"),
        (None, "id", "exclude must be a list of names, found 'id'"),
        (None, ["idd"], "there is no column 'idd': did you mean 'id'"),
        (None, ["id", "id"], "column 'id' is named 2 times in exclude"),
        (None, ["id", "income", "wt", "rent"], "there is no numeric column to protect"),
    ],
)
def test_bad_choice_is_refused(columns: Any, exclude: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        select(read(pl.DataFrame(SURVEY, strict=False)), columns, exclude)


def test_table_without_columns_records_or_numbers_is_refused() -> None:
    with pytest.raises(InputError, match="the table has no columns"):
        select(read(pl.DataFrame()), None)
    with pytest.raises(InputError, match="the table has no records, only the columns 'id', 'a'"):
        select(read(pl.DataFrame({"id": [], "a": []})), None)
    with pytest.raises(InputError, match="there is no numeric column to protect: the table has 'who'"):
        select(read(pl.DataFrame({"who": ["a", "b"]})), None)


def test_a_choice_is_returned_in_its_order() -> None:
    table = read(pl.DataFrame({"a": [0.5, 1, 2], "b": [0.5, 1, 2], "who": ["x", "y", "z"]}))
    assert select(table, ["b", "a"]) == ("b", "a")
    assert select(table, ["who"]) == ("who",)  # whether it holds numbers is checked when it is encoded
    assert select(table, ["b"], exclude=["a"]) == ("b",)
    assert select(table, None, exclude=[]) == ("a", "b")
    with pytest.raises(InputError) as caught:
        select(table, ["b"], exclude=["b"])
    assert str(caught.value) == "column 'b' is both chosen and excluded: name it in columns or in exclude"


@pytest.mark.parametrize(("number", "more"), [(6, ""), (7, "; and 1 more")])
def test_six_reasons_are_shown(number: int, more: str) -> None:
    codes = {f"x{j}": [i % (j + 2) for i in range(60)] for j in range(number)}
    with pytest.raises(DoubtError) as caught:
        select(read(pl.DataFrame(codes)), None)
    end = f"'x5' looks like a code: whole numbers with only 7 different values{more}: name the columns, by columns=[…]"
    assert str(caught.value).endswith(end)


@pytest.mark.parametrize(("number", "more"), [(6, ""), (7, " and 1 more")])
def test_identical_doubts_are_one(number: int, more: str) -> None:
    table = read(pl.DataFrame({f"id_{j}": [5, 1, 7] for j in range(number)}))
    with pytest.raises(DoubtError) as caught:
        select(table, None)
    end = f"'id_5'{more} looks like an identifier, by its name: name the columns, by columns=[…]"
    assert str(caught.value).endswith(end)
    assert len(caught.value.doubts) == number
    assert caught.value.plain == ()


@pytest.mark.parametrize(("number", "end"), [(12, "'x11']"), (13, "'x11', …]")])
def test_twelve_names_are_shown_in_an_example(number: int, end: str) -> None:
    plain = {f"x{j}": [0.5, 1.5, 7.5] for j in range(number)}
    with pytest.raises(DoubtError) as caught:
        select(read(pl.DataFrame({"id": [5, 1, 7], **plain})), None)
    assert "as in columns=['x0', 'x1', " in str(caught.value)
    assert f"{end} and identifiers=['id'], which are left out" in str(caught.value)
    assert caught.value.plain == tuple(plain)


def test_columns_that_are_excluded_are_named() -> None:
    table = read(pl.DataFrame({"a": [0.5, 1, 2], "who": ["x", "y", "z"]}))
    with pytest.raises(InputError) as caught:
        select(table, None, exclude=["a"])
    assert str(caught.value) == ("there is no numeric column to protect: the table has 'a', 'who', 'a' excluded")
    with pytest.raises(InputError) as caught:
        select(table.without(["a"]), None)
    assert str(caught.value) == "there is no numeric column to protect: the table has 'who'"


def test_a_doubtful_header_is_told_with_the_numbers(tmp_path: Path) -> None:
    table = read(write_bytes(tmp_path / "in.csv", "a,31.5,7.5\nb,2.5,1.25\nc,7.25,3.5\n"))
    with pytest.raises(DoubtError) as caught:
        select(table, None)
    assert caught.value.plain == ("31.5", "7.5")
    assert caught.value.doubts == ()
    assert caught.value.advice == "pass header=True if it names the columns, or header=False if it is a record"
    with pytest.raises(DoubtError) as caught:
        refuse_doubtful_header(table)
    assert caught.value.plain == ()
    assert select(table, ["31.5"]) == ("31.5",)


def test_numbers_of_an_array_are_meant_but_not_what_resembles_them() -> None:
    array = np.array([[1, "12%"], [2, "13%"], [3, "14%"]], dtype=object)
    with pytest.raises(DoubtError) as caught:
        select(read(array), None)
    assert [doubt.column for doubt in caught.value.doubts] == ["1"]
    assert select(read(array), None, exclude=["1"]) == ("0",)
