from pathlib import Path

from microagg.app.job import Job
from microagg.app.job_tasks.columns_task import name_columns
from task_runs import TaskRun, job_folder, messy_frame, written


def test_the_names_are_told_in_their_order(tmp_path: Path) -> None:
    frame = messy_frame()
    source = written(frame, tmp_path / "survey.parquet")
    done = TaskRun(name_columns, Job("columns", job_folder(tmp_path), {"source": str(source), "name": source.name}))
    assert done.json("columns.json") == frame.columns
    assert done.last.state == "done"
    assert [path.name for path in done.folder.iterdir()] == ["columns.json"]
