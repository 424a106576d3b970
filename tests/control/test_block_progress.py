import numpy as np
import pytest

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
    progress.add(np.arange(5), SST / 8, SST / 4)
    progress.report(2)
    (first, before), (last, after) = told
    assert (first, before) == (0.0, "loss 50.0000 %")
    assert (last, after) == (1.0, "2 of 2, loss 25.0000 %")
    assert isinstance(after, LossNote)
    assert after.loss == 25.0
    assert after.bound is None


def test_the_first_round_tells_the_loss_of_the_blocks_that_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("microagg.control.progress.MIN_REPORT_INTERVAL", 0.0)
    progress, told = _told(None)
    progress.report(0)
    progress.add(np.arange(5), SST / 20, 0.0)
    progress.report(1)
    progress.add(np.arange(5, 10), SST / 10, 0.0)
    progress.report(2)
    progress.finish(3 * SST / 20)
    texts = ["0 of 2", "1 of 2, loss 10.0000 % in these", "2 of 2, loss 15.0000 % in these", "2 of 2, loss 15.0000 %"]
    assert [str(note) for _, note in told] == texts
    assert [getattr(note, "loss", None) for _, note in told] == pytest.approx([None, 10.0, 15.0, 15.0])
