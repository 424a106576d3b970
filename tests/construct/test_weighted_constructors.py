"""Constructors of problems with weights: MDAV, and the best cut of one column."""

import numpy as np
import pytest
from hypothesis import given

import naive_weights
from microagg import Partition, Problem, Run
from microagg.construct import CONSTRUCTORS
from microagg.model.arrays import FloatArray, IntArray
from strategies import labelled, weighted


def _made(name: str, problem: Problem) -> Partition:
    return CONSTRUCTORS[name](problem, np.random.default_rng(0), Run())


@pytest.mark.parametrize(("n", "d", "k"), [(40, 2, 3), (600, 3, 4), (101, 1, 2), (30, 4, 1), (120, 2, 10), (7, 2, 4)])
def test_mdav_is_the_naive_one(n: int, d: int, k: int) -> None:
    rng = np.random.default_rng(n)
    problem = Problem(rng.normal(size=(n, d)), k, rng.lognormal(sigma=2.0, size=n))
    assert problem.weights is not None
    expected = Partition(problem, naive_weights.mdav(problem.X, k, problem.weights))
    np.testing.assert_array_equal(_made("mdav", problem).labels, expected.labels)


@given(labelled())
def test_equal_weights_change_nothing(case: tuple[Problem, IntArray]) -> None:
    problem, _ = case
    columns = Problem(problem.X[:, :1], problem.k)
    for name, without in (("mdav", problem), ("univariate", columns)):
        equal = Problem(without.X, without.k, np.full(without.n, 0.3))
        np.testing.assert_array_equal(_made(name, equal).labels, _made(name, without).labels)


@given(weighted())
def test_univariate_is_the_best_cut(case: tuple[Problem, FloatArray, IntArray]) -> None:
    whole, weights, _ = case
    problem = Problem(whole.X[:, :1], whole.k, weights)
    order = np.argsort(problem.X[:, 0], kind="stable")
    expected = naive_weights.cut_path(problem.X, order, problem.k, weights)
    assert _made("univariate", problem).sse == pytest.approx(expected, abs=1e-9 * (1 + problem.sst))


def test_the_best_cut_of_weighted_records_need_not_be_the_optimum() -> None:
    """Two heavy records are better apart, each with a light one, though one light record lies between them and it."""
    weights = np.array([100.0, 100.0, 1.0, 1.0])
    problem = Problem(np.arange(4.0)[:, None], 2, weights)
    assert problem.weights is not None
    apart = Partition(problem, np.array([0, 1, 0, 1]))
    cut = _made("univariate", problem)
    assert cut.sse > 6 * apart.sse
    assert apart.sse == pytest.approx(naive_weights.best_sse(problem.X, 2, problem.weights))
