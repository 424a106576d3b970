from pathlib import Path

import pytest

from microagg import InputError, protect_file
from microagg.app.job import Job
from microagg.app.job_tasks.verify_task import verify_release
from task_runs import PLAIN_PLAN, TaskRun, job_folder, plain_frame, written


def _files(tmp_path: Path) -> dict[str, str]:
    original = written(plain_frame(), tmp_path / "people.csv")
    released = tmp_path / "safe.csv"
    plan = tmp_path / "release.toml"
    plan.write_text(PLAIN_PLAN)
    from microagg import Plan

    protect_file(original, released, plan=Plan.from_toml(plan))
    return {"original": str(original), "released": str(released)}


def _verified(tmp_path: Path, **options: object) -> TaskRun:
    return TaskRun(verify_release, Job("verify", job_folder(tmp_path), options))


def test_a_release_passes_by_its_plan(tmp_path: Path) -> None:
    done = _verified(tmp_path, **_files(tmp_path), plan=PLAIN_PLAN, plan_name="my plan.toml")
    facts = done.json("verification.json")
    assert facts["passed"] is True
    assert [(one["role"], one["file"]) for one in facts["provenance"]["files"]] == [
        ("original", "people.csv"),
        ("release", "safe.csv"),
        ("plan", "my plan.toml"),
    ]
    assert "PASS" in (done.folder / "verification.html").read_text()


@pytest.mark.parametrize(("k", "passed"), [(4, True), (9, False)])
def test_a_release_alone_is_verified_by_k_and_columns(tmp_path: Path, k: int, passed: bool) -> None:
    files = _files(tmp_path)
    columns = ["x0", "x1", "x2"]
    done = _verified(tmp_path, released=files["released"], k=k, columns=columns, released_name="theirs.csv")
    facts = done.json("verification.json")
    assert facts["passed"] is passed
    assert facts["provenance"]["command"] == (
        f"microagg verify theirs.csv -k {k} --columns x0 --columns x1 --columns x2"
    )


def test_k_or_columns_must_be_named(tmp_path: Path) -> None:
    files = _files(tmp_path)
    with pytest.raises(InputError, match="columns"):
        _verified(tmp_path, released=files["released"], k=4)


def test_a_plan_excludes_k_and_columns(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="both given"):
        _verified(tmp_path, **_files(tmp_path), plan=PLAIN_PLAN, k=4, columns=["x0"])
