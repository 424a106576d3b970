"""Summaries of parts of a column merge to what one machine finds of the whole."""

import pickle
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from column_cases import TREATMENTS, columns, treatment_of
from microagg import Column, InputError, read
from microagg.aggregate import holds_integers
from microagg.encode import checked_column, encode
from microagg.model.arrays import IntArray
from microagg.model.by_column import ByColumn
from microagg.model.category_counts import MAX_COUNTED_CATEGORIES
from microagg.model.column_encoding import MAX_CATEGORIES, fit_column
from microagg.model.column_summary import ColumnSummary
from microagg.model.column_values import distinct_values
from microagg.model.time_units import own_unit
from microagg.model.treatment import Treatment


def _summary(column: Column, treatment: Treatment, records: IntArray, weights: Any = None) -> ColumnSummary:
    some = column.in_order(records)
    if column.kind == "text":  # a task lists only the texts that it has, in the order in which it meets them
        some = Column.of_objects(column.name, some.objects())
    return ColumnSummary.of(some, treatment, records, None if weights is None else weights[records])


def _merged(
    column: Column, treatment: Treatment, data: st.DataObject, weights: Any = None, n_parts: int = 3
) -> ColumnSummary:
    """Return the summaries of the parts of a random division, merged in a random order."""
    n = len(column)
    part = np.array(data.draw(st.lists(st.integers(0, n_parts - 1), min_size=n, max_size=n), label="part"))
    order = np.array(data.draw(st.permutations(range(n)), label="order"))
    parts = [_summary(column, treatment, order[part[order] == number], weights) for number in range(n_parts)]
    first, *others = data.draw(st.permutations([one for one in parts if one.n_records]), label="parts")
    for other in others:
        first = pickle.loads(pickle.dumps(first)).merged(other)
    return first


@pytest.mark.parametrize("case", TREATMENTS)
@given(data=st.data())
def test_parts_have_the_encoding_of_the_whole(case: str, data: st.DataObject) -> None:
    column = data.draw(columns(case, data.draw(st.integers(1, 20))))
    treatment = treatment_of(case)
    summary = _merged(column, treatment, data)
    expected = fit_column(column, treatment)
    found = summary.encoding(treatment)
    assert vars(found) == vars(expected)
    np.testing.assert_array_equal(found.coordinates(found.read(column)), expected.coordinates(expected.read(column)))
    assert summary.n_missing == (0 if column.missing is None else column.missing.sum())
    if found.level == "date":
        assert summary.units is not None
        assert summary.units.own == own_unit(column)
    if summary.categories is not None:
        assert [one.count for one in summary.categories.in_order()] == np.bincount(
            distinct_values(column)[0] + 1, minlength=1
        )[1:].tolist()
        assert summary.categories.column().objects() == distinct_values(column)[1]


@given(st.lists(st.sampled_from([1.0, -2.0, 0.5, 2.0**63, np.nan]), min_size=1, max_size=8), st.data())
def test_whole_numbers_are_found(numbers: list[float], data: st.DataObject) -> None:
    table = read(np.array(numbers)[:, None])
    summary = _merged(table.column("0"), Treatment(), data)
    assert summary.holds_integers is holds_integers(table, "0")


def test_infinite_numbers_are_no_integers() -> None:
    assert not ColumnSummary.of(
        Column.of_numbers("x", np.array([1.0, np.inf])), Treatment(), np.arange(2)
    ).holds_integers


@pytest.mark.parametrize(
    ("values", "treatment"),
    [
        ([1.0, None, 3.0, None, None, None], Treatment()),
        ([1.0, float("inf"), 3.0, float("-inf")], Treatment()),
        ([1.0, 2e150], Treatment()),
        ([1.0, -2e150], Treatment()),
        ([0.0, 1e-151], Treatment()),
        ([1, 2**53], Treatment()),
        ([-(2**53), 1], Treatment()),
        (["a", None, "b", "a"], Treatment()),
        (list("abcdef"), Treatment()),
        ([1.0, None, 2.0], Treatment(nominal=("x",))),
    ],
)
def test_what_cannot_be_used_is_refused_in_the_same_words(values: list[Any], treatment: Treatment) -> None:
    table = read(pl.DataFrame({"x": values}, strict=False))
    with pytest.raises(InputError) as expected:
        encode(table, ["x"], 1, treatment)
    column = table.column("x")
    halves = np.arange(len(values) // 2), np.arange(len(values) // 2, len(values))
    first, second = (_summary(column, treatment, half) for half in halves)
    for merged in (first.merged(second), second.merged(first)):
        with pytest.raises(InputError) as found:
            merged.check()
        assert str(found.value) == str(expected.value)


@pytest.mark.parametrize(
    "values", [[1, 2**53 - 1], [1.0, 2.0**53], [1.0, None], list("abcde"), list("abcdea"), [1e150, -1e150], [5.0, 5.0]]
)
def test_what_can_be_used_is_not_refused(values: list[Any]) -> None:
    table = read(pl.DataFrame({"x": values}))
    checked_column(table, "x", "nominal" if values[0] == "a" else "number", may_miss=True)
    ColumnSummary.of(table.column("x"), Treatment(), np.arange(len(values))).check(may_miss=True)


def test_too_many_categories_are_refused_with_their_number() -> None:
    def summary(n: int, start: int = 0) -> ColumnSummary:
        texts = [str(number) for number in range(start, start + n)] * 2
        return ColumnSummary.of(Column.of_objects("x", texts), Treatment(), np.arange(len(texts)))

    assert summary(MAX_CATEGORIES).encoding(Treatment()).width == MAX_CATEGORIES
    with pytest.raises(InputError, match=f"has {MAX_CATEGORIES + 1} categories, more than the {MAX_CATEGORIES} "):
        summary(MAX_CATEGORIES + 1).encoding(Treatment())
    exactly = summary(MAX_COUNTED_CATEGORIES)
    with pytest.raises(InputError, match=f"has {MAX_COUNTED_CATEGORIES} categories, more than"):
        exactly.encoding(Treatment())
    over = exactly.merged(summary(1, start=MAX_COUNTED_CATEGORIES))
    assert over == summary(1, start=MAX_COUNTED_CATEGORIES).merged(exactly)
    assert len(pickle.dumps(over)) < 5000
    over.check()
    with pytest.raises(InputError, match=f"has more than {MAX_COUNTED_CATEGORIES} categories, more than the"):
        over.merged(summary(2)).encoding(Treatment())


def test_many_ordered_categories_are_refused_on_a_cluster_only() -> None:
    treatment = Treatment(ordinal=("x",))
    column = Column.of_numbers("x", np.arange(MAX_COUNTED_CATEGORIES + 1))
    assert fit_column(column, treatment).total == pytest.approx(len(column))
    with pytest.raises(InputError, match=f"has more than {MAX_COUNTED_CATEGORIES} categories, too many to be put in"):
        ColumnSummary.of(column, treatment, np.arange(len(column))).encoding(treatment)


@pytest.mark.parametrize(
    "options",
    [
        {"scale": ByColumn("mad")},
        {"scale": ByColumn("iqr")},
        {"scale": ByColumn("rank")},
        {"transform": ByColumn("rank")},
    ],
)
def test_what_needs_all_values_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="on a cluster choose the scale 'deviation', 'range' or 'none'"):
        ColumnSummary.of(Column.of_numbers("x", np.arange(3.0)), Treatment(**options), np.arange(3))


def test_an_order_must_name_every_category() -> None:
    treatment = Treatment(ordinal=ByColumn(None, (("x", ("a", "b")),)))
    summary = ColumnSummary.of(Column.of_objects("x", ["a", "c"]), treatment, np.arange(2))
    with pytest.raises(InputError, match="has the category 'c', which its order does not name"):
        summary.encoding(treatment)


def test_parts_of_different_columns_do_not_merge() -> None:
    one = ColumnSummary.of(Column.of_numbers("x", np.arange(3.0)), Treatment(), np.arange(3))
    other = ColumnSummary.of(Column.of_numbers("y", np.arange(3.0)), Treatment(), np.arange(3))
    with pytest.raises(ValueError, match="summaries of two columns: 'x' of number and 'y' of number"):
        one.merged(other)
    days = ColumnSummary.of(Column("x", "datetime", np.array([0], dtype="M8[s]")), Treatment(), np.arange(1))
    seconds = ColumnSummary.of(Column("x", "datetime", np.array([0], dtype="M8[us]")), Treatment(), np.arange(1))
    with pytest.raises(ValueError, match="holds its times in s and in us"):
        days.merged(seconds)
    listed = ColumnSummary.of(Column("x", "category", np.array([0]), ("a", "b")), Treatment(), np.arange(1))
    otherwise = ColumnSummary.of(Column("x", "category", np.array([0]), ("b", "a")), Treatment(), np.arange(1))
    with pytest.raises(InputError, match="lists other categories in one part"):
        listed.merged(otherwise)


def test_nanoseconds_are_exact() -> None:
    times = np.array([1_600_000_000_000_000_001, 1_600_000_000_000_000_003, 1_700_000_000_000_000_000]).astype("M8[ns]")
    column = Column("x", "datetime", times)
    parts = [_summary(column, Treatment(), np.array(rows)) for rows in ([2], [0, 1])]
    assert parts[0].merged(parts[1]).encoding(Treatment()) == fit_column(column, Treatment())
    assert parts[0].merged(parts[1]).first_instant == 1_600_000_000_000_000_001


def test_summaries_show_no_value() -> None:
    treatment = Treatment(aggregate=ByColumn("mode"))
    summary = ColumnSummary.of(Column.of_numbers("x", np.array([4711.0, 4711.5])), treatment, np.arange(2))
    assert "4711" not in repr(summary)
    assert "Ulm" not in repr(ColumnSummary.of(Column.of_objects("x", ["Ulm"]), Treatment(), np.arange(1)))
