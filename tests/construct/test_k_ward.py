"""k-Ward."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_ward
from microagg import InputError, Partition, Problem, Run
from microagg.construct.k_ward import ORDERS, KWard
from samples import heavy_tailed
from strategies import problems


def _made(problem: Problem, order: str) -> Partition:
    return KWard(order)(problem, np.random.default_rng(0), Run())


@pytest.mark.parametrize("k", [1, 2, 3, 5])
@pytest.mark.parametrize("seed", range(3))
def test_groups_are_those_of_the_oracle(seed: int, k: int) -> None:
    X = heavy_tailed(seed, 40)
    partition = _made(Problem(X, k), "zscore")
    groups = sorted(np.flatnonzero(partition.labels == label).tolist() for label in range(partition.n_groups))
    assert groups == sorted(map(sorted, naive_ward.k_ward(X, list(range(40)), k)))


@given(problems(), st.sampled_from(sorted(ORDERS)))
def test_groups_have_k_to_2k_minus_1_records(problem: Problem, order: str) -> None:
    sizes = _made(problem, order).sizes
    assert problem.k <= sizes.min()
    assert sizes.max() < 2 * problem.k


def test_first_and_last_k_are_not_in_one_group() -> None:
    X = np.array([[0.0], [5], [5], [5], [5], [10]])
    assert _made(Problem(X, 3), "pca").labels.tolist() == [0, 0, 0, 1, 1, 1]


def test_unknown_order_is_refused() -> None:
    with pytest.raises(InputError, match="order must be one of pca, zscore, found 'index'"):
        KWard("index")
