"""Migrations and exchanges, against the recomputed sse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import naive_icsm
from microagg import Partition, Problem, solve
from microagg.kernels.moves.exchange import (
    find_moves,
    fresh_groups_after,
    join_change,
    leave_change,
    make_best_moves,
    measure_groups,
    replace_change,
)
from microagg.model.arrays import IntArray
from samples import frozen, heavy_tailed
from strategies import labelled, random_labels

SEEDS = range(8)


def test_example_1_of_the_icsm_paper() -> None:
    X = frozen(np.arange(2.0, 8.0)[:, None])
    groups = measure_groups(X, np.array([0, 0, 0, 1, 1, 1]), 2)
    assert replace_change(X, groups, 1, 4) == pytest.approx(6.0)


@given(labelled())
def test_groups_are_measured(case: tuple[Problem, IntArray]) -> None:
    partition = Partition(*case)
    X = partition.problem.X
    groups = measure_groups(X, partition.labels.copy(), partition.n_groups)
    np.testing.assert_array_equal(groups.sizes, partition.sizes)
    np.testing.assert_allclose(groups.centroids, partition.centroids, atol=1e-8)
    np.testing.assert_array_equal(groups.centroid_columns, groups.centroids.T)
    for group in range(partition.n_groups):
        members = groups.members[groups.starts[group] : groups.starts[group + 1]]
        np.testing.assert_array_equal(members, np.flatnonzero(partition.labels == group))
        radii = np.sqrt(naive.squares(X[members], groups.centroids[group]))
        np.testing.assert_allclose(groups.radii[members], radii)
        assert groups.group_radii[group] == groups.radii[members].max()


@given(labelled(max_n=20), st.data())
def test_changes_are_those_of_the_recomputed_sse(case: tuple[Problem, IntArray], data: st.DataObject) -> None:
    partition = Partition(*case)
    X, labels = partition.problem.X, partition.labels.copy()
    groups = measure_groups(X, labels, partition.n_groups)
    record, other = (data.draw(st.integers(0, len(X) - 1)) for _ in range(2))
    rounding = 1e-9 * (1 + partition.problem.sst)

    def sse(members: list[int]) -> float:
        return float(naive.sse(X[members], np.zeros(len(members))))

    there = np.flatnonzero(labels == labels[other]).tolist()
    rest = [member for member in there if member != other]
    if rest:
        assert leave_change(groups, other) == pytest.approx(sse(rest) - sse(there), abs=rounding)
    if labels[record] != labels[other]:
        joined = join_change(X, groups, record, labels[other])
        assert joined == pytest.approx(sse([*there, record]) - sse(there), abs=rounding)
        replaced = replace_change(X, groups, record, other)
        assert replaced == pytest.approx(sse([*rest, record]) - sse(there), abs=rounding)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("max_moves", [7, 10_000])
@pytest.mark.parametrize("both_orders", [False, True])
def test_moves_are_found_in_order(seed: int, max_moves: int, both_orders: bool) -> None:
    X = heavy_tailed(seed, 36)
    k = 2 + seed % 3
    labels = random_labels(seed, len(X), k)
    n_groups = labels.max() + 1
    fresh = np.ones(n_groups, dtype=bool)
    moves = find_moves(X, measure_groups(X, labels, n_groups), k, fresh, max_moves, both_orders=both_orders)
    list_changes = naive_icsm.changes_in_both_orders if both_orders else naive.changes_that_gain
    expected = list_changes(X, labels, k)[:max_moves]
    assert list(zip(moves.records.tolist(), moves.partners.tolist(), strict=True)) == [(a, b) for _, a, b in expected]
    np.testing.assert_allclose(moves.sse_changes, [change for change, _, _ in expected], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_moves_are_those_of_the_matrices_of_all_changes(seed: int) -> None:
    X = heavy_tailed(seed, 300, 4)
    k = 3 + seed % 2
    labels = solve(X, k, method="mdav+recut", standardise=False).labels.copy()
    n_groups = labels.max() + 1
    moves = find_moves(X, measure_groups(X, labels, n_groups), k, np.ones(n_groups, dtype=bool), 10**6)
    exchanges, migrations = naive.scan(X, labels, k)
    changes = np.column_stack([np.where(np.tri(len(X), dtype=bool), np.inf, exchanges), migrations])
    records, partners = np.nonzero(changes < -1e-9)
    assert list(zip(moves.records, moves.partners, strict=True)) == list(zip(records, partners, strict=True))
    np.testing.assert_allclose(moves.sse_changes, changes[records, partners], rtol=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_best_moves_are_made_and_leave_only_changed_groups_to_search(seed: int) -> None:
    X = heavy_tailed(seed, 60)
    k = 3
    labels = random_labels(seed, len(X), k)
    n_groups = labels.max() + 1
    everywhere = np.ones(n_groups, dtype=bool)
    fresh = everywhere
    while True:
        groups = measure_groups(X, labels, n_groups)
        moves = find_moves(X, groups, k, fresh, 10_000)
        np.testing.assert_array_equal(moves.sse_changes, find_moves(X, groups, k, everywhere, 10_000).sse_changes)
        if not len(moves.records):
            break
        before = naive.sse(X, labels)
        new = labels.copy()
        fresh = make_best_moves(new, n_groups, moves)
        best = moves.sse_changes.argmin()
        assert new[moves.records[best]] != labels[moves.records[best]]
        assert naive.sse(X, new) <= before + moves.sse_changes[best] + 1e-9
        assert set(np.flatnonzero(fresh)) == {*labels[new != labels], *new[new != labels]}
        assert np.bincount(new).min() >= k
        assert np.bincount(new).max() <= 2 * k - 1
        labels = new


@pytest.mark.parametrize(("sizes", "gains"), [((3, 3), False), ((4, 3), True), ((4, 5), False)])
def test_a_migration_keeps_both_groups_within_k_and_2k_minus_1(sizes: tuple[int, int], gains: bool) -> None:
    """The last record of the first group is at the centroid of the second; k is 3."""
    first, second = sizes
    X = frozen(np.concatenate([np.zeros(first - 1), [10.0], np.full(second, 10.0)])[:, None])
    labels = np.repeat([0, 1], sizes)
    moves = find_moves(X, measure_groups(X, labels, 2), 3, np.ones(2, dtype=bool), 100)
    assert (first - 1, len(X) + 1) in zip(moves.records.tolist(), moves.partners.tolist(), strict=True) or not gains
    assert (moves.partners >= len(X)).any() == gains


def test_groups_that_stay_the_same_are_fresh_only_if_they_were() -> None:
    old, new = np.array([0, 0, 1, 1, 2, 2, 3, 3]), np.array([1, 1, 0, 2, 2, 0, 3, 3])
    fresh = fresh_groups_after(old, np.bincount(old), np.array([False, False, False, True]), new, np.bincount(new))
    assert fresh.tolist() == [True, False, True, True]
