"""Problems: only finite points and possible k."""

from typing import Any

import numpy as np
import pytest

from microagg import InputError, Problem


@pytest.mark.parametrize("k", [0, -1, 7, 2.0, "2", None, True])
def test_problem_refuses_k(k: Any) -> None:
    with pytest.raises(InputError, match="k "):
        Problem(np.ones((6, 2)), k)


def test_k_is_from_one_to_the_number_of_records() -> None:
    assert [Problem(np.ones((6, 2)), k).k for k in (1, 6)] == [1, 6]
    with pytest.raises(InputError) as caught:
        Problem(np.ones((6, 2)), 7)
    assert str(caught.value) == "k = 7 is more than the 6 records there are: choose a smaller k"
    with pytest.raises(InputError, match="k must be at least 1, found 0"):
        Problem(np.ones((6, 2)), 0)


@pytest.mark.parametrize(
    ("X", "words"),
    [
        (np.empty((0, 2)), r"records and columns, found an array of shape \(0, 2\)"),
        (np.empty((3, 0)), r"records and columns, found an array of shape \(3, 0\)"),
        (np.ones(3), r"records and columns, found an array of shape \(3,\)"),
        (np.ones((3, 1, 1)), r"records and columns, found an array of shape \(3, 1, 1\)"),
        (np.array([[np.nan]]), "finite numbers, found NaN or infinity"),
        (np.array([[np.inf]]), "finite numbers, found NaN or infinity"),
        (np.array([[1.0], [-np.inf]]), "finite numbers, found NaN or infinity"),
        (np.array([[1.0], [-1.1e145]]), r"numbers whose squares can be summed, found 1\.1e\+145"),
    ],
)
def test_problem_refuses_points(X: Any, words: str) -> None:
    with pytest.raises(InputError, match=f"a problem needs {words}"):
        Problem(X, 1)


def test_the_largest_numbers_can_be_squared_and_summed() -> None:
    X = np.array([[-1e145], [1e145]])
    assert Problem(X, 1).sst == 2e290


def test_problem_is_a_copy_that_cannot_be_written() -> None:
    X = np.ones((3, 1))
    problem = Problem(X, 2)
    X[0] = 5.0
    assert problem.X[0] == 1.0
    assert not problem.X.flags.writeable


def test_what_nobody_can_write_is_not_copied() -> None:
    X = np.ones((3, 1))
    X.flags.writeable = False
    assert Problem(X, 2).X is X
    columns = np.asfortranarray(np.arange(6.0).reshape(3, 2))
    columns.flags.writeable = False
    assert Problem(columns, 2).X.flags.c_contiguous
    integers: Any = np.arange(3)[:, None]
    assert Problem(integers, 2).X.dtype == np.float64
    numpy_k: Any = np.int32(2)
    assert type(Problem(X, numpy_k).k) is int


def test_problem_knows_its_size_and_squares() -> None:
    problem = Problem(np.array([[0.0, 7.0, 1.0], [1.0, 7.0, 1.0], [5.0, 7.0, 1.0 + 1e-9]]), 2)
    assert (problem.n, problem.d) == (3, 3)
    assert problem.varying.tolist() == [0, 2]
    assert problem.sst == pytest.approx(14.0)
    assert repr(problem) == "Problem(k=2)"
