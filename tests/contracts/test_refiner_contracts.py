"""What every refiner promises."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, note

from microagg import Partition, Problem, Run
from microagg.model.arrays import IntArray
from registered import REFINERS
from runs import EndsBelow
from samples import heavy_tailed
from strategies import labelled

every_refiner = pytest.mark.parametrize("name", sorted(REFINERS))


@given(labelled())
def test_it_is_never_worse_and_does_nothing_in_no_rounds(case: tuple[Problem, IntArray]) -> None:
    """One test for all refiners: drawing a partition takes longer than refining it."""
    start = Partition(*case)
    for name, refine in REFINERS.items():
        note(name)
        refined = refine(start, np.random.default_rng(0), Run())
        assert refined.sse <= start.sse
        assert refined.problem is start.problem

        reports: list[Any] = []
        run = Run(iterations=0, progress=lambda *report, reports=reports: reports.append(report))
        unchanged = refine(start, np.random.default_rng(0), run)
        np.testing.assert_array_equal(unchanged.labels, start.labels)
        assert reports, "a refiner reports its progress"


@every_refiner
def test_it_ends_where_the_run_ends(name: str) -> None:
    problem = Problem(heavy_tailed(10, 80), 3)
    start = Partition(problem, np.arange(80) // 4)

    def refine(run: Run) -> Partition:
        return REFINERS[name](start, np.random.default_rng(0), run)

    half = (start.sse + refine(Run()).sse) / 2
    assert refine(EndsBelow(half)).sse <= half
    np.testing.assert_array_equal(refine(EndsBelow(start.sse)).labels, start.labels)
