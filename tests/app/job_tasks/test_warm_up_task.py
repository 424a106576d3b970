from pathlib import Path

import pytest

from microagg.app.job import Job
from microagg.app.job_tasks import warm_up_task
from microagg.app.job_tasks.warm_up_task import compile_kernels, kernels_are_compiled
from task_runs import TaskRun, job_folder


def test_kernels_are_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []
    monkeypatch.setattr(warm_up_task, "warm_up", lambda progress: calls.append(progress))
    monkeypatch.setattr("os.nice", lambda by: 0)
    monkeypatch.setattr(warm_up_task, "_marker", lambda: tmp_path / "cache" / "all-compiled")
    assert not kernels_are_compiled()
    for number in range(2):
        done = TaskRun(compile_kernels, Job("warm_up", job_folder(tmp_path, f"job{number}")))
        assert done.last.state == "done"
    assert len(calls) == 1
    assert kernels_are_compiled()
