"""Measures of released tables."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microagg import DoubtError, InputError, measure, protect


def test_measures_by_hand() -> None:
    before = pl.DataFrame({"x": [0.0, 2.0, 10.0, 12.0], "c": [5.0] * 4})
    after = pl.DataFrame({"x": [1.0, 1.0, 11.0, 11.0], "c": [5.0] * 4})
    measures = measure(before, after, ["x", "c"])
    x, c = measures.columns
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
    with pytest.raises(InputError, match="of the release has 1 missing"):
        measure(np.ones((2, 1)), np.array([[1.0], [np.nan]]))
    with pytest.raises(InputError, match="too large or too close together"):
        measure(np.array([1e200, 2e200]), np.array([1e200, 1e200]))
    with pytest.raises(InputError, match="no records"):
        measure(np.ones((0, 1)), np.ones((0, 1)))


def test_records_in_another_order_are_noticed(companies: Path) -> None:
    released = protect(companies, 3).data.reverse()
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
