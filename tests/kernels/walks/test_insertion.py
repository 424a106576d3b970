"""Walks by cheapest and by nearest insertion, against a slow version."""

import numpy as np
import pytest

import naive
from microagg.kernels.geometry.distances import distance_matrix
from microagg.kernels.geometry.neighbour_lists import neighbours
from microagg.kernels.walks.insertion import order_by_insertion
from microagg.kernels.walks.walk_context import GroupedRecords, group_records, make_walk_context
from microagg.model.arrays import BoolArray, IntArray
from ticks import RecordedTicks


def _groups(labels: IntArray) -> tuple[GroupedRecords, BoolArray]:
    """Return the groups, none of them ordered yet."""
    sizes = np.bincount(labels)
    return group_records(labels, sizes), np.zeros(len(sizes), dtype=np.bool_)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n_groups", [1, 2, 5, 20, 40])
@pytest.mark.parametrize("known", ["nothing", "neighbours", "distances"])
@pytest.mark.parametrize("nearest", [False, True])
def test_sequence_is_built_by_insertion(seed: int, n_groups: int, known: str, nearest: bool) -> None:
    X = np.random.default_rng(seed).standard_t(4, size=(40, 3))
    labels = np.random.default_rng(seed).permutation(np.arange(40) % n_groups)
    context = make_walk_context(
        X, None if known == "nothing" else neighbours(X, 4), distance_matrix(X) if known == "distances" else None
    )
    for _ in range(2):  # a context serves several walks
        order = order_by_insertion(context, *_groups(labels), nearest=nearest)
        np.testing.assert_array_equal(order, naive.by_insertion(X, labels, nearest))


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("nearest", [False, True])
def test_large_groups_are_inserted_in_slices(ties: bool, nearest: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, size=(300, 2)).astype(float) if ties else rng.normal(size=(300, 2))
    groups = _groups(np.arange(300) % 2)
    expected = order_by_insertion(make_walk_context(X), *groups, nearest=nearest)
    monkeypatch.setattr("microagg.kernels.tick.WORK_PER_TICK", 2000.0)
    ticks = RecordedTicks()
    np.testing.assert_array_equal(order_by_insertion(make_walk_context(X), *groups, ticks, nearest), expected)
    assert len(ticks.shares) > 20
    assert ticks.shares == sorted(ticks.shares)


@pytest.mark.parametrize("work", [71.0, 72.0, 98.0, 127.0, 128.0])
def test_groups_just_above_the_slice_are_ordered_alike(work: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups of 6, 7 and 8 records in two columns: slices begin above 5, 6, 7, 7 and 8 records."""
    X = np.random.default_rng(1).normal(size=(21, 2))
    groups = _groups(np.repeat([0, 1, 2], [6, 7, 8]))
    expected = order_by_insertion(make_walk_context(X), *groups)
    monkeypatch.setattr("microagg.kernels.tick.WORK_PER_TICK", work)
    np.testing.assert_array_equal(order_by_insertion(make_walk_context(X), *groups), expected)
