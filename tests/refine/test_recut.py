"""Repeated optimal cuts of a tour through the groups."""

import numpy as np
import pytest
from hypothesis import given

import naive
from microagg import Partition, Problem, Run
from microagg.model.arrays import IntArray
from microagg.refine import REFINERS
from strategies import labelled


@given(labelled(max_n=25))
def test_recut_cuts_the_walk_as_a_tour(case: tuple[Problem, IntArray]) -> None:
    start = Partition(*case)
    X, k = start.problem.X, start.problem.k
    once = REFINERS["recut"](start, np.random.default_rng(0), Run(iterations=1))
    best = naive.cut_tour(X, naive.group_by_group(X, start.labels), k)
    assert once.sse == pytest.approx(min(start.sse, best), rel=1e-9, abs=1e-9 * start.problem.sst)
