"""Short tours."""

import numpy as np
import pytest
from hypothesis import given

import naive
from microagg.kernels.geometry.neighbour_lists import neighbours
from microagg.kernels.walks.tour import short_tour
from microagg.model.arrays import FloatArray
from samples import frozen, normal
from strategies import points


@given(points(max_n=40, max_d=3))
def test_short_tour_visits_all_and_is_no_longer_than_nearest_next(X: FloatArray) -> None:
    tour = short_tour(frozen(X))
    assert sorted(tour) == list(range(len(X)))
    assert naive.length(X, tour) <= naive.length(X, naive.nearest_next(X)) * (1 + 1e-9) + 1e-9
    edges = ((X[tour] - X[np.roll(tour, 1)]) ** 2).sum(axis=1)
    if len(X) >= 5:
        assert edges[0] == pytest.approx(edges.max()), "opened at its longest edge"


@pytest.mark.parametrize("seed", range(6))
def test_no_two_opt_or_or_opt_move_between_neighbours_is_left(seed: int) -> None:
    X = normal(seed, 60)
    tour, near = short_tour(X).tolist(), neighbours(X, 10)
    whole = naive.length(X, tour)
    for i in range(60):
        for j in range(i + 2, 60 - (i == 0)):
            moved = tour[: i + 1] + tour[i + 1 : j + 1][::-1] + tour[j + 1 :]
            ends = [(tour[i], tour[j]), (tour[i + 1], tour[(j + 1) % 60])]
            if any(b in near[a] or a in near[b] for a, b in ends):
                assert naive.length(X, moved) >= whole - 1e-9
    for size in (1, 2, 3):
        for i in range(60):
            turned = tour[i:] + tour[:i]
            for a, end, outside, rest in [
                (turned[0], turned[:size], turned[-1], turned[size:]),
                (turned[size - 1], turned[:size][::-1], turned[size], turned[size:]),
            ]:
                for j in range(len(rest) - 1):
                    for c, piece in [(rest[j], end), (rest[j + 1], end[::-1])]:
                        nearer = ((X[a] - X[c]) ** 2).sum() < ((X[a] - X[outside]) ** 2).sum()
                        if c in near[a] and nearer:
                            assert naive.length(X, rest[: j + 1] + piece + rest[j + 1 :]) >= whole - 1e-9


@pytest.mark.parametrize("width", [1e-8, 1e-10, 1e-13])
@pytest.mark.parametrize("seed", range(10))
def test_short_tour_ends_where_rounding_looks_like_a_gain(width: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = np.repeat(rng.normal(size=(3, 2)), 4, axis=0) + rng.normal(size=(12, 2)) * width
    assert sorted(short_tour(frozen(X))) == list(range(12))
