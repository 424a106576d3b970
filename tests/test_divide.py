"""Hard walls: strata, patterns of missing values, and parts that are too small."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from microagg import InputError, Plan, Problem, read
from microagg.divide import divide, kept_records
from microagg.model.division import Division
from microagg.model.table import Table


def divided(frame: pl.DataFrame, **options: Any) -> Division:
    """Divide a frame by a plan whose one column is x."""
    plan = Plan(columns=["x"], **{"k": 2, **options})
    table = read(frame).with_missing_values(plan.missing_policy.missing_values)
    return divide(table, ["x"], plan, problem_of(table, plan.sets[0].k))


def problem_of(table: Table, k: int) -> Problem:
    """Return the problem of grouping a table by x."""
    return Problem(np.nan_to_num(table.numbers("x"))[:, None], k)


def records(division: Division) -> list[list[int]]:
    return [part.records.tolist() for part in division.parts]


def test_without_walls_there_is_one_part() -> None:
    division = divided(pl.DataFrame({"x": [1.0, 2.0, 3.0]}))
    assert records(division) == [[0, 1, 2]]
    assert division.parts[0].name == "all records"


def test_strata_are_parts_in_the_order_of_their_first_records() -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "r": ["b", "a", "a", "b"], "s": [1, 1, 1, 1]})
    division = divided(frame, strata=["r", "s"])
    assert records(division) == [[0, 3], [1, 2]]
    assert [part.name for part in division.parts] == ["r = 'b', s = 1", "r = 'a', s = 1"]


def test_both_zeros_are_one_stratum() -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "s": [-0.0, 0.0, 0.0, -0.0]})
    assert [part.name for part in divided(frame, strata=["s"]).parts] == ["s = 0.0"]


def test_patterns_tell_marks_of_missing_values_apart() -> None:
    frame = pl.DataFrame({"x": [1.0, None, -9.0, 2.0, None, -9.0]})
    division = divided(frame, missing="pattern", missing_values={"x": [-9]})
    assert records(division) == [[0, 3], [1, 4], [2, 5]]
    assert [part.name for part in division.parts] == ["complete", "without x (blank)", "without x (-9.0)"]


@pytest.mark.parametrize(("k", "passes"), [(2, True), (3, False)])
def test_a_part_below_k_is_an_error_that_lists_it(k: int, passes: bool) -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0, 3.0, 4.0, 5.0], "r": ["a", "a", "a", "b", "b"]})
    if passes:
        assert len(divided(frame, strata=["r"], k=k).parts) == 2
        return
    with pytest.raises(InputError, match=r"1 of 2 .* fewer than k = 3 records \(r = 'b': 2\).*'suppress'.*'merge'"):
        divided(frame, strata=["r"], k=k)


def test_units_are_counted_where_there_are_some() -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "r": ["a", "a", "b", "b"], "h": [1, 2, 3, 3]})
    with pytest.raises(InputError, match=r"fewer than k = 2 units \(r = 'b': 1\)"):
        divided(frame, strata=["r"], unit="h")
    with pytest.raises(InputError, match="k = 4 is more than the 3 units there are"):
        divided(frame, unit="h", k=4)


def test_a_small_part_joins_the_nearest_one() -> None:
    frame = pl.DataFrame({"x": [0.0, 0.0, 9.0, 9.0, 8.0], "r": ["a", "a", "b", "b", "c"]})
    division = divided(frame, strata=["r"], small_strata="merge")
    assert records(division) == [[0, 1], [2, 3, 4]]
    assert division.merged == (("r = 'c'", "r = 'b'"),)


def test_a_rare_pattern_stays_in_its_stratum() -> None:
    frame = pl.DataFrame({"x": [0.0, 0.0, 9.0, 9.0, None], "r": ["a", "a", "b", "b", "b"]})
    division = divided(frame, strata=["r"], small_strata="merge", missing="pattern")
    assert records(division) == [[0, 1], [2, 3, 4]]


def test_suppressed_are_records_of_small_parts_and_dropped_those_with_missing_values() -> None:
    frame = pl.DataFrame({"x": [0.0, 1.0, None, 9.0, 8.0], "r": ["a", "a", "b", "b", "c"]})
    drop = Plan(k=2, columns=["x"], missing="drop")
    assert kept_records(read(frame), drop).tolist() == [0, 1, 3, 4]
    suppress = Plan(k=2, columns=["x"], strata=["r"], missing="drop", small_strata="suppress")
    assert kept_records(read(frame), suppress).tolist() == [0, 1]


def test_suppressing_for_one_column_set_may_make_a_part_of_another_small() -> None:
    frame = pl.DataFrame({"x": [1.0, None, 1.0, 1.0], "y": [None, None, 1.0, 1.0]})
    plan = Plan(k=2, missing="pattern", small_strata="suppress", sets=[{"columns": ["x"]}, {"columns": ["y"]}])
    assert kept_records(read(frame), plan).tolist() == [2, 3]


def test_nothing_left_is_an_error() -> None:
    with pytest.raises(InputError, match="no record is left"):
        kept_records(
            read(pl.DataFrame({"x": [None, None]}, schema={"x": pl.Float64})), Plan(k=2, columns=["x"], missing="drop")
        )


@pytest.mark.parametrize(("n_present", "n_parts"), [(1, 1), (2, 2)])
def test_parts_are_merged_until_a_mean_is_of_k_cells(n_present: int, n_parts: int) -> None:
    amounts = [9.0] * n_present + [None] * (4 - n_present) + [1.0, 2.0]
    frame = pl.DataFrame({"x": amounts, "r": ["a"] * 4 + ["b"] * 2})
    division = divided(frame, strata=["r"], missing="available", small_strata="merge")
    assert len(division.parts) == n_parts
    assert len(divided(frame, strata=["r"], missing="available").parts) == 2


@pytest.mark.parametrize(("n_present", "kept"), [(1, [4, 5]), (2, [0, 1, 2, 3, 4, 5])])
def test_strata_with_too_few_cells_are_suppressed(n_present: int, kept: list[int]) -> None:
    amounts = [9.0] * n_present + [None] * (4 - n_present) + [1.0, 2.0]
    table = read(pl.DataFrame({"x": amounts, "r": ["a"] * 4 + ["b"] * 2}))
    plan = Plan(k=2, columns=["x"], strata=["r"], missing="available", small_strata="suppress")
    assert kept_records(table, plan).tolist() == kept


@pytest.mark.parametrize("small_strata", ["suppress", "merge"])
def test_rows_are_those_of_the_table_that_was_read(small_strata: str) -> None:
    frame = pl.DataFrame({"x": [1.0, None, 2.0, 3.0, 4.0, 9.0], "r": ["a", "a", "b", "a", "b", "b"]})
    plan = Plan(k=2, columns=["x"], strata=["r"], missing="drop", small_strata=small_strata)
    whole = read(frame)
    kept = whole.in_order(kept_records(whole, plan))
    division = divide(kept, ["x"], plan, problem_of(kept, 2))
    assert records(division) == [[0, 2], [1, 3, 4]]
    assert [division.rows(part).tolist() for part in division.parts] == [[0, 3], [2, 4, 5]]


def test_rows_are_the_records_where_none_was_left_out() -> None:
    division = divided(pl.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "r": ["b", "a", "a", "b"]}), strata=["r"])
    assert [division.rows(part).tolist() for part in division.parts] == [[0, 3], [1, 2]]
