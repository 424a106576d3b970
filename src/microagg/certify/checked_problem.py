"""The problem that a certificate is about, as the checker needs it."""

from typing import NamedTuple

import numpy as np

from microagg.control.run import Run
from microagg.model.arrays import FloatArray
from microagg.model.errors import InputError
from microagg.model.problem import Problem

_MAX_RECORDS = 20_000  # their distances are kept twice: six gigabytes


class CheckedProblem(NamedTuple):
    """Records, their squared distances, and the lower bound that is claimed of them."""

    problem: Problem
    squares: FloatArray  # (n, n) squared distances
    lower_bound: float  # B
    run: Run

    @staticmethod
    def of(problem: Problem, lower_bound: float, run: Run) -> "CheckedProblem":
        """Compute the distances: O(n²·d) time, O(n²) memory."""
        if problem.n > _MAX_RECORDS:
            raise InputError(f"certificates are checked of at most {_MAX_RECORDS} records, found {problem.n}")
        squares = np.empty((problem.n, problem.n))
        for record, point in enumerate(problem.X):
            squares[record] = np.square(problem.X - point).sum(axis=1)
        return CheckedProblem(problem, squares, lower_bound, run)
