"""Bounds without a proof are accepted where the checker finds the optimum itself, and nowhere else."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg import Problem
from microagg.certify.unproved_part import check_unproved

_VALUES = st.lists(st.integers(-3, 9), min_size=1, max_size=9)


@given(_VALUES, st.integers(1, 3))
def test_the_best_cut_of_one_column_is_the_optimum(values: list[int], k: int) -> None:
    if len(values) < k:
        return
    X = np.column_stack([np.array(values, dtype=float) + 1e6, np.ones(len(values))])
    best = naive.best_sse(X, k)
    problem = Problem(X, k)
    assert check_unproved(problem, best).passed
    assert not check_unproved(problem, best * (1 + 1e-9) + 1e-9).passed


def test_one_group_of_all_is_the_optimum_of_fewer_than_2k_records() -> None:
    X = np.array([[0.0, 1.0], [1.0, 5.0], [7.0, 2.0]])
    problem = Problem(X, 2)
    sse = naive.sse(X, np.zeros(3))
    assert check_unproved(problem, sse).detail == "as one group"
    above = check_unproved(problem, sse * (1 + 1e-9))
    assert not above.passed
    assert above.detail == f"its best partition has sse {sse:.12g}, below the bound of {sse * (1 + 1e-9):.12g}"


@pytest.mark.parametrize(("bound", "passed"), [(0.0, True), (-1.0, True), (1e-300, False)])
def test_where_there_is_something_to_prove_only_zero_needs_no_proof(bound: float, passed: bool) -> None:
    problem = Problem(np.array([[0.0, 1.0], [1.0, 5.0], [7.0, 2.0], [8.0, 8.0]]), 2)
    finding = check_unproved(problem, bound)
    assert finding.passed is passed
    if not passed:
        assert finding.detail == "it has no proof, but 4 records, k = 2, and 2 columns that vary"


def test_equal_records_lose_nothing() -> None:
    problem = Problem(np.ones((9, 2)), 2)
    assert check_unproved(problem, 0.0).passed
    assert not check_unproved(problem, 1e-12).passed
