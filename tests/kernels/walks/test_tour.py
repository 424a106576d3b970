"""Short tours: complete, short, and improved as far as 2-opt and Or-opt go."""

import numpy as np
import pytest
from hypothesis import given

import naive
from microagg import Problem
from microagg.kernels.geometry.neighbour_lists import neighbours
from microagg.kernels.walks.tour import short_tour
from microagg.model.arrays import FloatArray
from strategies import problems
from ticks import RecordedTicks


def _normal(seed: int, n: int) -> FloatArray:
    """Return records as a problem has them, read-only: numba compiles kernels for either kind of array."""
    return Problem(np.random.default_rng(seed).normal(size=(n, 2)), 1).X


@given(problems(max_n=40, max_d=3))
def test_short_tour_visits_all_and_is_no_longer_than_nearest_next(problem: Problem) -> None:
    X = problem.X
    tour = short_tour(X)
    assert sorted(tour) == list(range(len(X)))
    assert naive.length(X, tour) <= naive.length(X, naive.nearest_next(X)) * (1 + 1e-9) + 1e-9
    edges = ((X[tour] - X[np.roll(tour, 1)]) ** 2).sum(axis=1)
    if len(X) >= 5:
        assert edges[0] == pytest.approx(edges.max()), "opened at its longest edge"


@pytest.mark.parametrize("seed", range(3))
def test_no_two_opt_move_between_neighbours_is_left(seed: int) -> None:
    X = _normal(seed, 60)
    tour, near = short_tour(X).tolist(), neighbours(X, 10)
    length = naive.length(X, tour)
    for i in range(60):
        for j in range(i + 2, 60 - (i == 0)):
            moved = tour[: i + 1] + tour[i + 1 : j + 1][::-1] + tour[j + 1 :]
            ends = [(tour[i], tour[j]), (tour[i + 1], tour[(j + 1) % 60])]
            if any(b in near[a] or a in near[b] for a, b in ends):
                assert naive.length(X, moved) >= length - 1e-9


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("size", [1, 2, 3])
def test_no_or_opt_move_between_neighbours_is_left(seed: int, size: int) -> None:
    X = _normal(seed, 60)
    tour, near = short_tour(X).tolist(), neighbours(X, 10)
    length = naive.length(X, tour)
    for i in range(60):
        turned = tour[i:] + tour[:i]
        for a, segment, outside, rest in [
            (turned[0], turned[:size], turned[-1], turned[size:]),
            (turned[size - 1], turned[:size][::-1], turned[size], turned[size:]),
        ]:
            for j in range(len(rest) - 1):
                for c, inserted in [(rest[j], segment), (rest[j + 1], segment[::-1])]:
                    nearer = ((X[a] - X[c]) ** 2).sum() < ((X[a] - X[outside]) ** 2).sum()
                    if c in near[a] and nearer:
                        assert naive.length(X, rest[: j + 1] + inserted + rest[j + 1 :]) >= length - 1e-9


@pytest.mark.parametrize("width", [1e-8, 1e-10, 1e-13])
@pytest.mark.parametrize("seed", range(10))
def test_short_tour_ends_where_rounding_looks_like_a_gain(width: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = np.repeat(rng.normal(size=(3, 2)), 4, axis=0) + rng.normal(size=(12, 2)) * width
    assert sorted(short_tour(Problem(X, 1).X)) == list(range(12))


def test_slices_are_seamless(monkeypatch: pytest.MonkeyPatch) -> None:
    X = _normal(0, 120)
    expected = short_tour(X)
    monkeypatch.setattr("microagg.kernels.tick.WORK_PER_TICK", 1000.0)
    ticks = RecordedTicks()
    np.testing.assert_array_equal(short_tour(X, ticks), expected)
    assert len(ticks.shares) > 100
    assert all(0 <= share < 1 for share in ticks.shares)
