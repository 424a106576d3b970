"""Weighted totals by domain."""

import numpy as np
import polars as pl
import pytest

import naive_utility as naive
from measured_tables import compared, group_means, labour_force
from microagg import InputError, Run
from microagg.measure import domain_totals as module
from microagg.measure.compared_columns import read_columns
from microagg.measure.domain_totals import domain_totals
from microagg.model import row_slices
from microagg.model.assessment import DomainTotal


def _totals(
    before: pl.DataFrame,
    after: pl.DataFrame,
    names: tuple[str, ...],
    domains: list[str],
    weights: np.ndarray | None = None,
) -> tuple[DomainTotal, ...]:
    tables = compared(before, after, names)
    return domain_totals(tables, read_columns(tables, Run()).numbers, domains, weights, Run())


def test_totals_by_hand() -> None:
    before = pl.DataFrame({"r": ["a", "b", "a", None], "x": [1.0, 2.0, 4.0, 8.0]})
    after = before.with_columns(x=pl.Series([2.0, 2.0, 2.0, 9.0]))
    found = _totals(before, after, ("x",), ["r"], np.array([1.0, 1.0, 10.0, 2.0]))
    assert [(one.domain, one.column, one.n_records) for one in found] == [
        ("r = a", "x", 2),
        ("r = b", "x", 1),
        ("r = missing", "x", 1),
    ]
    assert [(one.before, one.after) for one in found] == [(41.0, 22.0), (2.0, 2.0), (16.0, 18.0)]
    assert "41" not in repr(found[0])


def test_missing_values_and_dates_are_left_out() -> None:
    before = pl.DataFrame({"r": [1, 1], "x": [None, 3.0], "d": pl.Series(["2020-01-01", "2020-01-03"]).str.to_date()})
    found = _totals(before, before, ("x", "d"), ["r"])
    assert [(one.column, one.before, one.after) for one in found] == [("x", 3.0, 3.0)]


def test_records_count_in_the_domain_that_their_table_puts_them_in() -> None:
    before = pl.DataFrame({"sex": ["f", "m", "m"], "x": [1.0, 2.0, 4.0]})
    after = pl.DataFrame({"sex": ["m", "m", "?"], "x": [1.0, 2.0, 4.0]})
    found = _totals(before, after, ("sex", "x"), ["sex"])
    assert [(one.domain, one.n_records, one.before, one.after) for one in found] == [
        ("sex = f", 1, 1.0, 0.0),
        ("sex = m", 2, 6.0, 3.0),
        ("sex = ?", 0, 0.0, 4.0),
    ]


def test_same_values_of_other_types_are_the_same_domain() -> None:
    before = pl.DataFrame({"r": [1, 2], "x": [1.0, 2.0]})
    after = pl.DataFrame({"r": [1.0, 2.0], "x": [1.5, 1.5]})
    assert [one.domain for one in _totals(before, after, ("x",), ["r"])] == ["r = 1", "r = 2"]
    text = pl.DataFrame({"r": ["1 ", "2"], "x": [1.5, 1.5]})
    assert [one.domain for one in _totals(before, text, ("x",), ["r"])] == ["r = 1", "r = 2"]


def test_totals_are_those_of_the_oracle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_slices, "ROWS_PER_SLICE", 11)
    before = labour_force()
    after = group_means(before)
    weights = before["weight"]
    found = _totals(before, after, ("income", "debts"), ["region", "sex"], weights.to_numpy())
    domains = [f"region = {region}, sex = {sex}" for region, sex in zip(before["region"], before["sex"], strict=True)]
    for name in ("income", "debts"):
        old = naive.totals(domains, before[name].to_list(), weights.to_list())
        new = naive.totals(domains, after[name].to_list(), weights.to_list())
        of_column = [one for one in found if one.column == name]
        assert {one.domain: one.before for one in of_column} == pytest.approx(old)
        assert {one.domain: one.after for one in of_column} == pytest.approx(new)
    assert sum(one.n_records for one in found) == 2 * len(before)


def test_too_many_domains_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.DataFrame({"id": range(20), "r": [1, 2] * 10, "x": np.arange(20.0)})
    monkeypatch.setattr(module, "MAX_DOMAINS", 20)
    assert len(_totals(frame, frame, ("x",), ["r", "id"])) == 20
    monkeypatch.setattr(module, "MAX_DOMAINS", 19)
    with pytest.raises(InputError, match="the columns 'r', 'id' make more than 19 domains: name fewer"):
        _totals(frame, frame, ("x",), ["r", "id"])
