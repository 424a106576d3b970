"""Record linkage by distance: by hand, and equal to brute force."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given

import naive_risk
from microagg import Run
from microagg.control.stopping import StoppedError
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.distance_linkage import DistanceLinkage, link_by_distance
from microagg.measure.released_classes import ReleasedClasses
from risk_tables import Drawn, compared, numbers, releases
from runs import CancelledAt, cancelled
from samples import random_labels


def _linked(tables: ComparedTables) -> DistanceLinkage:
    return link_by_distance(tables, ReleasedClasses.of(tables), Run(workers=1))


def _compare_with_brute_force(tables: ComparedTables) -> None:
    found = _linked(tables)
    X, Y, missing = tables.points()
    expected = naive_risk.link_by_distance(X, Y, missing)
    assert found.nearest.tolist() == pytest.approx([one.nearest for one in expected])
    assert found.nearest_two.tolist() == pytest.approx([one.nearest_two for one in expected])


def test_records_in_their_groups_by_hand() -> None:
    found = _linked(numbers([0.0, 2.0, 10.0, 12.0], [1.0, 1.0, 11.0, 11.0]))
    assert found.nearest.tolist() == [0.5] * 4
    assert found.nearest_two.tolist() == [0.5] * 4


def test_records_far_from_their_own_are_not_linked() -> None:
    """Records of 0 have 9 for their own: 0 and 5 are nearer. Those of 5 are where they were."""
    found = _linked(numbers([0.0, 0.0, 5.0, 5.0, 9.0, 9.0], [9.0, 9.0, 5.0, 5.0, 0.0, 0.0]))
    assert found.nearest.tolist() == [0.0, 0.0, 0.5, 0.5, 0.0, 0.0]
    assert found.nearest_two.tolist() == [0.0, 0.0, 0.5, 0.5, 0.0, 0.0]


def test_own_point_that_is_second_nearest() -> None:
    """For records of 0, only 0 is nearer than their 5; for those of 5, both 5 and 9 are nearer than their 0."""
    found = _linked(numbers([0.0, 0.0, 5.0, 5.0, 9.0, 9.0], [5.0, 5.0, 0.0, 0.0, 9.0, 9.0]))
    assert found.nearest.tolist() == [0.0, 0.0, 0.0, 0.0, 0.5, 0.5]
    assert found.nearest_two.tolist() == [0.5, 0.5, 0.0, 0.0, 0.5, 0.5]


def test_points_at_the_same_distance_share_the_record() -> None:
    """The records of 1 are half way between the points 0 and 2, of two records each."""
    found = _linked(numbers([0.0, 1.0, 1.0, 2.0], [0.0, 0.0, 2.0, 2.0]))
    assert found.nearest.tolist() == [0.5, 0.25, 0.25, 0.5]
    assert found.nearest_two.tolist() == [0.5] * 4


@pytest.mark.parametrize("n", [1, 4])
def test_records_that_are_all_equal_share_each_other(n: int) -> None:
    found = _linked(numbers([7.0] * n, [7.0] * n))
    assert found.nearest.tolist() == found.nearest_two.tolist() == [1 / n] * n


def test_missing_cells_of_the_original_do_not_count() -> None:
    """Without y, the first record is at its own x; the last two lack everything, and cannot be told from any."""
    before = pl.DataFrame({"x": [0.0, 4.0, None, None], "y": [None, 9.0, None, None]})
    found = _linked(compared(before, before, ["x", "y"]))
    assert found.nearest.tolist() == [1.0, 1.0, 0.25, 0.25]


def test_released_value_that_is_missing_stands_at_the_mean() -> None:
    """The mean of y is 5: the second row, released without y, is nearer to the third record than its own of 8 is."""
    before = pl.DataFrame({"x": [0.0, 0.0, 0.0], "y": [4.0, None, 6.0]})
    after = pl.DataFrame({"x": [0.0, 0.0, 0.0], "y": [4.0, None, 8.0]})
    assert _linked(compared(before, after, ["x", "y"])).nearest.tolist() == [1.0, 1 / 3, 0.0]


def test_categories_are_all_equally_far_apart() -> None:
    before = pl.DataFrame({"c": ["a", "b", "c", "c"]})
    after = pl.DataFrame({"c": ["a", "a", "c", "c"]})
    found = _linked(compared(before, after, ["c"]))
    assert found.nearest.tolist() == pytest.approx([0.5, 0.25, 0.5, 0.5])


@given(releases())
def test_linkage_is_that_of_brute_force(drawn: Drawn) -> None:
    _compare_with_brute_force(drawn.tables)


@given(releases())
def test_linkage_of_a_k_anonymous_release_is_at_most_one_in_k(drawn: Drawn) -> None:
    tables = drawn.tables
    classes = ReleasedClasses.of(tables)
    k = int(classes.sizes.min())
    found = link_by_distance(tables, classes, Run(workers=1))
    assert found.nearest.mean() <= (1 + 1e-12) / k
    assert found.nearest_two.mean() <= (1 + 1e-12) / k
    assert (found.nearest <= found.nearest_two).all()


@given(releases(with_missing=False))
def test_groups_of_k_are_linked_by_one_in_k_at_most(drawn: Drawn) -> None:
    assert _linked(drawn.tables).nearest.max() <= 1 / drawn.k


def _release(n: int, d: int, k: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return clustered records, some of them equal or lacking a value, and their means in groups along one column."""
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, d)) + 4 * rng.integers(0, 3, size=(n, 1))
    X[: n // 5] = X[n // 5 : 2 * (n // 5)]
    labels = np.empty(n, dtype=np.int64)
    labels[np.argsort(X[:, 0])] = np.minimum(np.arange(n) // k, n // k - 1)
    means = np.stack([np.bincount(labels, column) for column in X.T], axis=1) / np.bincount(labels)[:, None]
    Y = means[labels]
    lacking = np.isin(labels, rng.choice(n // k, n // (10 * k), replace=False))
    X[lacking, -1] = Y[lacking, -1] = np.nan
    frames = [pl.DataFrame(one, schema=[f"x{j}" for j in range(d)]).fill_nan(None) for one in (X, Y)]
    return frames[0], frames[1]


def test_linkage_of_five_thousand_records_is_that_of_brute_force() -> None:
    before, after = _release(5000, 4, 3)
    _compare_with_brute_force(compared(before, after, before.columns))


def test_threads_change_nothing() -> None:
    before, after = _release(3000, 3, 4)
    tables = compared(before, after, before.columns)
    classes = ReleasedClasses.of(tables)
    one, three = (link_by_distance(tables, classes, Run(workers=count)) for count in (1, 3))
    assert one.nearest.tolist() == three.nearest.tolist()
    assert one.nearest_two.tolist() == three.nearest_two.tolist()


def test_progress_is_reported_and_the_run_checked() -> None:
    before, after = _release(400, 2, 4)
    tables = compared(before, after, before.columns)
    run = CancelledAt(10**9)
    link_by_distance(tables, ReleasedClasses.of(tables), run)
    shares = [share for share in run.shares if share is not None]
    assert shares[0] == 0.0
    assert shares == sorted(shares)
    assert shares[-1] < 1.0
    with pytest.raises(StoppedError):
        link_by_distance(tables, ReleasedClasses.of(tables), cancelled())


def test_random_groups_of_equal_size_are_found_by_chance_only() -> None:
    """Means of random groups say little: far fewer records are linked than one in k."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 2))
    labels = random_labels(rng, 600, 3)
    means = np.stack([np.bincount(labels, column) for column in X.T], axis=1) / np.bincount(labels)[:, None]
    names = ["a", "b"]
    tables = compared(pl.DataFrame(X, schema=names), pl.DataFrame(means[labels], schema=names), names)
    assert 0.0 < _linked(tables).nearest.mean() < 0.05
