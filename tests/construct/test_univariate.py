"""The optimum of one column."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg import Problem, solve
from microagg.construct.univariate import Univariate
from microagg.model.arrays import FloatArray


@pytest.mark.parametrize(
    ("X", "supported"), [(np.eye(3), False), (np.ones((3, 2)), True), (np.diag([0, 0, 1.0]), True)]
)
def test_one_column_is_supported_where_no_other_varies(X: FloatArray, supported: bool) -> None:
    assert Univariate().supports(Problem(X, 2)) is supported


@given(
    st.lists(st.floats(-10, 10).map(lambda number: round(number, 9)), min_size=1, max_size=20),
    st.lists(st.sampled_from([1e9, 1e17, -1e17]), max_size=4),
    st.sampled_from([0.0, 1.0, 1e9, -1e9]),
    st.integers(1, 5),
)
def test_univariate_is_exact_far_from_zero_and_beside_outliers(
    values: list[float], outliers: list[float], offset: float, k: int
) -> None:
    """Compared with the optimum in fractions, of the numbers that the user has."""
    column = np.array(values + outliers) + offset
    k = min(k, len(column))
    solution = solve(column, k, method="univariate")
    found = sum(naive.exact_cut(column[solution.labels == group], k) for group in range(solution.n_groups))
    optimum = naive.exact_cut(np.sort(column), k)
    assert float(found - optimum) <= 1e-12 * float(optimum)
    assert solution.status == "optimal"
