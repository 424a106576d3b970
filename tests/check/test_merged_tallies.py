"""Findings about a release that is checked in parts of whole classes are those about the whole."""

from collections.abc import Sequence
from functools import cache, reduce
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microagg import Plan, protect, read
from microagg.check.checked_release import CheckedRelease, checked_release
from microagg.check.column_facts import ColumnFacts
from microagg.check.group_value_check import check_group_values, group_value_findings, tally_group_values
from microagg.check.privacy_check import check_privacy, tally_rules
from microagg.check.row_tally import RowTally
from microagg.check.value_check import (
    check_values,
    missing_finding,
    tally_missing,
    tally_totals,
    total_findings,
)
from microagg.model.arrays import IntArray
from microagg.model.verification import Finding

PLAN = Plan(k=3, columns=["income", "age", "born"], missing="pattern", confidential=["debts"], l_diversity=2)


@cache
def _tables(seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return a survey, and its release."""
    rng = np.random.default_rng(seed)
    n = 60
    income = [None if rng.random() < 0.3 else float(number) for number in rng.normal(1000, 300, n).round(2)]
    before = pl.DataFrame(
        {
            "income": income,
            "age": rng.integers(18, 90, n),
            "born": pl.Series(rng.integers(0, 9000, n)).cast(pl.Date),
            "debts": rng.integers(0, 4, n),
        }
    )
    return before, protect(before, plan=Plan(k=3, columns=["income", "age", "born"], missing="pattern")).data


def _parts(checked: CheckedRelease, n_parts: int) -> list[CheckedRelease]:
    """Divide a release into parts of whole classes."""
    assert checked.original is not None
    names = ("income", "age", "born")
    part_of = checked.released.patterns(names) % n_parts
    facts = {name: ColumnFacts.of(checked.original, name) for name in names}
    found = []
    for part in range(n_parts):
        rows: IntArray = np.flatnonzero(part_of == part)
        if len(rows):
            before = checked.original.in_order(rows)
            after = checked.released.in_order(rows)
            found.append(CheckedRelease(checked.plan, after, before, before, len(rows), facts, rows))
    return found


def _merged(lists: Sequence[Sequence[Any]]) -> list[Any]:
    """Merge the tallies of parts, the last part first."""
    return [reduce(lambda one, other: other.merged(one), column) for column in zip(*reversed(lists), strict=True)]


@pytest.mark.parametrize("fault", ["none", "value", "missing", "diversity", "total"])
@settings(max_examples=10)
@given(seed=st.integers(0, 3), n_parts=st.integers(1, 7))
def test_parts_have_the_findings_of_the_whole(fault: str, seed: int, n_parts: int) -> None:
    before, after = _tables(seed)
    if fault == "value":
        after = after.with_columns(age=pl.when(pl.col("income").is_null()).then(pl.col("age") + 3).otherwise("age"))
    elif fault == "missing":
        after = after.with_columns(income=after["income"].fill_null(7.0))
    elif fault == "diversity":
        after = after.with_columns(debts=pl.lit(1))
    elif fault == "total":
        after = after.with_columns(income=after["income"] * 1.001)
    checked = checked_release(read(before), read(after), PLAN)
    assert checked.counterpart is not None
    parts = _parts(checked, n_parts)
    (one,) = checked.sets
    rules = _merged([tally_rules(part, one) for part in parts])
    assert [tally.finding() for tally in rules] == check_privacy(checked)
    values = [
        tally_group_values(part, part.released if part.counterpart is None else part.counterpart, one) for part in parts
    ]
    assert group_value_findings(_merged(values)) == check_group_values(checked)
    missing = _merged([tally_missing(part, part.counterpart or part.released) for part in parts])
    totals = _merged([tally_totals(part, part.counterpart or part.released) for part in parts])
    found: list[Finding] = [missing_finding(missing), *total_findings(totals, is_weighted=False)]
    assert found == check_values(checked)


def test_equal_records_may_be_counted_once() -> None:
    before = read(pl.DataFrame({"x": [1.0, 1.0, 1.0, 4.0, 8.0, 8.0]}))
    after = read(pl.DataFrame({"x": [1.75, 1.75, 1.75, 1.75, 8.0, 8.0]}))
    plan = Plan(k=2, columns=["x"])
    rows = np.array([0, 3, 4])
    facts = {"x": ColumnFacts.of(before, "x")}
    counted = CheckedRelease(
        plan, after.in_order(rows), before.in_order(rows), before.in_order(rows), 3, facts, rows, np.array([3, 1, 2])
    )
    (one,) = counted.sets
    assert group_value_findings(tally_group_values(counted, before.in_order(rows), one))[0].passed
    wrong = CheckedRelease(
        plan, after.in_order(rows), before.in_order(rows), before.in_order(rows), 3, facts, rows, np.array([1, 1, 2])
    )
    (failed,) = group_value_findings(tally_group_values(wrong, before.in_order(rows), one))
    assert failed.detail == "'x' is not the mean of the original values in 1 of 2 groups: 2 records, in rows 1, 4"


def test_the_first_rows_of_two_tallies_are_shown() -> None:
    both = RowTally.of(np.array([8, 2, 5])).merged(RowTally.of(np.array([9, 1, 3])))
    assert (both.count, both.text) == (6, "rows 2, 3, 4, 6, 9, …")


def test_times_have_the_finest_unit_of_their_parts() -> None:
    times = pl.Series(["2020-01-01T00:00", "2020-01-02T05:00", "2020-01-03T05:30"]).str.to_datetime("%Y-%m-%dT%H:%M")
    table = read(pl.DataFrame({"t": times}))
    parts = [ColumnFacts.of(table.in_order(np.array([row])), "t") for row in (2, 0, 1)]
    whole = ColumnFacts.of(table, "t")
    assert [part.unit for part in parts] == ["m", "D", "h"]
    assert reduce(ColumnFacts.merged, parts) == whole
    assert (whole.unit, str(whole.first)[:10]) == ("m", "2020-01-01")
