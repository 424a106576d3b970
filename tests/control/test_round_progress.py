"""Progress of a refiner's rounds."""

from typing import Any

import numpy as np
import pytest

from microagg import Problem, Run
from microagg.control.round_progress import RoundProgress
from microagg.control.stopping import StoppedError

PROBLEM = Problem(np.array([[-1.0], [1.0]]), 1)


def test_loss_is_reported_and_logged() -> None:
    reports: list[Any] = []
    run = Run(iterations=5, progress=lambda *report: reports.append(report))
    progress = RoundProgress("mine", PROBLEM, run)
    progress.report(0, 0.5, 1.0)
    progress.ticker(4, 0.25)(1.0)
    assert reports == [("mine", 1.0, "loss 25.0000 %"), ("mine", 1.0, "loss 12.5000 %")]
    assert [(step.iteration, step.sse) for step in run.log.steps] == [(0, 0.5), (4, 0.25)]


def test_a_round_beyond_the_limit_is_stopped() -> None:
    progress = RoundProgress("mine", PROBLEM, Run(iterations=5))
    progress.ticker(4, 0.25)()
    with pytest.raises(StoppedError, match="iterations"):
        progress.ticker(5, 0.25)()


def test_equal_records_lose_nothing() -> None:
    notes: list[str] = []
    run = Run(progress=lambda stage, done, note="": notes.append(note))
    RoundProgress("mine", Problem(np.ones((3, 1)), 1), run).report(0, 0.0)
    assert notes == ["loss 0.0000 %"]
