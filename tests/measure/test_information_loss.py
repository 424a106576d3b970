"""Measures of released tables."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microagg import DoubtError, InputError, Plan, assess, measure, protect, read, verify
from microagg.encode import encode
from microagg.measure import measure_tables


def test_measures_by_hand() -> None:
    before = pl.DataFrame({"x": [0.0, 2.0, 10.0, 12.0], "c": [5.0] * 4})
    after = pl.DataFrame({"x": [1.0, 1.0, 11.0, 11.0], "c": [5.0] * 4})
    measures = measure(before, after, ["x", "c"])
    x, c = measures.numbers
    assert (measures.n_records, measures.k_reached, measures.n_patterns) == (4, 2, 2)
    assert measures.information_loss == pytest.approx(100 * 4 / 104)
    assert (x.mean_before, x.mean_after) == (6.0, 6.0)
    assert [x.variance_before, x.variance_after] == pytest.approx([104 / 3, 100 / 3])
    assert x.information_loss == pytest.approx(100 * 4 / 104)
    assert (c.variance_before, c.information_loss) == (0.0, None)


@pytest.mark.parametrize("standardise", [True, False])
def test_measures_agree_with_the_solution(standardise: bool) -> None:
    X = np.random.default_rng(0).normal(size=(50, 3)) * [1, 10, 100] + 1e6
    release = protect(X, 4, standardise=standardise)
    measured = measure(X, release.data, standardise=standardise)
    assert measured.information_loss == pytest.approx(release.information_loss, rel=1e-6)


def test_measures_refuse_what_cannot_be_compared() -> None:
    with pytest.raises(InputError, match="the original has 3 records, the release 2"):
        measure(np.ones((3, 1)), np.ones((2, 1)))
    with pytest.raises(InputError, match="too large or too close together"):
        measure(np.array([1e200, 2e200]), np.array([1e200, 1e200]))
    with pytest.raises(InputError, match="no records"):
        measure(np.ones((0, 1)), np.ones((0, 1)))


def test_records_in_another_order_are_noticed(companies: Path) -> None:
    released = protect(companies, 3, exclude=["company"]).data.reverse()
    with pytest.raises(InputError, match="in another order: column 'company' holds the same values in other rows"):
        measure(companies, released)
    with pytest.raises(InputError, match="in another order: column 'company'"):
        measure(companies, released, ["surface"])
    ids = pd.DataFrame({"id": [3, 1, 2, 4], "x": [1.0, 2.0, 8.0, 9.0]})
    shuffled = pd.DataFrame({"id": [4, 1, 2, 3], "x": [8.5, 1.5, 8.5, 1.5]})
    with pytest.raises(InputError, match="in another order: column 'id'"):
        measure(ids, shuffled)


def test_one_column_that_was_swapped_is_no_other_order() -> None:
    before = pd.DataFrame({"who": list("abcd"), "x": [1.0, 2.0, 8.0, 9.0], "y": [1, 2, 3, 4]})
    after = pd.DataFrame({"who": list("abcd"), "x": [1.5, 1.5, 8.5, 8.5], "y": [2, 1, 4, 3]})
    assert measure(before, after, ["x"]).information_loss < 5


def test_files_without_a_header_are_not_measured_on_a_guess(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,10.5\nb,20.5\n")
    (tmp_path / "b.csv").write_text("a,15.5\nb,15.5\n")
    with pytest.raises(DoubtError, match="the first line may be a record"):
        measure(tmp_path / "a.csv", tmp_path / "b.csv")


def test_only_what_was_changed_is_measured_unless_columns_are_named() -> None:
    before = pl.DataFrame({"id": [1, 2, 3, 4], "x": [0.0, 2.0, 10.0, 12.0]})
    after = before.with_columns(x=pl.Series([1.0, 1.0, 11.0, 11.0]))
    assert [column.name for column in measure(before, after).columns] == ["x"]
    assert [column.name for column in measure(before, before).columns] == ["id", "x"]
    with pytest.raises(InputError, match="no column 'y'"):
        measure(before, after, ["y"])


def test_columns_without_variance_or_with_one_record() -> None:
    measures = measure(np.array([[5.0]]), np.array([[6.0]]), [0])
    (column,) = measures.numbers
    assert (column.variance_before, column.variance_after, column.information_loss) == (0.0, 0.0, None)
    assert (measures.information_loss, measures.k_reached, measures.n_records) == (0.0, 1, 1)
    (pair,) = measure(np.array([[1.0], [3.0]]), np.array([[2.0], [2.0]]), [0]).numbers
    assert (pair.variance_before, pair.variance_after, pair.information_loss) == (2.0, 0.0, 100.0)
    (apart,) = measure(np.array([[1.0], [3.0]]), np.array([[0.0], [4.0]]), [0]).numbers
    assert (apart.variance_before, apart.variance_after, apart.information_loss) == (2.0, 8.0, 100.0)


def test_columns_weigh_alike_unless_asked_otherwise() -> None:
    before = np.array([[0.0, 0.0], [2.0, 20.0]])
    after = np.array([[1.0, 0.0], [1.0, 20.0]])
    assert measure(before, after, [0, 1]).information_loss == pytest.approx(50.0)
    assert measure(before, after, [0, 1], standardise=False).information_loss == pytest.approx(100 * 2 / 202)
    with pytest.raises(InputError, match="standardise must be True or False"):
        measure(before, after, [0, 1], standardise=1)  # type: ignore[arg-type]


def test_errors_of_measuring_say_what_to_do() -> None:
    with pytest.raises(InputError) as caught:
        measure(np.ones((3, 1)), np.ones((2, 1)))
    assert str(caught.value) == ("the original has 3 records, the release 2: they can only be compared row by row")
    with pytest.raises(InputError) as caught:
        measure(np.ones((0, 1)), np.ones((0, 1)))
    assert str(caught.value) == "the original has no records: there is nothing to measure"
    with pytest.raises(InputError) as caught:
        measure(pl.DataFrame({"who": ["a"], "x": [1.0]}), pl.DataFrame({"who": ["a"], "y": [1.0]}))
    assert str(caught.value) == "the two tables share no column of numbers: there is nothing to measure"
    with pytest.raises(InputError, match="there is no column 'x'"):
        measure(pl.DataFrame({"x": [1.0]}), pl.DataFrame({"y": [1.0]}), ["x"])


def test_other_order_is_told_by_other_columns_only() -> None:
    before = pl.DataFrame({"x": [1.0, 2.0, 8.0, 9.0], "who": list("abcd"), "c": [5] * 4})
    swapped = pl.DataFrame({"x": [2.0, 1.0, 9.0, 8.0], "who": list("abcd"), "c": [5] * 4})
    assert measure(before, swapped, ["x"]).k_reached == 1
    moved = pl.DataFrame({"x": [1.5, 1.5, 8.5, 8.5], "who": list("bacd"), "c": [5] * 4})
    with pytest.raises(InputError) as caught:  # a constant column tells nothing
        measure(before, moved, ["x"])
    assert str(caught.value) == (
        "the records of the release are in another order: column 'who' holds the same values in other rows; "
        "put them in the order of the original first, as they are compared row by row"
    )
    lists = {"items": [[1], [2], [3], [4]]}
    in_place = moved.with_columns(**{name: pl.Series(values) for name, values in lists.items()})
    originals = before.with_columns(**{name: pl.Series(values) for name, values in lists.items()})
    assert measure(originals, in_place, ["x"]).k_reached == 2


def test_measured_tables_are_checked_again() -> None:
    before = read(np.array([[1.0], [2.0]]))
    encoding, _ = encode(before, before.names, 1)
    with pytest.raises(InputError, match="the original has 2 records, the release 3"):
        measure_tables(before, read(np.ones((3, 1))), encoding)


def test_categories_by_hand() -> None:
    before = pl.DataFrame({"c": ["a", "a", "b", "c"], "d": ["x"] * 4})
    after = pl.DataFrame({"c": ["a", "a", "b", "b"], "d": ["x"] * 4})
    measures = measure(before, after, ["c", "d"])
    c, d = measures.categories
    assert (c.changed, c.entropy_before, c.entropy_after) == (25.0, 1.5, 1.0)
    assert c.entropy_loss == pytest.approx(100 / 3)
    assert c.information_loss == pytest.approx(100 / (2 * (1 - 6 / 16)))
    assert (d.changed, d.entropy_before, d.entropy_loss, d.information_loss) == (0.0, 0.0, None, None)
    assert measures.information_loss == pytest.approx(c.information_loss)
    assert measures.k_reached == 2


def test_codes_and_orders_can_be_named() -> None:
    before = pl.DataFrame({"n": [1, 2, 3, 9], "o": ["lo", "hi", "lo", "hi"]})
    after = pl.DataFrame({"n": [1, 1, 9, 9], "o": ["lo", "lo", "lo", "hi"]})
    measures = measure(before, after, ["n", "o"], nominal=["n"], ordinal={"o": ["lo", "hi"]})
    assert [column.changed for column in measures.categories] == [50.0, 25.0]
    with pytest.raises(InputError, match="column 'o' has the category 'hi', which its order does not name"):
        measure(before, after, ["o"], ordinal={"o": ["lo"]})


def test_dates_are_measured_in_days() -> None:
    before = pl.DataFrame({"d": [date(1970, 1, 1), date(1970, 1, 3), date(1970, 1, 11), date(1970, 1, 13)]})
    after = pl.DataFrame({"d": [date(1970, 1, 2)] * 2 + [date(1970, 1, 12)] * 2})
    (column,) = measure(before, after, ["d"]).numbers
    assert (column.mean_before, column.mean_after, column.unit) == (6.0, 6.0, "days since 1970-01-01")
    assert [column.variance_before, column.variance_after] == pytest.approx([104 / 3, 100 / 3])
    assert column.information_loss == pytest.approx(100 * 4 / 104)


def test_cells_that_are_missing_in_both_tables_do_not_count() -> None:
    before = pl.DataFrame({"x": [0.0, 2.0, None, 10.0, 12.0], "c": ["a", "b", None, None, "b"]})
    after = pl.DataFrame({"x": [1.0, 1.0, None, 11.0, 11.0], "c": ["b", "b", None, None, "b"]})
    measures = measure(before, after, ["x", "c"])
    (x,) = measures.numbers
    (c,) = measures.categories
    assert x.mean_before == 6.0
    assert x.information_loss == pytest.approx(100 * 4 / 104)
    assert c.changed == pytest.approx(100 / 3)
    assert (measures.n_suppressed, measures.n_imputed) == (0, 0)
    nothing = pl.DataFrame({"x": [None, None]}, schema={"x": pl.Float64})
    assert measure(nothing, nothing, ["x"]).columns[0].information_loss is None


def test_cells_that_one_table_lacks_are_counted_and_left_out() -> None:
    before = pl.DataFrame({"x": [0.0, 2.0, 10.0, 12.0, 90.0, None], "c": ["a", "b", "b", "a", "rare", "b"]})
    after = pl.DataFrame({"x": [1.0, 1.0, 11.0, 11.0, None, 7.0], "c": ["a", "b", "b", "b", None, "b"]})
    measures = measure(before, after, ["x", "c"])
    assert (measures.n_suppressed, measures.n_imputed) == (2, 1)
    (x,) = measures.numbers
    (c,) = measures.categories
    assert [x.mean_before, x.mean_after, x.information_loss] == pytest.approx([6.0, 6.0, 100 * 4 / 104])
    assert [c.changed, c.information_loss] == pytest.approx([20.0, 100 * 1 / 1.2])
    assert measure(before, after, ["x"]).information_loss == pytest.approx(x.information_loss)
    assert measures.k_reached == 1
    assert "2 values of the original that the release lacks, and 1 value that only the release" in measures.summary()
    assert "left out" not in measure(before, before, ["x", "c"]).summary()


def test_a_plan_says_what_is_measured_and_what_is_missing() -> None:
    frame = pd.DataFrame({"x": [1.0, 3.0, -9.0, -9.0, 50.0], "code": [1, 1, 2, 2, 2], "r": ["a", "a", "a", "a", "b"]})
    plan = Plan(
        k=2,
        columns=["x", "code"],
        nominal=["code"],
        strata=["r"],
        missing="pattern",
        missing_values={"x": [-9]},
        small_strata="suppress",
        method="mdav",
    )
    release = protect(frame, plan=plan)
    measures = measure(frame, release.data, plan=release.plan)
    assert measures == replace(release.measures, k_reached=measures.k_reached)
    assert measures.n_records == 4
    assert measures.numbers[0].mean_before == 2.0
    with pytest.raises(InputError, match="a plan says which columns are measured"):
        measure(frame, release.data, ["x"], plan=plan)
    with pytest.raises(InputError, match="the plan names no columns"):
        measure(frame, release.data, plan=Plan(k=2))


def _people() -> pd.DataFrame:
    rng = np.random.default_rng(7)
    return pd.DataFrame(rng.normal(size=(60, 3)), columns=list("abc"))


@pytest.mark.parametrize("labels", ["default", "names"])
def test_records_are_matched_by_their_index(labels: str) -> None:
    people = _people() if labels == "default" else _people().set_index(np.array([f"p{i}" for i in range(60)]))
    release = protect(people, 5, columns=["a", "b", "c"], exclude=["index"][: labels == "names"], method="mdav")
    moved = release.data.sample(frac=1, random_state=3)
    straight = assess(people, release.data, k=5)
    matched = assess(people, moved, k=5)
    for name in ("dld", "information_loss"):
        assert matched.figure(name).value == pytest.approx(straight.figure(name).value)
    assert "matched by their index" in matched.summary()
    by_plan = assess(people, moved, plan=release.plan)
    assert by_plan.figure("dld").value == pytest.approx(straight.figure("dld").value)
    measures = measure(people, moved)
    assert measures.information_loss == pytest.approx(measure(people, release.data).information_loss)
    assert measures.remarks == ("records are matched by their index, which is in another order in the release",)
    assert measure(people, release.data).remarks == ()
    for verification in (
        verify(people, moved, plan=release.plan),
        verify(people, moved, k=5, columns=["a", "b", "c"]),
    ):
        assert verification.passed
        assert any("matched by their index" in finding.detail for finding in verification.findings)
    wrong = moved.copy()
    wrong.iloc[:, 0] = wrong.iloc[::-1, 0].to_numpy()
    assert not verify(people, wrong, plan=release.plan).passed


def test_records_that_the_plan_leaves_out_do_not_hinder_matching() -> None:
    people = _people()
    people.loc[::9, "a"] = np.nan
    release = protect(people, 5, columns=["a", "b"], exclude=["c"], missing="drop", method="mdav")
    moved = release.data.sample(frac=1, random_state=3)
    expected = measure(people, release.data, plan=release.plan).information_loss
    assert measure(people, moved, plan=release.plan).information_loss == pytest.approx(expected)
    assert verify(people, moved, plan=release.plan).passed


def test_labels_that_tell_nothing_leave_records_in_their_places() -> None:
    people = _people()
    released = protect(people, 5, columns=["a", "b", "c"], method="mdav").data
    loss = measure(people, released).information_loss
    for index in (["x"] * 60, [0, *range(59)], range(100, 160)):
        measures = measure(people, released.set_index(pd.Index(index)))
        assert (measures.information_loss, measures.remarks) == (loss, ())
    with pytest.raises(InputError, match="only counts its records"):
        measure(people.sample(frac=1, random_state=1), released)


def test_tables_of_other_columns_are_refused_or_told() -> None:
    X = np.random.default_rng(0).normal(size=(20, 3))
    for other in (X[:, :2], np.arange(20), np.hstack([X, X])):
        with pytest.raises(InputError, match="columns of arrays have no names"):
            measure(X, other)
        with pytest.raises(InputError, match="columns of arrays have no names"):
            assess(X, other)
    assert measure(X, X[:, :2], columns=[0, 1]).n_records == 20
    frame = pl.DataFrame(X, schema=list("abc"))
    measures = measure(frame, frame.drop("c"))
    assert measures.remarks == ("not measured, as the release lacks them: 'c'",)
    assert "not measured" in measures.summary()
