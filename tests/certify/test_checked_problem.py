"""The problem that a certificate is about."""

import numpy as np
import pytest

import naive
from certificate_cases import table
from microagg import InputError, Problem, Run
from microagg.certify import checked_problem
from microagg.certify.checked_problem import CheckedProblem


def test_squared_distances_are_those_of_all_pairs() -> None:
    X = table(0, 7, 3)
    run = Run()
    problem = Problem(X, 2)
    checked = CheckedProblem.of(problem, 0.5, run)
    assert (checked.problem, checked.lower_bound, checked.run) == (problem, 0.5, run)
    for record in range(7):
        assert checked.squares[record] == pytest.approx(naive.squares(X, X[record]))


def test_more_records_than_memory_holds_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        CheckedProblem.of(Problem(np.zeros((20_002, 1)), 2), 0.0, Run())
    assert str(caught.value) == "certificates are checked of at most 20000 records, found 20002"


def test_as_many_records_as_are_allowed_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checked_problem, "_MAX_RECORDS", 3)
    assert CheckedProblem.of(Problem(np.zeros((3, 1)), 2), 0.0, Run()).squares.shape == (3, 3)
    with pytest.raises(InputError, match="at most 3 records, found 4"):
        CheckedProblem.of(Problem(np.zeros((4, 1)), 2), 0.0, Run())
