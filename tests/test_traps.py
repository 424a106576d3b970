"""Traps of other tools, and none of them here.

What other tools do wrong with ordinary files, each by the name of the tool where it was met. Traps of the first version
of this package are in `test_review_traps.py`. What is measured rather than tested: the speed of constrained k-means
(`benchmarks/speed.py`) and the minutes that microagg1d compiles (`benchmarks/compile_times.py`).
"""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microagg import DoubtError, InputError, protect, solve, verify

pytestmark = pytest.mark.usefixtures("released_unasked")  # which is asked about in test_select.py

MDAV: dict[str, Any] = {"method": "mdav"}


def _survey(n: int = 60) -> pl.DataFrame:
    rng = np.random.default_rng(5)
    return pl.DataFrame(
        {
            "person_id": rng.permutation(10_000)[:n] + 10_000,
            "region": rng.choice(["north", "south"], n),
            "weight": rng.uniform(0.5, 40, n),
            "sex": rng.integers(1, 3, n),
            "income": rng.lognormal(10, 1, n),
            "age": rng.integers(16, 90, n),
        }
    )


# sdcMicro


@pytest.mark.parametrize("missing", ["pattern", "available"])
def test_a_last_groups_mean_divides_by_the_records_that_have_a_value(missing: str) -> None:
    """sdcMicro divides the sum of the last group by all of its rows."""
    frame = pl.DataFrame({"x": [1.0, 2.0, 3.0, 101.0, 102.0, 103.0, None, None, None], "y": [*range(9)]})
    release = protect(frame, 3, columns=["x", "y"], missing=missing)
    before, after = frame["x"].to_numpy(), release.data["x"].to_numpy()
    for label in range(release.n_groups):
        group = release.labels == label
        present = before[group][~np.isnan(before[group])]
        if len(present):
            assert after[group & ~np.isnan(before)] == pytest.approx(present.mean())
    assert np.isnan(after).tolist() == np.isnan(before).tolist()


@pytest.mark.parametrize("options", [{}, {"weighted_loss": True}])
def test_sampling_weights_are_not_ignored_by_mdav(options: dict[str, Any]) -> None:
    """sdcMicro takes weights as an argument, and mdav does not use them: estimated totals move."""
    frame = _survey()
    release = protect(frame, 5, columns=["income"], weight="weight", **MDAV, **options)
    weights = frame["weight"].to_numpy()
    total = weights @ frame["income"].to_numpy()
    assert weights @ release.data["income"].to_numpy() == pytest.approx(total, rel=1e-12)
    assert release.data["income"].sum() != pytest.approx(frame["income"].sum(), rel=1e-6)
    assert release.data["weight"].to_list() == frame["weight"].to_list()


@pytest.mark.parametrize("k", [0, -1, 2.5, True, None])
def test_aggr_0_does_not_loop_for_ever(k: Any) -> None:
    """sdcMicro never returns from aggr = 0."""
    with pytest.raises(InputError):
        protect(_survey(), k, columns=["income"])


def test_a_stratum_below_k_is_never_released_without_a_word() -> None:
    """sdcMicro releases a stratum of fewer than k records as it came."""
    frame = _survey().with_columns(region=pl.Series(["islands"] * 2 + ["main"] * 58))
    options: dict[str, Any] = {"columns": ["income", "age"], "strata": ["region"], **MDAV}
    with pytest.raises(InputError, match="islands"):
        protect(frame, 3, **options)
    for choice, n_records, words in (("merge", 60, "islands"), ("suppress", 58, "2 more of the input are left out")):
        release = protect(frame, 3, small_strata=choice, **options)
        assert len(release.data) == n_records
        assert release.measures.k_reached >= 3
        assert words in release.summary()


def test_group_ids_are_returned() -> None:
    """sdcMicro returns no group of each record."""
    release = protect(_survey(), 4, columns=["income", "age"], **MDAV)
    values = release.data.select("income", "age").rows()
    for one, other in itertools.combinations(range(60), 2):
        if release.labels[one] == release.labels[other]:
            assert values[one] == values[other]
    assert np.bincount(release.labels).min() >= 4


@pytest.mark.parametrize("kind", ["int8", "Int16", "category", "string"])
def test_integer_codes_come_back_as_integers(kind: str) -> None:
    """sdcMicro turns codes of Stata and SPSS files into fractions that have no label."""
    codes = [1, 1, 2, 2, 2, 9, 9, 1]
    frame = pd.DataFrame({"status": pd.Series(codes).astype(kind), "x": np.arange(8.0)})
    release = protect(frame, 3, columns=["status", "x"], nominal=["status"], **MDAV)
    released = release.data["status"]
    if kind == "category":  # those that occur; a declared one that does not may be one that was hidden
        assert released.cat.categories.dtype == frame["status"].cat.categories.dtype
        assert set(released.cat.categories) == set(released)
    else:
        assert released.dtype == frame["status"].dtype
    assert set(released) <= set(frame["status"])


def test_missing_codes_come_back_each_as_it_was() -> None:
    """Stata's .a and .b, SPSS' user-missing values: which of them it was must not be lost."""
    frame = pd.DataFrame({"income": [10, 20, 30, -9, -9, -9, -8, -8, -8, 40], "x": np.arange(10.0)})
    marks = {"income": [-9, -8]}
    release = protect(frame, 3, columns=["income", "x"], missing="pattern", missing_values=marks, **MDAV)
    assert release.data["income"].tolist() == [25, 25, 25, -9, -9, -9, -8, -8, -8, 25]


def test_a_numeric_column_with_missing_codes_is_numeric(tmp_path: Path) -> None:
    """A column with labels only on its missing codes is taken for a factor."""
    path = tmp_path / "in.csv"
    path.write_text("income,age\n10,1\n20,2\n-9,3\n30,8\n42,9\n-8,9\n", encoding="utf-8")
    release = protect(path, 2, columns=["income"], missing="available", missing_values={"income": [-9, -8]})
    assert release.data["income"].to_list() == [15.0, 15.0, -9.0, 36.0, 36.0, -8.0]
    path.write_text("income,age\n10,1\n20,2\nrefused,3\n30,8\n42,9\n", encoding="utf-8")
    with pytest.raises(InputError, match="row 3 is 'refused', which is no number"):
        protect(path, 2, columns=["income"], missing="available")


def test_mixed_distances_are_k_anonymous() -> None:
    """sdcMicro's Gower variant (numbers and categories together) has groups below k."""
    frame = _survey().with_columns(job=pl.Series(["a", "b", "c", "d", "e", "f"] * 10))
    columns = ["job", "sex", "income", "age"]
    release = protect(frame, 5, columns=columns, nominal=["job", "sex"], **MDAV)
    assert release.measures.k_reached >= 5
    assert verify(None, release.data, 5, columns).passed


# ARX, microagg1d, scclust


def test_a_purely_numeric_file_is_microaggregated(tmp_path: Path) -> None:
    """ARX cannot microaggregate a file without a category."""
    path = tmp_path / "in.csv"
    pl.DataFrame({"x": [1.5, 2.5, 8.5, 9.5], "y": [1.1, 1.2, 3.1, 3.2]}).write_csv(path)
    assert protect(path, 2, columns=["x", "y"]).measures.k_reached == 2


@pytest.mark.parametrize("k", [2, 3, 4, 6])
def test_one_column_is_optimal_at_every_k(k: int) -> None:
    """microagg1d is sub-optimal by default at 3 ≤ k ≤ 21."""
    x = np.sort(np.random.default_rng(k).lognormal(size=13))
    solution = solve(x[:, np.newaxis], k, standardise=False)
    assert solution.sse == pytest.approx(_least_sse(x, k), rel=1e-12)
    assert solution.status == "optimal"


def _least_sse(x: Any, k: int) -> float:
    """Return the least sse of consecutive groups of a sorted column, by all cuts."""
    if len(x) < 2 * k:
        return float(np.square(x - x.mean()).sum())
    return min(
        float(np.square(x[:size] - x[:size].mean()).sum()) + _least_sse(x[size:], k)
        for size in range(k, len(x) - k + 1)
    )


@pytest.mark.parametrize("shift", [1e6, 1e9])
def test_numbers_far_from_zero_do_not_drift(shift: float) -> None:
    """microagg1d loses digits where the mean is 1e6 deviations and more from zero."""
    x = np.random.default_rng(1).integers(0, 64, 40) / 16.0
    near, far = (solve(column[:, np.newaxis], 3, standardise=False) for column in (x, x + shift))
    assert far.labels.tolist() == near.labels.tolist()
    assert far.sse == pytest.approx(near.sse, rel=1e-12)


def test_k_is_the_least_size_and_not_the_only_one() -> None:
    """Fixed group sizes cut natural groups apart, and the last group takes whatever is left."""
    x = np.array([0.0, 0.1, 0.2, 0.3, 9.0, 9.1, 9.2, 20.0, 20.1, 20.2, 20.3, 20.4])
    assert np.bincount(solve(x[:, np.newaxis], 3).labels).tolist() == [4, 3, 5]


# any of them


def test_the_default_never_averages_ids_weights_or_codes() -> None:
    """Every tool that takes all numeric columns averages these too."""
    with pytest.raises(DoubtError) as caught:
        protect(_survey(), 5)
    assert {"person_id", "weight", "sex"} <= {doubt.column for doubt in caught.value.doubts}


def test_repr_of_a_release_shows_no_original() -> None:
    """A notebook cell that ends in the result shows it."""
    frame = pl.DataFrame({"name": ["Ada", "Ben", "Cleo", "Dov"], "x": [1234.5, 1236.5, 7771.5, 7779.5]})
    release = protect(frame, 2, columns=["x"], identifiers=["name"])
    for shown in (repr(release), release.summary(), release.to_json(), release._repr_html_(), repr(release.plan)):
        assert not [text for text in ("Ada", "Cleo", "1234.5", "7779.5") if text in shown]


def test_a_household_of_k_members_hides_nobody() -> None:
    """Where k counts rows, k members of one household are a group, and everybody knows whose it is."""
    households = np.repeat(np.arange(10), 3)
    frame = pl.DataFrame({"household": households, "income": households.astype(float)})
    release = protect(frame, 3, columns=["income"], unit="household", **MDAV)
    for label in range(release.n_groups):
        assert len(set(households[release.labels == label])) >= 3


def test_a_group_whose_members_share_the_confidential_value_is_not_released() -> None:
    """k-anonymous, and yet it is known of every member of a group what they suffer from."""
    frame = pl.DataFrame({"age": [20.0, 21.0, 22.0, 60.0, 61.0, 62.0], "illness": ["flu"] * 2 + ["asthma"] * 4})
    release = protect(frame, 3, columns=["age"], confidential=["illness"], l_diversity=2, **MDAV)
    for label in range(release.n_groups):
        members = frame["illness"].to_numpy()[release.labels == label]
        assert len(set(members)) >= 2
