"""Where blocks begin, the loss does not jump."""

from dataclasses import replace

import numpy as np
import pytest

from microagg import Limits, Problem, Run
from microagg.methods import pipeline
from microagg.model.group_rules import GroupRules
from microagg.refine import block_schedule
from microagg.solve_blocks import solve_problem

BORDER = 400


@pytest.mark.parametrize("effort", ["quick", "standard"])
def test_the_loss_does_not_jump_where_blocks_begin(effort: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_schedule, "LARGEST_WHOLE", BORDER)
    chosen = replace(pipeline("auto", effort), largest_whole=BORDER)
    X = np.random.default_rng(0).normal(size=(BORDER + 1, 2))
    losses = []
    for n in (BORDER, BORDER + 1):
        with Run().under_way(Limits()) as run:
            solution = solve_problem(chosen, Problem(X[:n], 3), GroupRules(), 0, run)
        losses.append(solution.information_loss)
    assert solution.method == "search in blocks"
    assert losses[1] == pytest.approx(losses[0], rel=0.02)
