"""Candidate groups, against trying every record."""

import numpy as np
import pytest

import naive
from microagg.kernels.geometry.record_blocks import pack
from microagg.kernels.grouping.candidate_groups import (
    best_candidate,
    empty_candidates,
    extreme_candidate,
    fill_candidates,
)
from microagg.kernels.grouping.growth import take_nearest
from microagg.model.arrays import FloatArray, IntArray
from samples import frozen, grid, normal


def _sse_after(X: FloatArray, k: int, left: IntArray, record: int) -> float:
    """Return the sse of a record's candidate group and of the rest."""
    return float(naive.sse(X[left], np.isin(left, naive.nn(X, k, left, record))))


@pytest.mark.parametrize(("n", "k"), [(40, 3), (25, 1), (90, 7)])
@pytest.mark.parametrize("ties", [False, True])
def test_the_best_candidate_leaves_the_least_sse(n: int, k: int, ties: bool) -> None:
    X = grid(n, n, levels=3) if ties else normal(n, n)
    blocks = pack(X)
    candidates = empty_candidates(X, k)
    fill_candidates(blocks, n, X, k, candidates, 0, len(candidates.points))
    left = np.arange(n)
    group = np.empty(k, dtype=np.int64)
    while len(left) >= k:
        record = best_candidate(blocks, len(left), X, k, candidates)
        least = min(_sse_after(X, k, left, other) for other in left.tolist())
        assert _sse_after(X, k, left, record) == pytest.approx(least, rel=1e-9, abs=1e-9)
        take_nearest(blocks, len(left), record, group)
        left = np.setdiff1d(left, group)


@pytest.mark.parametrize(("n", "k"), [(40, 3), (25, 1), (90, 7)])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("densest", [False, True])
def test_the_extreme_candidate_has_the_least_or_the_largest_sse(n: int, k: int, ties: bool, densest: bool) -> None:
    rng = np.random.default_rng(n)
    X = rng.integers(0, 3, size=(n, 2)).astype(float) if ties else rng.normal(size=(n, 2))
    blocks = pack(X)
    candidates = empty_candidates(X, k)
    fill_candidates(blocks, n, X, k, candidates, 0, len(candidates.points))
    left = np.arange(n)
    group = np.empty(k, dtype=np.int64)
    while len(left) >= k:
        record = extreme_candidate(blocks, len(left), X, k, candidates, densest)
        sses = {other: naive.sse(X[naive.nn(X, k, left, other)], np.zeros(k)) for other in left.tolist()}
        expected = min(sses.values()) if densest else max(sses.values())
        assert sses[record] == pytest.approx(expected, rel=1e-9, abs=1e-9)
        take_nearest(blocks, len(left), record, group)
        left = np.setdiff1d(left, group)


def test_ties_go_to_the_lowest_record() -> None:
    X = frozen(np.array([[1.0], [-1.0], [1.0], [-1.0], [0.0]]))
    blocks = pack(X)
    candidates = empty_candidates(X, 2)
    fill_candidates(blocks, 5, X, 2, candidates, 0, len(candidates.points))
    assert best_candidate(blocks, 5, X, 2, candidates) == 0
    assert extreme_candidate(blocks, 5, X, 2, candidates, True) == 0
    assert extreme_candidate(blocks, 5, X, 2, candidates, False) == 4
