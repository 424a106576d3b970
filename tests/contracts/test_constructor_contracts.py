"""What every constructor promises."""

import pickle
from contextlib import suppress

import numpy as np
import pytest

from microagg import Partition, Problem, Run
from microagg.construct import CONSTRUCTORS
from microagg.control.stopping import StoppedError
from registered import suited
from runs import CancelledAt

every_constructor = pytest.mark.parametrize("name", CONSTRUCTORS)


@every_constructor
def test_it_pickles(name: str) -> None:
    assert pickle.loads(pickle.dumps(CONSTRUCTORS[name])) == CONSTRUCTORS[name]


@every_constructor
def test_slices_change_nothing_and_a_cancelled_run_ends_it_at_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = suited(name, Problem(np.random.default_rng(0).normal(size=(100, 2)), 3))

    def make(run: Run) -> Partition:
        return CONSTRUCTORS[name](problem, np.random.default_rng(0), run)

    whole = make(Run()).labels.tolist()
    monkeypatch.setattr("microagg.kernels.tick.WORK_PER_TICK", 1000.0)
    monkeypatch.setattr("microagg.construct.partial_grouping._NUMBERS_PER_TICK", 1.0)
    run = CancelledAt(10**9)
    assert make(run).labels.tolist() == whole
    for number in {1, 2, len(run.notes) // 2} - {0}:
        run = CancelledAt(number)
        with suppress(StoppedError):
            partition = make(run)
            assert run.log.fallback_share > 0 or partition.labels.tolist() == whole
        assert len(run.notes) <= number + 1
        assert run.log.ended_by == "cancelled"
