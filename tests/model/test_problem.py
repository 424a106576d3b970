"""Problems: only finite points and possible k."""

from typing import Any

import numpy as np
import pytest

from microagg import InputError, Problem
from microagg.model.arrays import FloatArray


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


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (np.ones(3), r"a problem needs 2 weights, one a record, found an array of shape \(3,\)"),
        (np.ones((2, 1)), r"a problem needs 2 weights, one a record, found an array of shape \(2, 1\)"),
        (np.array([1.0, 0.0]), "weights must be positive and finite, found 1 of 2 that are not"),
        (np.array([-1.0, np.nan]), "weights must be positive and finite, found 2 of 2 that are not"),
        (np.array([np.inf, 1.0]), "weights must be positive and finite, found 1 of 2 that are not"),
        (np.array([9e-10, 1.0]), r"no weight may be less than 1e-09 of the largest, found 9e-10 of it: correct the"),
        (np.array([1e-300, 1e300]), "no weight may be less than 1e-09 of the largest, found 0 of it"),
    ],
)
def test_problem_refuses_weights(weights: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Problem(np.ones((2, 1)), 1, weights)


def test_weights_are_divided_by_their_mean() -> None:
    given: Any = np.array([1, 1, 4])
    problem = Problem(np.array([[0.0], [1.0], [5.0]]), 1, given)
    assert problem.weights is not None
    assert problem.weights.tolist() == [0.5, 0.5, 2.0]
    assert not problem.weights.flags.writeable
    assert given.flags.writeable
    assert problem.sst == pytest.approx(0.5 * 3.5**2 + 0.5 * 2.5**2 + 2 * 1.5**2)
    equal = Problem(np.ones((7, 1)), 1, np.full(7, 0.3)).weights
    assert equal is not None
    assert equal.tolist() == [1.0] * 7
    assert Problem(np.ones((2, 1)), 1, np.array([1.0, 1e-9])).weights is not None
    assert Problem(np.ones((2, 1)), 1).weights is None


def test_a_part_has_its_records_and_their_weights() -> None:
    X = np.arange(12.0).reshape(6, 2)
    part = Problem(X, 2, np.array([1.0, 1.0, 1.0, 2.0, 3.0, 4.0])).part(np.array([5, 0]))
    assert part.X.tolist() == [[10.0, 11.0], [0.0, 1.0]]
    assert part.k == 2
    assert part.weights is not None
    assert part.weights.tolist() == [2.0, 0.5]
    assert not part.weights.flags.writeable
    assert not part.X.flags.writeable
    assert Problem(X, 2).part(np.array([1, 2])).weights is None
    with pytest.raises(InputError, match="k = 2 is more than the 1 records"):
        Problem(X, 2).part(np.array([1]))


def test_a_part_can_be_stated_without_the_whole() -> None:
    X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]])
    missing = np.array([[True, False], [True, False], [False, True], [False, False]])
    whole = Problem(X, 2, np.array([1.0, 2.0, 3.0, 6.0]), missing)
    assert whole.weights is not None
    for records in (np.array([0, 1]), np.array([1, 2]), np.array([0, 2, 3])):
        part = whole.part(records)
        stated = Problem.of_part(X[records], 2, whole.weights[records], missing[records])
        np.testing.assert_array_equal(stated.X, part.X)
        np.testing.assert_array_equal(stated.weights, part.weights)
        np.testing.assert_array_equal(stated.missing, part.missing)
    assert X[0, 0] == 1.0
    assert missing[0, 0]
    integers: Any = np.array([1, 3])
    stated = Problem.of_part(X[:2], 2, integers)
    assert stated.weights is not None
    assert stated.weights.tolist() == [1.0, 3.0]
    assert integers.flags.writeable
    assert Problem.of_part(X, 2).weights is None


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (np.ones(3), r"a problem needs 2 weights, one a record, found an array of shape \(3,\)"),
        (np.array([1.0, 0.0]), "weights must be positive and finite, found 1 of 2 that are not"),
        (np.array([9e-10, 1.0]), "no weight may be less than 1e-09 of the largest"),
    ],
)
def test_a_part_refuses_weights(weights: FloatArray, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Problem.of_part(np.ones((2, 1)), 1, weights)


def test_problem_knows_its_size_and_squares() -> None:
    problem = Problem(np.array([[0.0, 7.0, 1.0], [1.0, 7.0, 1.0], [5.0, 7.0, 1.0 + 1e-9]]), 2)
    assert (problem.n, problem.d) == (3, 3)
    assert problem.varying.tolist() == [0, 2]
    assert problem.sst == pytest.approx(14.0)
    assert repr(problem) == "Problem(k=2)"
