"""k reached: in all, by stratum, and by unit."""

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_risk
from microagg import InputError, Plan
from microagg.measure import part_anonymity
from microagg.measure.part_anonymity import Anonymity, measure_anonymity
from microagg.model.assessment import PartAnonymity
from risk_tables import compared, numbers

FRAME = pl.DataFrame(
    {
        "x": [1.0, 1.0, 1.0, 2.0, 2.0, 1.0],
        "region": ["North"] * 3 + ["South"] * 3,
        "house": [7, 7, 8, 9, 9, 7],
    }
)


def _measured(frame: pl.DataFrame, released: pl.DataFrame | None = None, **options: Any) -> Anonymity:
    plan = Plan(k=1, columns=["x"], allow_k1=True, **options)
    return measure_anonymity(compared(frame, frame if released is None else released, ["x"], plan=plan))


def test_all_records_by_hand() -> None:
    found = measure_anonymity(numbers([1.0, 2.0, 3.0, 9.0, 9.0], [2.0, 2.0, 2.0, 9.0, 9.0]))
    assert (found.figure.name, found.figure.value, found.figure.note) == ("k_reached", 2, "")
    assert found.parts == (PartAnonymity("all records", 5, 2),)


def test_records_are_counted_within_strata() -> None:
    """In the South, one record has the value 1, which three have in the North."""
    found = _measured(FRAME, strata=["region"])
    assert found.figure.value == 1
    assert found.figure.note == "within strata by 'region', of which there are 2"
    assert found.parts == (
        PartAnonymity("all records", 6, 1),
        PartAnonymity("region = North", 3, 3),
        PartAnonymity("region = South", 3, 1),
    )


def test_merged_strata_do_not_count_in_all() -> None:
    found = _measured(FRAME, strata=["region"], small_strata="merge")
    assert found.figure.value == 2
    assert [part.k_reached for part in found.parts] == [2, 3, 1]


def test_units_are_counted_where_the_plan_names_them() -> None:
    """The class of 1 has four records of two houses, that of 2 two records of one house."""
    found = _measured(FRAME, unit="house")
    assert found.figure.value == 1
    assert found.figure.note == "units are counted, not records"
    only_first = FRAME.filter(pl.col("x") == 1.0)
    assert _measured(only_first, only_first.drop("house"), unit="house").figure.value == 2


def test_each_column_set_is_counted_on_its_own() -> None:
    frame = pl.DataFrame({"x": [1, 1, 2, 2, 2], "y": [1, 2, 1, 2, 2]})
    plan = Plan(k=2, sets=[{"columns": ["x"]}, {"columns": ["y"]}])
    found = measure_anonymity(compared(frame, frame, ["x", "y"], plan=plan))
    assert found.figure.value == 2
    assert found.figure.note == "the smallest of all column sets, each on its own columns"


def test_missing_value_is_a_value_of_its_own() -> None:
    figure = measure_anonymity(numbers([1.0, 1.0, 1.0, None], [1.0, 1.0, 1.0, None])).figure
    assert figure.value == 1
    assert figure.note == "a missing value counts as a value of its own"


def test_strata_that_are_not_released_are_not_named() -> None:
    found = _measured(FRAME, FRAME.drop("region"), strata=["region"])
    assert [part.part for part in found.parts] == ["all records", "stratum 1", "stratum 2"]


def test_strata_of_several_columns_and_missing_values() -> None:
    frame = pl.DataFrame({"x": [1.0, 1.0, 1.0], "a": [1, None, 1], "b": ["u", "u", "v"]})
    found = _measured(frame, strata=["a", "b"])
    assert [part.part for part in found.parts[1:]] == ["a = 1, b = u", "a missing, b = u", "a = 1, b = v"]


def test_of_many_strata_those_of_the_smallest_k_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part_anonymity, "_MAX_STRATA", 2)
    frame = pl.DataFrame({"x": [1.0] * 7, "a": list("bbaaccc")})
    found = _measured(frame, strata=["a"])
    assert [(part.part, part.k_reached) for part in found.parts] == [("all records", 2), ("a = b", 2), ("a = a", 2)]


def test_columns_of_the_plan_must_be_there() -> None:
    with pytest.raises(InputError, match="there is no column 'zone'"):
        _measured(FRAME, strata=["zone"])
    with pytest.raises(InputError, match="there is no column 'home'"):
        _measured(FRAME, unit="home")


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from("ab"), st.integers(0, 3)), min_size=1, max_size=30))
def test_parts_are_those_of_the_oracle(rows: list[tuple[int, str, int]]) -> None:
    frame = pl.DataFrame(
        {"x": [float(row[0]) for row in rows], "a": [row[1] for row in rows], "u": [row[2] for row in rows]}
    )
    values, strata, units = (list(column) for column in zip(*rows, strict=True))
    found = _measured(frame, strata=["a"], unit="u")
    expected = naive_risk.fewest(values, strata, units)
    assert {part.part: part.k_reached for part in found.parts[1:]} == {f"a = {a}": k for a, k in expected.items()}
    assert found.figure.value == found.parts[0].k_reached == min(expected.values())
    by_record = _measured(frame)
    assert by_record.figure.value == min(values.count(value) for value in values)
