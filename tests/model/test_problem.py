"""Problems: only finite points and possible k."""

from typing import Any

import numpy as np
import pytest

from microagg import (
    InputError,
    Problem,
)
from microagg.model.arrays import FloatArray


@pytest.mark.parametrize("k", [0, -1, 7, 2.0, "2", None, True])
def test_problem_refuses_k(k: Any) -> None:
    with pytest.raises(InputError, match="k "):
        Problem(np.ones((6, 2)), k)


@pytest.mark.parametrize(
    "X", [np.empty((0, 2)), np.empty((3, 0)), np.ones(3), np.array([[np.nan]]), np.array([[np.inf]])]
)
def test_problem_refuses_points(X: FloatArray) -> None:
    with pytest.raises(InputError, match="a problem needs"):
        Problem(X, 1)


def test_problem_is_a_copy_that_cannot_be_written() -> None:
    X = np.ones((3, 1))
    problem = Problem(X, 2)
    X[0] = 5.0
    assert problem.X[0] == 1.0
    assert not problem.X.flags.writeable
