"""Loss of the records that have groups so far."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.control.grouped_records import GroupedRecords
from microagg.model.problem import Problem


def _problem(rng: np.random.Generator, *, weighted: bool, lacking: bool) -> Problem:
    X = rng.normal(size=(30, 3))
    weights = rng.uniform(0.5, 2.0, 30) if weighted else None
    missing = rng.random((30, 3)) < 0.2 if lacking else None
    return Problem(X, 3, weights, missing)


@given(st.integers(0, 2**32 - 1), st.booleans(), st.booleans())
def test_the_squares_of_all_parts_are_those_of_the_problem(seed: int, weighted: bool, lacking: bool) -> None:
    rng = np.random.default_rng(seed)
    problem = _problem(rng, weighted=weighted, lacking=lacking)
    parts = np.array_split(rng.permutation(30), 4)
    assert sum(map(problem.squares_of, parts)) == pytest.approx(problem.sst)


def test_the_loss_is_that_of_the_parts_that_are_done() -> None:
    problem = _problem(np.random.default_rng(1), weighted=True, lacking=True)
    grouped = GroupedRecords(problem)
    assert grouped.note(0, 2) == "0 of 2"
    assert grouped.note(0, 2).loss is None
    first, second = np.arange(10), np.arange(10, 30)
    grouped.add(first, problem.squares_of(first) / 4)
    note = grouped.note(1, 2)
    assert note == "1 of 2, loss 25.0000 % in these"
    assert note.loss == pytest.approx(25.0)
    grouped.add(second, problem.squares_of(second) / 2)
    whole = problem.squares_of(first) / 4 + problem.squares_of(second) / 2
    assert grouped.loss == pytest.approx(100 * whole / problem.sst)
