"""Linked groups, and the cache of each record's nearest other group."""

import numpy as np
import pytest

import naive
from microagg.kernels.moves.decomposition import decompose, shrink
from microagg.kernels.moves.linked_groups import (
    LinkedGroups,
    link,
    link_groups,
    nearest_other_group,
    unlink,
    update_centroid,
)
from samples import frozen, grid, normal


def _members(groups: LinkedGroups, group: int) -> list[int]:
    members = []
    record = groups.first[group]
    while record >= 0:
        members.append(int(record))
        record = groups.following[record]
    return members


@pytest.mark.parametrize("seed", range(8))
def test_nearest_group_is_remembered_right(seed: int) -> None:
    """After many moves, the group found from the changes is the one found from all."""
    rng = np.random.default_rng(seed)
    X = grid(seed, 200, levels=6) if seed % 2 else normal(seed, 200, 3)
    groups = link_groups(X, np.arange(200) // 4, 50, 150)
    for _ in range(20):
        for record in rng.integers(0, 200, size=30):
            found = nearest_other_group(X, groups, record)
            squares = naive.squares(groups.centroids[:, :50].T, X[record])
            squares[groups.labels[record]] = np.inf
            assert groups.nearest_squares[record] == pytest.approx(squares.min(), rel=1e-12, abs=1e-12)
            assert squares[found] == pytest.approx(squares.min(), rel=1e-12, abs=1e-12)
        shrink(X, groups, 3)
        decompose(X, groups, bool(seed % 3))


def test_records_are_listed_in_the_order_of_joining() -> None:
    X = frozen(np.arange(6.0)[:, None])
    groups = link_groups(X, np.array([0, 0, 0, 1, 1, 1]), 2, 3)
    for record in (1, 0, 5):
        unlink(groups, record)
        link(groups, record, 1 - record // 3)
    assert _members(groups, 0) == [2, 5]
    assert _members(groups, 1) == [3, 4, 1, 0]
    assert groups.sizes.tolist() == [2, 4, 0]
    update_centroid(X, groups, 1)
    assert groups.centroids[0].tolist() == [1.0, 2.0, np.inf]


def test_the_only_group_has_no_other() -> None:
    X = frozen(np.arange(4.0)[:, None])
    assert nearest_other_group(X, link_groups(X, np.zeros(4, dtype=np.int64), 1, 2), 0) == -1


def test_a_full_log_of_changes_empties_the_cache() -> None:
    X = frozen(np.array([0.0, 1.0, 5.0, 6.0])[:, None])
    groups = link_groups(X, np.array([0, 0, 1, 1]), 2, 2)
    nearest_other_group(X, groups, 0)
    for _ in range(len(groups.changes)):
        update_centroid(X, groups, 1)
    assert groups.cached_at[0] == -1
    assert nearest_other_group(X, groups, 0) == 1
    assert groups.nearest_squares[0] == 5.5**2
