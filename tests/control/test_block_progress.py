import numpy as np

from microagg.control.block_progress import BlockProgress
from microagg.control.loss_note import LossNote
from microagg.control.run import Run
from microagg.model.problem import Problem

PROBLEM = Problem(np.arange(10.0).reshape(-1, 1), 2)
SST = PROBLEM.sst


def _told(sse: float | None) -> tuple[BlockProgress, list[tuple[float | None, str]]]:
    told: list[tuple[float | None, str]] = []
    run = Run(progress=lambda stage, done, note="": told.append((done, note)))
    return BlockProgress("blocks", 2, PROBLEM, run, sse), told


def test_the_loss_falls_by_what_each_block_has_gained() -> None:
    progress, told = _told(SST / 2)
    progress.report(0)
    progress.add(SST / 4)
    progress.report(2)
    (first, before), (last, after) = told
    assert (first, before) == (0.0, "loss 50.0000 %")
    assert (last, after) == (1.0, "2 of 2, loss 25.0000 %")
    assert isinstance(after, LossNote)
    assert after.loss == 25.0
    assert after.bound is None


def test_the_first_round_tells_the_loss_when_it_is_over() -> None:
    progress, told = _told(None)
    progress.report(2)
    progress.finish(SST / 5)
    assert [str(note) for _, note in told] == ["2 of 2", "2 of 2, loss 20.0000 %"]
    assert not isinstance(told[0][1], LossNote)
