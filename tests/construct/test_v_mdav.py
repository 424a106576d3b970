"""V-MDAV against its slow version."""

import numpy as np
import pytest

import naive
from microagg import Partition, Problem, Run
from microagg.construct.v_mdav import VMdav
from microagg.kernels.geometry.record_blocks import BLOCK
from microagg.model.arrays import IntArray
from runs import CancelledAt


def _make(gamma: float | None, problem: Problem) -> IntArray:
    return VMdav(gamma)(problem, np.random.default_rng(0), Run()).labels


@pytest.mark.parametrize("gamma", [0.2, 0.8, 1.1, 3.0])
@pytest.mark.parametrize(("n", "d", "k"), [(60, 2, 3), (150, 4, 5), (40, 1, 2), (BLOCK + 20, 3, 4), (9, 2, 5)])
def test_v_mdav_is_the_naive_one(gamma: float, n: int, d: int, k: int) -> None:
    problem = Problem(np.random.default_rng(n).standard_t(2, size=(n, d)), k)
    expected = Partition(problem, naive.v_mdav(problem.X, k, gamma))
    np.testing.assert_array_equal(_make(gamma, problem), expected.labels)


def test_v_mdav_extends_clusters_and_chooses_gamma_from_the_data() -> None:
    rng = np.random.default_rng(0)
    clustered = Problem(np.repeat(rng.normal(size=(30, 2)), 5, axis=0) + 0.01 * rng.normal(size=(150, 2)), 3)
    scattered = Problem(rng.normal(size=(150, 2)), 3)
    for problem, gamma in [(clustered, 1.1), (scattered, 0.2)]:
        np.testing.assert_array_equal(_make(None, problem), _make(gamma, problem))
    assert Partition(clustered, _make(None, clustered)).sizes.max() == 5


def test_v_mdav_keeps_what_one_gamma_has_made() -> None:
    problem = Problem(np.random.default_rng(0).normal(size=(600, 2)), 3)
    run = CancelledAt(2)  # the first report of the second γ
    np.testing.assert_array_equal(VMdav()(problem, np.random.default_rng(0), run).labels, _make(0.2, problem))
    assert (run.log.fallback_share, run.log.ended_by) == (0.0, "cancelled")
