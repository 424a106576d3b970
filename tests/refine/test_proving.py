"""Refinement by an attempt at a proof: of which problems, and to what end."""

from typing import ClassVar

import numpy as np
import pytest

from lp_cases import one_group, random_problem
from microagg import LowerBound, Partition, Problem, Run, solve
from microagg.exact.exact_bound import Exact
from microagg.methods import pipeline
from microagg.refine.proving import Proving


class _Asked:
    """A bound that remembers what it was asked for."""

    limits: ClassVar[frozenset[str]] = frozenset()

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def __call__(self, problem: Problem, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
        self.problems.append(problem)
        return LowerBound(0.0, "test"), incumbent


def test_a_thorough_search_tries_to_prove() -> None:
    stages = pipeline("search", effort="thorough").refiners
    assert isinstance(stages[-1], Proving)
    assert not any(isinstance(stage, Proving) for stage in pipeline("search", effort="standard").refiners)
    assert not any(isinstance(stage, Proving) for stage in pipeline("exact", effort="thorough").refiners)
    problem = random_problem(0, 60, 3)
    start = solve(problem.X, 3, method="mdav", standardise=False).partition
    better = stages[-1](start, np.random.default_rng(0), Run())
    best, _ = Exact()(problem, start, Run())
    assert better.sse <= best.sse * (1 + 1e-7)
    large = one_group(random_problem(0, 30, 6))
    assert stages[-1](large, np.random.default_rng(0), Run()) is large


@pytest.mark.parametrize(
    ("n", "k", "d", "is_asked"),
    [(8_500, 2, 2, True), (8_501, 2, 2, False), (30, 5, 2, True), (30, 6, 2, False), (30, 3, 1, False)],
)
def test_only_of_small_problems_a_proof_is_tried(n: int, k: int, d: int, is_asked: bool) -> None:
    exact = _Asked()
    start = one_group(random_problem(0, n, k, d=d))
    assert Proving(exact)(start, np.random.default_rng(0), Run()) is start
    assert exact.problems == ([start.problem] if is_asked else [])


def test_limited_iterations_leave_no_room_for_a_proof() -> None:
    exact = _Asked()
    start = one_group(random_problem(0, 30, 3))
    assert Proving(exact)(start, np.random.default_rng(0), Run(iterations=1000)) is start
    assert exact.problems == []
