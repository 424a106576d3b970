"""Uniqueness in the protected columns, and in the columns that are released unchanged."""

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg import Plan, Run
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.released_classes import ReleasedClasses
from microagg.measure.unchanged_columns import Uniqueness, measure_uniqueness
from microagg.model.figure import Figure
from naive_risk import count_below
from risk_tables import compared, of

BEFORE = pl.DataFrame(
    {
        "x": [1.0, 2.0, 2.0, 7.0, 8.0],
        "region": ["N", "N", "N", "S", "S"],
        "job": ["a", "b", "b", "a", "a"],
        "w": [5.0, 5.0, 5.0, 6.0, 6.0],
        "id": [11, 12, 13, 14, 15],
    }
)
AFTER = BEFORE.with_columns(x=pl.Series([2.0, 2.0, 2.0, 8.0, 8.0]), id=pl.Series([3, 1, 2, 5, 4]))


def _measured(tables: ComparedTables) -> Uniqueness:
    return measure_uniqueness(tables, ReleasedClasses.of(tables), Run())


def _figure(found: Uniqueness, name: str) -> Figure:
    return next(figure for figure in found.figures if figure.name == name)


def test_uniqueness_by_hand() -> None:
    """In x, three records were unique and none is; region and job make the first one unique; `id` was renumbered."""
    found = _measured(compared(BEFORE, AFTER, ["x"], k=3))
    assert [(figure.name, figure.value) for figure in found.figures] == [
        ("unique_before", 3),
        ("unique_after", 0),
        ("unchanged_unique", 1),
        ("unchanged_below_k", 5),
        ("unchanged_with_groups_unique", 1),
    ]
    assert _figure(found, "unchanged_unique").note == "released unchanged: 'region', 'job', 'w'"
    assert _figure(found, "unchanged_below_k").note == "k = 3; released unchanged: 'region', 'job', 'w'"
    whole = found.singling_out[-1]
    assert (whole.columns, whole.n_unique, whole.n_below_3) == (("region", "job", "w"), 1, 5)


def test_group_and_column_together_find_whom_neither_finds_alone() -> None:
    frame = pl.DataFrame({"x": [1.0, 1.0, 2.0, 2.0], "s": ["a", "b", "a", "b"]})
    found = _measured(compared(frame, frame, ["x"]))
    assert of(found.figures, "unchanged_unique") == 0
    assert of(found.figures, "unchanged_with_groups_unique") == 4


def test_k_is_needed_to_count_below_it() -> None:
    found = _figure(_measured(compared(BEFORE, AFTER, ["x"])), "unchanged_below_k")
    assert found.value is None
    assert found.note.startswith("k is not known; released unchanged: ")


def test_confidential_columns_count_and_are_left_out_in_the_note() -> None:
    plan = Plan(k=2, columns=["x"], confidential=["job"], renumber=["id"])
    found = _figure(_measured(compared(BEFORE, AFTER, ["x"], plan=plan)), "unchanged_unique")
    assert found.value == 1
    assert found.note == "released unchanged: 'region', 'job', 'w'; without the confidential ones 0"


@pytest.mark.parametrize("released", [AFTER.select("x"), AFTER.select("x", "id")])
def test_nothing_is_released_as_it_came(released: pl.DataFrame) -> None:
    found = _measured(compared(BEFORE, released, ["x"], k=3))
    assert [figure.value for figure in found.figures] == [3, 0, 0, 0, 0]
    assert found.figures[-1].note == "no column is released unchanged"
    assert found.singling_out == ()


ROWS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 3), st.sampled_from(["a", "b", None])), min_size=1, max_size=25
)


@given(ROWS, st.integers(1, 5))
def test_counts_are_those_of_the_oracle(rows: list[tuple[Any, ...]], k: int) -> None:
    x, s, c = (list(column) for column in zip(*rows, strict=True))
    before = pl.DataFrame({"x": [float(one) + 0.5 * j for j, one in enumerate(x)], "s": s, "c": c}, strict=False)
    after = before.with_columns(x=pl.Series(x, dtype=pl.Float64))
    found = _measured(compared(before, after, ["x"], k=k)).figures
    beside = list(zip(s, c, strict=True))
    assert [figure.value for figure in found] == [
        count_below(before["x"].to_list(), 2),
        count_below(x, 2),
        count_below(beside, 2),
        count_below(beside, k),
        count_below(rows, 2),
    ]
