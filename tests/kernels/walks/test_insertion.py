"""Sequences by cheapest insertion."""

import numpy as np
import pytest

import naive
from microagg.kernels.geometry.distances import distance_matrix
from microagg.kernels.geometry.neighbour_lists import neighbours
from microagg.kernels.walks.insertion import by_insertion
from microagg.kernels.walks.walk_context import make_walk_context
from samples import grid, heavy_tailed, normal


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("n_groups", [1, 2, 5, 20])
@pytest.mark.parametrize("known", ["nothing", "neighbours", "distances"])
def test_sequence_is_built_by_cheapest_insertion(seed: int, n_groups: int, known: str) -> None:
    X = heavy_tailed(seed, 40)
    labels = np.random.default_rng(seed).permutation(np.arange(40) % n_groups)
    ground = make_walk_context(
        X, None if known == "nothing" else neighbours(X, 4), distance_matrix(X) if known == "distances" else None
    )
    members, starts = np.argsort(labels, kind="stable"), np.append(0, np.cumsum(np.bincount(labels)))
    for _ in range(2):  # a walk leaves the ground as it was
        walk = by_insertion(ground, labels, members, starts, np.zeros(n_groups, dtype=bool))
        np.testing.assert_array_equal(walk, naive.by_insertion(X, labels))


@pytest.mark.parametrize("ties", [False, True])
def test_big_groups_are_inserted_in_slices(ties: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    X = grid(0, 300, levels=5) if ties else normal(0, 300)
    labels = np.arange(300) % 2
    members, starts, settled = np.argsort(labels, kind="stable"), np.array([0, 150, 300]), np.zeros(2, dtype=bool)
    whole = by_insertion(make_walk_context(X), labels, members, starts, settled)
    for module in ("tick", "walks.insertion"):
        monkeypatch.setattr(f"microagg.kernels.{module}.WORK_PER_TICK", 2000.0)
    ticks: list[float] = []

    def tick(done: float | None = None) -> None:
        assert done is not None
        ticks.append(done)

    np.testing.assert_array_equal(by_insertion(make_walk_context(X), labels, members, starts, settled, tick), whole)
    assert len(ticks) > 20
    assert ticks == sorted(ticks)
