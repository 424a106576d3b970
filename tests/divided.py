"""Problems that are solved by blocks, and what a test may want to know of them."""

from typing import Any

import numpy as np

from microagg import ColumnSet, Limits, Problem, Run, Solution
from microagg.methods import set_pipeline
from microagg.model.arrays import IntArray
from microagg.model.group_rules import GroupRules
from microagg.solve_blocks import solve_problem


def problem_of(n: int, d: int = 3, k: int = 3, random_state: int = 0) -> Problem:
    """Return a problem of normal records."""
    return Problem(np.random.default_rng(random_state).normal(size=(n, d)), k)


def solved(
    problem: Problem,
    run: Run | None = None,
    rules: GroupRules | None = None,
    random_state: int = 0,
    rows: IntArray | None = None,
    **options: Any,
) -> Solution:
    """Solve a problem in blocks of 40 records, unless the options of the column set say otherwise."""
    chosen = set_pipeline(ColumnSet(**{"k": problem.k, "block_size": 40, "effort": None, **options}))
    with (run or Run(workers=2)).under_way(Limits()) as current:
        return solve_problem(chosen, problem, rules or GroupRules(), random_state, current, rows)


class RecordedRounds(Run):
    """Run that keeps the sse after each round of blocks."""

    def __init__(self, **limits: Any) -> None:
        super().__init__(**limits)
        self.sses: list[float] = []

    def ends(self, iteration: int, sse: float, lower_bound: float = 0.0) -> bool:
        self.sses.append(sse)
        return super().ends(iteration, sse, lower_bound)
