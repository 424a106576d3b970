"""Hold what proofs are about: some records, and groups of which a partition may consist."""

from typing import Any, NamedTuple

import numpy as np

from microagg.certify.certificate_reader import Rule
from microagg.control.run import Run
from microagg.model.arrays import BoolArray, FloatArray
from microagg.model.errors import InputError
from microagg.model.problem import Problem

_MOST_RECORDS = 20_000  # whose distances are kept, twice: six gigabytes


class Pool(NamedTuple):
    """Hold groups."""

    groups: Any  # sparse, of shape (count, n): 1 where the group holds the record
    sses: FloatArray  # (count,)

    def only(self, which: BoolArray) -> "Pool":
        """Give some of the groups."""
        return Pool(self.groups[which], self.sses[which])

    def obeying(self, rule: Rule) -> "Pool":
        """Give the groups that hold both records or none if they are together, and not both if they are apart."""
        held = self.groups[:, [rule.one, rule.other]].sum(axis=1)
        return self.only(held != (1 if rule.together else 2))

    @property
    def covers(self) -> bool:
        """Whether every record is in a group."""
        return bool(self.groups.sum(axis=0).all())


class Case(NamedTuple):
    """Hold what every proof is about."""

    problem: Problem
    squares: FloatArray  # (n, n) squared distances
    lower_bound: float  # B
    run: Run

    @staticmethod
    def of(problem: Problem, lower_bound: float, run: Run) -> "Case":
        """Measure the distances."""
        if problem.n > _MOST_RECORDS:
            raise InputError(f"certificates are checked of at most {_MOST_RECORDS} records, found {problem.n}")
        squares = np.empty((problem.n, problem.n))
        for record, point in enumerate(problem.X):
            squares[record] = np.square(problem.X - point).sum(axis=1)
        return Case(problem, squares, lower_bound, run)
