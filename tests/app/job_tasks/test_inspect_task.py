from pathlib import Path

import polars as pl
import pytest

from microagg import CancelledError, ReadError, workspace
from microagg.app.job import Job
from microagg.app.job_tasks.inspect_task import inspect_file
from microagg.app.job_tasks.task_context import TaskContext
from task_runs import TaskRun, job_folder, messy_frame, written


def _job(tmp_path: Path, source: Path, **options: object) -> Job:
    return Job("inspect", job_folder(tmp_path), {"source": str(source), "name": "my survey.csv", **options})


def test_an_inspection_tells_columns_histograms_kinds_and_a_plan(tmp_path: Path) -> None:
    frame = messy_frame()
    done = TaskRun(inspect_file, _job(tmp_path, written(frame, tmp_path / "upload.csv")))
    assert done.last.state == "done"
    found = done.json("inspection.json")
    assert found["inspection"]["file"] == "my survey.csv"
    assert "my survey.csv" in found["starter_plan"]
    assert found["kinds"] == {
        "person_id": "integer",
        "region": "text",
        "weight": "number",
        "age": "integer",
        "sex": "text",
        "born": "date",
        "income": "integer",
        "hours": "integer",
    }
    assert set(found["histograms"]) == {"person_id", "weight", "age", "born", "income", "hours"}
    assert sum(found["histograms"]["age"]["counts"]) == frame["age"].count()
    assert found["histograms"]["born"]["unit"] == "days"


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_out_of_core_gives_the_same(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = written(messy_frame(), tmp_path / f"upload{suffix}")
    in_memory = TaskRun(inspect_file, _job(tmp_path, source)).json("inspection.json")
    (tmp_path / "job").rename(tmp_path / "before")
    monkeypatch.setattr(workspace, "_COPIES", 10**18)  # no file fits in memory
    large = TaskRun(inspect_file, _job(tmp_path, source, memory="1G")).json("inspection.json")
    assert large == in_memory


def test_a_stop_cancels_an_inspection(tmp_path: Path) -> None:
    def stop(context: TaskContext, stage: str) -> None:
        if stage == "histograms":
            context.stop()

    source = written(messy_frame(), tmp_path / "upload.csv")
    with pytest.raises(CancelledError):
        TaskRun(inspect_file, _job(tmp_path, source), on_event=stop)
    assert not (tmp_path / "job" / "inspection.json").exists()


def test_a_file_that_is_read_as_a_whole_is_refused_before_reading_where_it_does_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openpyxl")
    source = tmp_path / "upload.xlsx"
    messy_frame().select("age", "hours").to_pandas().to_excel(source, index=False)
    monkeypatch.setattr(workspace, "_COPIES", 10**18)
    with pytest.raises(ReadError, match="convert it to Parquet"):
        TaskRun(inspect_file, _job(tmp_path, source, memory="1G"))


def test_damaged_file_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "upload.parquet"
    source.write_bytes(b"PAR1 and no more")
    with pytest.raises(ReadError):
        TaskRun(inspect_file, _job(tmp_path, source))


def test_a_column_without_values_has_no_histogram(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [1.5, 2.5, 4.0], "b": [None, None, None]}, schema={"a": pl.Float64, "b": pl.Float64})
    done = TaskRun(inspect_file, _job(tmp_path, written(frame, tmp_path / "upload.parquet")))
    assert set(done.json("inspection.json")["histograms"]) == {"a"}
