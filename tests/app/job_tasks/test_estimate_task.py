from pathlib import Path

import pytest

from microagg import InputError
from microagg.app.job import Job
from microagg.app.job_tasks.estimate_task import estimate_run
from task_runs import PLAIN_PLAN, TaskRun, job_folder, plain_frame, written


def test_an_estimate_tells_time_and_memory(tmp_path: Path) -> None:
    source = written(plain_frame(), tmp_path / "people.csv")
    done = TaskRun(estimate_run, Job("estimate", job_folder(tmp_path), {"source": str(source), "plan": PLAIN_PLAN}))
    facts = done.json("estimate.json")
    assert facts["n_records"] == 200
    assert facts["seconds"] > 0
    assert facts["memory"] > 0


def test_a_plan_is_never_read_from_the_file_that_its_text_names(tmp_path: Path) -> None:
    source = written(plain_frame(), tmp_path / "people.csv")
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAIN_PLAN)
    with pytest.raises(InputError, match="not valid TOML"):
        TaskRun(estimate_run, Job("estimate", job_folder(tmp_path), {"source": str(source), "plan": str(plan)}))
