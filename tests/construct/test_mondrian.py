"""Median cuts across the widest column."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_mondrian
from microagg import InputError, Partition, Problem, Run
from microagg.construct.mondrian import WIDTHS, Mondrian
from samples import heavy_tailed
from strategies import problems


def _made(problem: Problem, choose: str) -> Partition:
    return Mondrian(choose)(problem, np.random.default_rng(0), Run())


def _groups(partition: Partition) -> list[list[int]]:
    return sorted(np.flatnonzero(partition.labels == label).tolist() for label in range(partition.n_groups))


@pytest.mark.parametrize("choose", WIDTHS)
@pytest.mark.parametrize("k", [1, 2, 3, 7])
def test_groups_are_those_of_the_oracle(choose: str, k: int) -> None:
    X = heavy_tailed(3, 150, 4)
    expected = sorted(map(sorted, naive_mondrian.mondrian(X, k, choose)))
    assert _groups(_made(Problem(X, k), choose)) == expected


@given(problems(), st.sampled_from(sorted(WIDTHS)))
def test_groups_have_k_to_2k_minus_1_records(problem: Problem, choose: str) -> None:
    if len(problem.varying):
        assert _made(problem, choose).sizes.max() < 2 * problem.k


def test_range_is_a_share_of_that_in_all_records_and_variance_is_not() -> None:
    """An outlier makes the first column narrow in range; its variance stays the larger one."""
    X = np.array([[0.0, 3], [100, 0], [200, 2], [300, 1], [90000, 4], [90000, 4], [90000, 4], [90000, 4]])
    assert _groups(_made(Problem(X, 2), "range")) == [[0, 2], [1, 3], [4, 5], [6, 7]]
    assert _groups(_made(Problem(X, 2), "variance")) == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_equal_values_are_cut_by_index() -> None:
    X = np.array([[1.0], [1], [1], [1], [0]])
    assert _made(Problem(X, 2), "range").labels.tolist() == [0, 1, 1, 1, 0]


def test_unknown_width_is_refused() -> None:
    with pytest.raises(InputError, match="choose must be one of range, variance, found 'mean'"):
        Mondrian("mean")
