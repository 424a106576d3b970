"""Attribute disclosure in groups: by hand, and by the oracle of the rules of privacy."""

import math
from datetime import date
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_verify
from microagg import Plan, Run
from microagg.measure.attribute_disclosure import AttributeDisclosure, measure_attributes
from microagg.measure.compared_tables import ComparedTables
from microagg.model.assessment import ConfidentialColumn
from risk_tables import compared

GROUPS = [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]


def _measured(tables: ComparedTables) -> AttributeDisclosure:
    return measure_attributes(tables, Run())


def _beside(values: list[Any], groups: list[float] = GROUPS, **options: Any) -> ConfidentialColumn:
    """Return what groups tell about a confidential column beside them."""
    frame = pl.DataFrame({"x": groups, "s": values}, strict=False)
    plan = Plan(k=1, columns=["x"], confidential=["s"], allow_k1=True, **options)
    (column,) = _measured(compared(frame, frame, ["x"], plan=plan)).columns
    return column


def test_categories_by_hand() -> None:
    """The second group has one value; of all records, 4 of 6 have it: 1/3 of the group has to move."""
    column = _beside(["a", "b", "a", "b", "b", "b"])
    assert column.name == "s"
    assert (column.n_constant, column.least_distinct) == (3, 1)
    assert column.least_entropy_l == pytest.approx(1.0)
    assert column.largest_distance == pytest.approx(1 / 3)


def test_entropy_by_hand() -> None:
    column = _beside(["a", "b", "a", "a", "b", "c"])
    assert column.n_constant == 0
    assert column.least_distinct == 2
    assert column.least_entropy_l == pytest.approx(math.exp(-(2 / 3) * math.log(2 / 3) - (1 / 3) * math.log(1 / 3)))


def test_distance_of_numbers_is_by_ranks() -> None:
    """Ranks 0 … 5, three in each group: each lies 3 of 5 steps, for half of its records, from all of them: 0.3."""
    assert _beside([10.0, 20.0, 30.0, 400.0, 500.0, 600.0]).largest_distance == pytest.approx(0.3)


def test_distance_of_dates_and_ordinals_is_by_ranks() -> None:
    days = [date(2000, 1, day) for day in (1, 2, 3, 10, 20, 30)]
    assert _beside(days).largest_distance == pytest.approx(0.3)
    grades = ["low", "low", "mid", "mid", "high", "high"]
    assert _beside(grades, ordinal={"s": ["low", "mid", "high"]}).largest_distance == pytest.approx(1 / 3)
    assert _beside([3, 1, 2, 3, 1, 2], nominal=["s"]).largest_distance == 0.0


def test_values_without_a_known_order_have_no_distance() -> None:
    frame = pl.DataFrame({"x": GROUPS, "s": pl.Series(["1", "12%", "3", "4", "5", "n/a"])})
    plan = Plan(k=2, columns=["x"], confidential=["s"])
    tables = compared(frame, frame, ["x"], plan=plan)
    assert tables.after.kind("s") in ("mixed", "text")
    column = _measured(tables).columns[0]
    assert (column.largest_distance is None) == (tables.after.kind("s") == "mixed")


def test_missing_values_give_nothing_away() -> None:
    """The first group is constant but for a missing value, the second has none at all."""
    column = _beside(["a", "a", None, None, None, None])
    assert (column.n_constant, column.least_distinct, column.least_entropy_l) == (0, 0, 0.0)
    assert _beside([None] * 6, nominal=["s"]).n_constant == 0


def test_records_count_once_for_all_columns() -> None:
    frame = pl.DataFrame({"x": GROUPS, "s": list("aabccc"), "t": list("ddefff"), "u": list("gggijk")})
    plan = Plan(k=3, columns=["x"], confidential=["s", "t"])
    found = _measured(compared(frame, frame, ["x"], plan=plan))
    assert [one.n_constant for one in found.columns] == [3, 3]
    assert found.figure.value == 3
    assert found.figure.note == "confidential: 's', 't'"


def test_without_confidential_columns_all_others_without_a_role_are_looked_at() -> None:
    frame = pl.DataFrame({"x": GROUPS, "s": list("aabccc"), "w": [1.0] * 6, "r": [1] * 3 + [2] * 3})
    plan = Plan(k=3, columns=["x"], weight="w", strata=["r"])
    found = _measured(compared(frame, frame, ["x"], plan=plan))
    assert [one.name for one in found.columns] == ["s"]
    assert found.figure.value == 3
    assert found.figure.note == "no column is named as confidential: looked at are 's'"
    without_plan = _measured(compared(frame, frame, ["x"]))
    assert [one.name for one in without_plan.columns] == ["s", "w", "r"]


def test_all_of_many_columns_are_looked_at() -> None:
    frame = pl.DataFrame({"x": GROUPS, **{f"s{j}": list("aabccc") for j in range(25)}})
    found = _measured(compared(frame, frame, ["x"]))
    assert len(found.columns) == 25
    assert found.figure.note.endswith("'s11' and 13 more")


def test_nothing_beside_the_groups() -> None:
    frame = pl.DataFrame({"x": GROUPS, "s": list("aabccc")})
    assert _measured(compared(frame.select("x"), frame.select("x"), ["x"])).figure.note == (
        "every other released column has a role"
    )
    plan = Plan(k=3, columns=["x"], confidential=["s"])
    found = _measured(compared(frame, frame.select("x"), ["x"], plan=plan))
    assert (found.columns, found.figure.value) == ((), None)
    assert found.figure.note == "no confidential column is in the release"


@given(st.lists(st.tuples(st.integers(0, 3), st.none() | st.integers(0, 4)), min_size=1, max_size=30), st.booleans())
def test_columns_are_those_of_the_oracle(rows: list[tuple[int, int | None]], nominal: bool) -> None:
    groups = [float(group) for group, _ in rows]
    values = [value for _, value in rows]
    frame = pl.DataFrame({"x": groups, "s": pl.Series(values, dtype=pl.Int64)})
    plan = Plan(k=1, columns=["x"], confidential=["s"], allow_k1=True, nominal=["s"] if nominal else [])
    (column,) = _measured(compared(frame, frame, ["x"], plan=plan)).columns
    inside = [[value for group, value in rows if group == one] for one in {group for group, _ in rows}]
    ranked = [99 if value is None else value for value in values]
    distance = naive_verify.equal_distance if nominal else naive_verify.ordered_distance
    assert column.n_constant == sum(len(one) for one in inside if len(set(one)) == 1 and None not in one)
    assert column.least_distinct == min(naive_verify.distinct_diversity(one) for one in inside)
    assert column.least_entropy_l == pytest.approx(min(naive_verify.entropy_diversity(one) for one in inside))
    assert column.largest_distance == pytest.approx(
        max(distance([99 if value is None else value for value in one], ranked) for one in inside)
    )


def test_of_several_column_sets_the_worst_counts_not_their_combination() -> None:
    """x gives nobody away, y = 7 two records; both columns together would give three away."""
    frame = pl.DataFrame(
        {"x": GROUPS, "y": [7.0, 8.0, 7.0, 8.0, 8.0, 8.0], "s": ["a", "b", "a", "b", "b", "c"]}, strict=False
    )
    sets = [{"columns": ["x"]}, {"columns": ["y"]}]
    plan = Plan(k=1, sets=sets, confidential=["s"], allow_k1=True)
    found = _measured(compared(frame, frame, ["x", "y"], plan=plan))
    (column,) = found.columns
    assert (column.n_constant, column.least_distinct) == (2, 1)
    assert found.figure.value == 2
