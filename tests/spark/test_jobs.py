"""Jobs that are cancelled: the call ends when no task of theirs works any more."""

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from microagg import CancelledError, Run
from microagg.spark import jobs
from microagg.spark.jobs import Jobs
from patience import PATIENCE


class SlowTasks:
    """Stands for a session whose tasks go on for a while after their job was cancelled.

    Parameters
    ----------
    n_looks
        How often tasks are still seen at work after the job has ended.
    """

    def __init__(self, n_looks: int) -> None:
        self.n_looks = n_looks
        self.cancelled = threading.Event()
        self.began = threading.Event()
        self.ended = False

    def work(self) -> None:
        """Go on until the job is cancelled."""
        self.began.set()
        assert self.cancelled.wait(PATIENCE)
        self.ended = True

    def setJobGroup(self, *_: Any, **__: Any) -> None:  # noqa: N802
        """Let jobs belong to a group."""

    def cancelJobGroup(self, group: str) -> None:  # noqa: N802
        """Cancel the jobs of a group."""
        self.cancelled.set()

    def statusTracker(self) -> "SlowTasks":  # noqa: N802
        """Return what tells of jobs."""
        return self

    def getJobIdsForGroup(self, group: str) -> list[int]:  # noqa: N802
        """Return the jobs of a group."""
        return [1]

    def getJobInfo(self, job: int) -> Any:  # noqa: N802
        """Return what is known of a job."""
        return SimpleNamespace(stageIds=[1])

    def getStageInfo(self, stage: int) -> Any:  # noqa: N802
        """Return what is known of a stage: after its job has ended, it works a while."""
        if self.ended and self.n_looks:
            self.n_looks -= 1
            return SimpleNamespace(numActiveTasks=1, numCompletedTasks=0, numTasks=2)
        return SimpleNamespace(numActiveTasks=int(not self.ended), numCompletedTasks=0, numTasks=2)


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_SECONDS_BETWEEN_LOOKS", 0.001)
    monkeypatch.setattr(jobs, "_SECONDS_TO_END", PATIENCE)


def _cancelled(tasks: SlowTasks) -> None:
    run = Run()

    def cancel() -> None:
        assert tasks.began.wait(PATIENCE)
        run.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    with pytest.raises(CancelledError, match="nothing is released"):
        Jobs(SimpleNamespace(_sc=tasks), run)("blocks", tasks.work)
    thread.join()


def test_a_cancelled_call_ends_after_its_tasks() -> None:
    tasks = SlowTasks(n_looks=5)
    _cancelled(tasks)
    assert tasks.ended
    assert tasks.n_looks == 0


def test_tasks_that_never_end_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_SECONDS_TO_END", 0.05)
    tasks = SlowTasks(n_looks=10**9)
    _cancelled(tasks)
    assert tasks.n_looks > 0


def test_no_stage_begins_after_a_run_was_cancelled() -> None:
    stages: list[str] = []
    done: list[str] = []
    run = Run(progress=lambda stage, *_: stages.append(stage))
    run.cancel()
    with pytest.raises(CancelledError, match="the run was cancelled: nothing is released"):
        Jobs(SimpleNamespace(), run)("facts", lambda: done.append("facts"))
    assert (stages, done) == ([], [])
