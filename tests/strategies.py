"""Small problems for Hypothesis: with ties, outliers, equal rows and far from zero."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from microagg import Problem
from microagg.model.arrays import FloatArray, IntArray


@st.composite
def points(draw: st.DrawFn, min_n: int = 1, max_n: int = 40, max_d: int = 4) -> FloatArray:
    """Draw an array of shape (n, d): a grid full of ties, or numbers of every size."""
    n = draw(st.integers(min_n, max_n))
    d = draw(st.integers(1, max_d))
    grid = st.integers(-3, 3).map(float)
    wide = st.floats(-1e6, 1e6).map(lambda number: round(number, 6))
    return draw(hnp.arrays(np.float64, (n, d), elements=draw(st.sampled_from([grid, wide]))))


@st.composite
def problems(draw: st.DrawFn, max_n: int = 40, max_d: int = 4, max_k: int = 5) -> Problem:
    """Draw a problem of centred points."""
    X = draw(points(max_n=max_n, max_d=max_d))
    return Problem(X - X.mean(axis=0), draw(st.integers(1, min(max_k, len(X)))))


@st.composite
def labelled(draw: st.DrawFn, max_n: int = 40) -> tuple[Problem, IntArray]:
    """Draw a problem and the labels of a legal partition of it."""
    problem = draw(problems(max_n=max_n))
    order = draw(st.permutations(range(problem.n)))
    labels = np.empty(problem.n, dtype=np.int64)
    n_groups = draw(st.integers(1, problem.n // problem.k))
    labels[order] = np.minimum(np.arange(problem.n) // problem.k, n_groups - 1)
    return problem, labels


@st.composite
def weights_of(draw: st.DrawFn, n: int) -> FloatArray:
    """Draw weights of n records: a few different ones, or any, the largest up to ten thousand times the smallest."""
    few = st.sampled_from([1.0, 2.0, 5.0, 1000.0])
    any_weight = st.floats(0.1, 1000.0)
    return draw(hnp.arrays(np.float64, n, elements=draw(st.sampled_from([few, any_weight]))))


@st.composite
def weighted(draw: st.DrawFn, max_n: int = 40) -> tuple[Problem, FloatArray, IntArray]:
    """Draw a problem with weights, these once more, and the labels of a legal partition of it."""
    problem, labels = draw(labelled(max_n=max_n))
    with_weights = Problem(problem.X, problem.k, draw(weights_of(problem.n)))
    assert with_weights.weights is not None
    return with_weights, with_weights.weights, labels


def random_labels(random_state: int, n: int, k: int) -> IntArray:
    """Return labels of n records in random groups of k to 2k − 1."""
    rng = np.random.default_rng(random_state)
    sizes: list[int] = []
    while n - sum(sizes) >= 2 * k:
        sizes.append(int(rng.integers(k, min(2 * k, n - sum(sizes) - k + 1))))
    sizes.append(n - sum(sizes))
    return rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
