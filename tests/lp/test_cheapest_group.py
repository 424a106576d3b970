"""The integer programme of the column generation paper."""

import numpy as np
import pytest

from lp_cases import random_problem
from microagg import Run
from microagg.kernels.tick import no_tick
from microagg.lp.cheapest_group import cheapest_group
from microagg.lp.pricing_distances import scaled_squares
from microagg.lp.triangle_cuts import violated_triangles
from microagg.model.arrays import FloatArray, IntArray


def test_triangle_inequalities_are_added_until_none_is_violated(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = random_problem(5, 12, 3)
    squares = scaled_squares(problem.X, 1.0)
    duals = np.random.default_rng(5).uniform(0.0, 2.0, size=12)
    counts: list[int] = []

    def counted(values: FloatArray, max_cuts: int) -> IntArray:
        found = violated_triangles(values, max_cuts)
        counts.append(len(found))
        return found

    monkeypatch.setattr("microagg.lp.cheapest_group.violated_triangles", counted)
    plain = cheapest_group(squares, duals, 5, Run(), no_tick)
    assert counts == []
    cut = cheapest_group(squares, duals, 5, Run(), no_tick, triangles=True)
    assert counts[0] > 0
    assert counts[-1] == 0
    assert plain is not None
    assert cut is not None
    assert cut[0].tolist() == plain[0].tolist()
    assert cut[1] == pytest.approx(plain[1])
