"""Integral and fractional solutions, told apart by a tolerance."""

import numpy as np
import pytest

from microagg.lp.duals import Duals
from microagg.lp.lp_solution import INTEGRALITY_TOL, LpSolution
from microagg.lp.rank_one_cuts import RankOneCuts


@pytest.mark.parametrize(
    ("values", "uncovered", "chosen"),
    [
        ([1.0, 0.0, 1.0], 0.0, [0, 2]),
        ([1.0 - 0.9 * INTEGRALITY_TOL, 0.0, 1.0], 0.0, [0, 2]),
        ([1.0 - 1.1 * INTEGRALITY_TOL, 0.0, 1.0], 0.0, None),
        ([1.0, 0.9 * INTEGRALITY_TOL, 1.0], 0.0, [0, 2]),
        ([1.0, 1.1 * INTEGRALITY_TOL, 1.0], 0.0, None),
        ([1.0, 0.0, 1.0], 0.9 * INTEGRALITY_TOL, [0, 2]),
        ([1.0, 0.0, 1.0], 1.1 * INTEGRALITY_TOL, None),
        ([0.5, 0.5, 1.0], 0.0, None),
    ],
)
def test_a_solution_is_integral_within_the_tolerance(
    values: list[float], uncovered: float, chosen: list[int] | None
) -> None:
    duals = Duals(np.zeros(4), RankOneCuts.empty(4))
    found = LpSolution(0.0, duals, np.array(values), uncovered).integral_columns()
    assert (None if found is None else found.tolist()) == chosen
