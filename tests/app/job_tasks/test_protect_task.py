import json
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from command_line import run_here
from microagg import Plan, VerificationError, verify, workspace
from microagg.app.job import Job
from microagg.app.job_tasks import protect_task
from microagg.app.job_tasks.protect_task import protect_file
from microagg.app.job_tasks.task_context import TaskContext
from microagg.app.taken_files import taken_files
from task_runs import MESSY_PLAN, PLAIN_PLAN, TaskRun, job_folder, messy_frame, plain_frame, written

RESULTS = ["release.json", "release.toml", "command.txt", "script.py", "history.json"]
REPORTS = ["document.json", "report.html", "report_public.html"]


def _run(tmp_path: Path, source: Path, plan: str, **options: Any) -> TaskRun:
    folder = job_folder(tmp_path)
    job = Job("protect", folder, {"source": str(source), "name": source.name, "plan": plan})
    return TaskRun(protect_file, job, **options)


def _by_command(folder: Path, taken: Path, output: str, *, here: bool) -> bytes:
    """Run the command that is taken home, beside the original and the plan, and return what it writes.

    The command runs here, or in a process of its own, as at home: that takes a second more.
    """
    (folder / "release.toml").write_bytes((taken / "release.toml").read_bytes())
    command = (taken / "command.txt").read_text().split()
    assert command[0] == "microagg"
    if here:
        with chdir(folder):
            assert run_here([*command[1:], "--quiet"]) == 0
    else:
        subprocess.run([sys.executable, "-m", *command, "--quiet"], cwd=folder, check=True)
    return (folder / output).read_bytes()


@pytest.mark.parametrize(
    ("frame", "name", "plan", "here"),
    [
        (plain_frame(), "people.csv", PLAIN_PLAN, True),
        (plain_frame(), "people.parquet", PLAIN_PLAN, True),
        (messy_frame(), "survey.csv", MESSY_PLAN, False),
        (messy_frame(), "survey.parquet", MESSY_PLAN, True),
        (plain_frame(), "people.csv", PLAIN_PLAN.replace("random_state = 7\n", ""), False),
    ],
    ids=["csv", "parquet", "messy csv", "messy parquet", "fresh random state"],
)
def test_the_command_and_the_plan_taken_home_give_the_same_bytes(
    tmp_path: Path, frame: pl.DataFrame, name: str, plan: str, here: bool
) -> None:
    source = written(frame, tmp_path / name)
    done = _run(tmp_path, source, plan)
    assert [event.state for event in done.events if event.state != "working"][-1] == "done"
    output = done.json("release.json")["file"]
    assert output == f"safe{source.suffix}"
    released = (done.folder / output).read_bytes()
    assert _by_command(tmp_path, done.folder, output, here=here) == released
    assert all((done.folder / result).exists() for result in (*RESULTS, *REPORTS))


def test_the_script_taken_home_gives_the_same_bytes(tmp_path: Path) -> None:
    source = written(plain_frame(), tmp_path / 'it\'s "mine".csv')
    done = _run(tmp_path, source, PLAIN_PLAN)
    (tmp_path / "release.toml").write_bytes((done.folder / "release.toml").read_bytes())
    subprocess.run([sys.executable, str(done.folder / "script.py")], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "safe.csv").read_bytes() == (done.folder / "safe.csv").read_bytes()


def test_a_release_comes_before_its_assessment(tmp_path: Path) -> None:
    source = written(plain_frame(), tmp_path / "people.csv")
    at_release: list[list[str]] = []

    def look(context: TaskContext, stage: str) -> None:
        if context.state == "released" and not at_release:
            at_release.append(sorted(path.name for path in context.folder.iterdir()))

    done = _run(tmp_path, source, PLAIN_PLAN, on_event=look)
    assert {*RESULTS, "safe.csv"} <= set(at_release[0])
    assert not set(REPORTS) & set(at_release[0])
    document = done.json("document.json")
    assert document["verification"]["passed"] is True
    assert document["assessment"] is not None
    facts = done.json("release.json")["facts"]
    assert facts["input"]["file"] == document["input"]["file"] == "people.csv"
    assert facts["sets"][0]["reproducible"] is True


@pytest.fixture
def every_report_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold no report back: how many there are does not depend on the speed of the machine."""
    monkeypatch.setattr("microagg.control.progress.MIN_REPORT_INTERVAL", 0.0)
    monkeypatch.setattr("microagg.app.event_writer._SECONDS_BETWEEN", 0.0)


@pytest.mark.usefixtures("every_report_is_told")
def test_losses_are_told_as_numbers_and_fall_within_a_stage(tmp_path: Path) -> None:
    source = written(plain_frame(), tmp_path / "people.csv")
    done = _run(tmp_path, source, PLAIN_PLAN)
    told = [event for event in done.events if event.stage == "search" and event.loss is not None]
    assert len(told) > 2
    assert [event.loss for event in told] == sorted((event.loss or 0.0 for event in told), reverse=True)
    history = done.json("history.json")
    assert history[-1]["loss"] == done.json("release.json")["facts"]["sets"][0]["information_loss"]
    assert [one["elapsed"] for one in history] == sorted(one["elapsed"] for one in history)
    assert done.last.loss == history[-1]["loss"]


@pytest.mark.usefixtures("every_report_is_told")
def test_a_bound_is_told_while_it_is_proved_and_never_above_the_loss(tmp_path: Path) -> None:
    source = written(plain_frame(60), tmp_path / "people.csv")
    done = _run(tmp_path, source, f"{PLAIN_PLAN}bound = true\n")
    proved = [one for one in done.json("history.json") if one["bound"] is not None]
    assert proved
    assert all(one["bound"] <= one["loss"] * (1 + 1e-9) for one in proved)


@pytest.mark.usefixtures("every_report_is_told")
def test_strata_tell_the_loss_of_the_records_that_are_grouped_so_far(tmp_path: Path) -> None:
    frame = pl.concat([plain_frame().with_columns(part=pl.lit(part)) for part in ("a", "b")])
    source = written(frame, tmp_path / "people.csv")
    done = _run(tmp_path, source, f'{PLAIN_PLAN}strata = ["part"]\n')
    told = [event.loss for event in done.events if event.state == "working" and event.loss is not None]
    assert told
    assert done.last.loss == pytest.approx(told[-1])


def test_a_stop_releases_the_best_so_far_which_is_verified(tmp_path: Path) -> None:
    source = written(plain_frame(3000), tmp_path / "people.csv")
    stopped: list[str] = []

    def stop(context: TaskContext, stage: str) -> None:
        if stage == "search" and not stopped:
            stopped.append(stage)
            context.stop()

    done = _run(tmp_path, source, PLAIN_PLAN.replace("quick", "thorough"), on_event=stop)
    assert stopped
    assert done.last.state == "done"
    assert "stopped" in done.last.sentence
    facts = done.json("release.json")["facts"]
    assert facts["sets"][0]["ended_by"] == "cancelled"
    assert facts["sets"][0]["reproducible"] is False
    plan = Plan.from_toml(done.folder / "release.toml")
    assert verify(source, done.folder / "safe.csv", plan=plan).passed
    assert done.json("document.json")["assessment"] is not None


def test_a_stop_after_the_release_gives_the_assessment_up_and_makes_the_reports(tmp_path: Path) -> None:
    source = written(plain_frame(), tmp_path / "people.csv")
    stopped: list[str] = []

    def stop(context: TaskContext, stage: str) -> None:
        if context.state == "released" and stage == "distributions" and not stopped:
            stopped.append(stage)
            context.stop()

    done = _run(tmp_path, source, PLAIN_PLAN, on_event=stop)
    assert stopped
    assert done.last.state == "done"
    assert "not assessed" in done.last.sentence
    assert done.json("document.json")["assessment"] is None
    assert "<!DOCTYPE html>" in (done.folder / "report_public.html").read_text()


def _refuse(*_: object) -> None:
    raise VerificationError("the file that was written fails a check: nothing is released")


def test_a_file_is_not_given_away_before_it_is_checked(tmp_path: Path) -> None:
    given: dict[str, bool] = {}

    def look(context: TaskContext, stage: str) -> None:
        if context.state == "released":
            given[stage] = "safe.csv" in [one.name for one in taken_files(context.folder, "safe.csv")]

    done = _run(tmp_path, written(plain_frame(), tmp_path / "people.csv"), PLAIN_PLAN, on_event=look)
    assert next(iter(given.items())) == ("verify", False)
    assert given["report"]
    assert done.json("checks.json")["passed"] is True


def test_a_file_that_could_not_be_checked_is_not_given_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError("the secret value 17")

    monkeypatch.setattr(protect_task, "release_checks", fail)
    done = _run(tmp_path, written(plain_frame(), tmp_path / "people.csv"), PLAIN_PLAN)
    assert "could not be checked (MemoryError)" in done.last.sentence
    assert "safe.csv" not in [one.name for one in taken_files(done.folder, "safe.csv")]


@pytest.mark.parametrize("name", ["release_checks", "document_facts", "AssessmentThread"])
def test_a_release_that_fails_a_check_is_withdrawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(protect_task, name, _refuse)
    source = written(plain_frame(), tmp_path / "people.csv")
    with pytest.raises(VerificationError, match="The release is withdrawn: delete what was downloaded"):
        _run(tmp_path, source, PLAIN_PLAN)
    left = {path.name for path in (tmp_path / "job").iterdir()}
    assert not left & {"safe.csv", "release.json", "checks.json", *REPORTS}


def test_reports_that_cannot_be_made_leave_the_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the secret value 17")

    monkeypatch.setattr(protect_task, "document_facts", fail)
    done = _run(tmp_path, written(plain_frame(), tmp_path / "people.csv"), PLAIN_PLAN)
    assert done.last.state == "done"
    assert "reports could not be made" in done.last.sentence
    assert "secret" not in done.last.sentence
    assert (done.folder / "safe.csv").exists()


def test_hostile_names_come_through(tmp_path: Path) -> None:
    hostile = '<script>alert("x")</script>\u2028, "; drop'
    frame = plain_frame().rename({"x0": hostile})
    source = written(frame, tmp_path / "'; rm -rf $(x) <b>.csv")
    plan = PLAIN_PLAN.replace('"x0"', json.dumps(hostile))
    done = _run(tmp_path, source, plan)
    assert done.json("release.json")["facts"]["columns"][0] == hostile
    assert done.json("document.json")["input"]["file"] == source.name
    assert "<script>" not in (done.folder / "report.html").read_text()


def test_a_file_of_unknown_ending_is_released_as_text(tmp_path: Path) -> None:
    source = written(plain_frame(), tmp_path / "people.dat")
    done = _run(tmp_path, source, PLAIN_PLAN)
    assert done.json("release.json")["file"] == "safe.csv"


def test_out_of_core_gives_the_same_bytes_and_the_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = written(messy_frame(), tmp_path / "survey.csv")
    in_memory = (_run(tmp_path, source, MESSY_PLAN).folder / "safe.csv").read_bytes()
    (tmp_path / "job").rename(tmp_path / "before")
    monkeypatch.setattr(workspace, "_COPIES", 10**18)  # no file fits in memory
    large = _run(tmp_path, source, MESSY_PLAN)
    assert (large.folder / "safe.csv").read_bytes() == in_memory
    assert large.json("document.json")["verification"]["passed"] is True
    assert {path.name for path in large.folder.iterdir()} == {*RESULTS, *REPORTS, "checks.json", "safe.csv"}
