"""The whole way in a real browser: from the example to files at home, which the command line makes anew."""

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from microagg import Plan
from microagg.app.example_tables import write_example
from web_walk import QUICK_PLAN, WebWalk

Enter = Any


@pytest.fixture
def walk(enter: Enter) -> WebWalk:
    """Return a visitor that has opened the example survey."""
    walk: WebWalk = enter()
    walk.open_example()
    return walk


def plan_text(walk: WebWalk) -> str:
    return str(walk.page.locator("#plan-text").input_value())


def test_the_inspection_names_every_column(walk: WebWalk) -> None:
    walk.heading("What is in the file")
    names = walk.page.locator("tr[data-name]").evaluate_all("rows => rows.map(row => row.dataset.name)")
    assert names == ["person_id", "region", "sex", "age", "education", "hours", "income", "rent", "weight"]
    walk.page.get_by_placeholder("Filter by name").fill("e")
    shown = walk.page.locator("tr[data-name]:visible").evaluate_all("rows => rows.map(row => row.dataset.name)")
    assert shown == [name for name in names if "e" in name]


def test_form_and_plan_follow_each_other(walk: WebWalk) -> None:
    walk.press("Go on to the settings")
    walk.heading("Roles and settings")
    walk.choose("Role of region", "stratum")
    assert Plan.from_toml(plan_text(walk)).roles.strata == ("region",)
    assert walk.page.locator("legend").first.inner_text() == "Groups", "one set of all that others may know"
    with walk.page.expect_response("**/plan/form"):
        walk.page.locator("#k-1").fill("7")
    walk.await_agreement()
    assert Plan.from_toml(plan_text(walk)).sets[0].k == 7

    walk.write_plan(QUICK_PLAN.replace("k = 5", "k = 4"))
    assert walk.page.locator("#k-1").input_value() == "4"
    assert walk.page.get_by_label("Role of age", exact=True).input_value() == "protect"
    assert walk.page.get_by_label("Role of rent", exact=True).input_value() == "as-it-came"
    walk.page.reload()
    assert plan_text(walk) == QUICK_PLAN.replace("k = 5", "k = 4"), "the plan is kept by the server"


def test_a_text_that_is_no_plan_is_told_and_never_run(enter: Enter) -> None:
    walk = enter(expected=("status of 422",))
    walk.open_example()
    walk.set_plan(QUICK_PLAN)
    walk.page.locator("#plan-text").fill(QUICK_PLAN.replace("columns", "colums"))
    problem = walk.page.locator("#plan-problem")
    problem.filter(has_text="colums").wait_for()
    assert walk.page.locator("#k-1").input_value() == "5", "the form stays as it was"
    walk.press("Go on to the estimate")
    walk.page.locator("#message", has_text="colums").wait_for()
    walk.go("/estimate")
    assert walk.page.url.endswith("/settings")
    assert "colums" in problem.inner_text()


def test_the_way_to_the_files_at_home(walk: WebWalk, tmp_path: Path) -> None:
    walk.set_plan(QUICK_PLAN)
    walk.estimate()
    words = walk.page.locator(".plan-words").inner_text()
    assert "“age”, “hours” and “income” are protected" in words
    assert walk.run() == 1
    walk.await_report()
    walk.page.get_by_text("VERIFIED ON THE PROTECTED COLUMNS ONLY", exact=True).first.wait_for()
    assert walk.run_plan(QUICK_PLAN.replace("k = 5", "k = 10")) == 2

    walk.press("Compare runs")
    walk.heading("Compare runs")
    assert walk.page.locator("tbody tr").count() == 2
    picked = walk.page.locator("tr.picked")
    walk.press("Pick run 2")
    picked.filter(has_text="Run 2").wait_for()
    walk.press("Pick run 1")
    picked.filter(has_text="Run 1").wait_for()
    walk.press("Discard run 2")
    walk.page.get_by_text("This is the only run so far").wait_for()
    walk.press("Undo")
    walk.page.get_by_role("link", name="Run 2").wait_for()
    walk.press("Undo")
    picked.filter(has_text="Run 2").wait_for()
    walk.press("Open the plan of run 1")
    walk.heading("Roles and settings")
    assert plan_text(walk) == QUICK_PLAN

    walk.go("/compare")
    walk.press("Take home run 2")
    taken = downloaded(walk, tmp_path / "taken")
    assert sorted(taken) == [
        "command.txt",
        "release.toml",
        "report.html",
        "report_public.html",
        "safe.csv",
        "script.py",
    ]
    assert Plan.from_toml(taken["release.toml"].read_text()).sets[0].k == 10
    is_made_again(taken, tmp_path / "by-command", shlex.split(taken["command.txt"].read_text()))
    is_made_again(taken, tmp_path / "by-script", [sys.executable, "script.py"])


def downloaded(walk: WebWalk, folder: Path) -> dict[str, Path]:
    """Press every button that downloads a file, and return the files by their names."""
    walk.heading("take home")
    assert not walk.page.get_by_role("link", name="Download the released file").is_visible()
    walk.confirm_warnings()
    files = {}
    for link in walk.page.locator("a[download]").all():
        with walk.page.expect_download() as begun:
            link.click()
        path = folder / begun.value.suggested_filename
        begun.value.save_as(path)
        files[path.name] = path
    return files


def is_made_again(taken: dict[str, Path], folder: Path, command: list[str]) -> None:
    """Check that a command gives the very bytes of the release, from the original and the files taken home."""
    folder.mkdir()
    write_example("survey", folder)
    for name in ("release.toml", "script.py"):
        (folder / name).write_bytes(taken[name].read_bytes())
    if command[0] == "microagg":
        command = [sys.executable, "-m", *command]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    assert (folder / "safe.csv").read_bytes() == taken["safe.csv"].read_bytes()


def test_a_file_is_uploaded_by_the_chooser(enter: Enter, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age,income\n" + "".join(f"{20 + n % 50},{n * n % 997}\n" for n in range(200)))
    walk = enter()
    with walk.page.expect_file_chooser() as asked:
        walk.press("Choose a file")
    asked.value.set_files(path)
    walk.await_inspection()
    assert walk.page.locator(".open-file").inner_text().endswith("people.csv")


def test_a_file_is_opened_by_its_path_and_by_folders(enter: Enter, tmp_path: Path) -> None:
    folder = tmp_path / "surveys"
    folder.mkdir()
    (folder / "people.csv").write_text("age,income\n" + "".join(f"{20 + n % 50},{n * n % 997}\n" for n in range(200)))
    walk = enter(expected=("status of 404",))
    walk.page.get_by_label("Path of the file").fill(str(tmp_path / "missing.csv"))
    walk.press("Open")
    walk.page.locator("#message p").wait_for()
    walk.page.get_by_label("Path of the file").fill(str(folder / "people.csv"))
    walk.press("Open")
    walk.await_inspection()
    assert walk.page.locator(".open-file").inner_text().endswith("people.csv")


def test_back_and_forward_lead_through_the_steps(walk: WebWalk) -> None:
    walk.press("Go on to the settings")
    walk.heading("Roles and settings")
    walk.write_plan(QUICK_PLAN)
    walk.estimate()
    walk.page.go_back()
    walk.heading("Roles and settings")
    assert plan_text(walk) == QUICK_PLAN
    walk.page.go_back()
    walk.heading("What is in the file")
    walk.page.go_forward()
    walk.page.go_forward()
    walk.heading("Before the run")
    walk.go("/")
    walk.heading("Before the run")


def test_a_session_that_is_ended_is_gone(walk: WebWalk) -> None:
    walk.page.on("dialog", lambda dialog: dialog.accept())
    walk.press("End session")
    walk.heading("The session is over")
    answer = walk.page.request.get(walk.root + "/inspect")
    assert answer.status == 403
    assert json.dumps("survey.csv") not in answer.text()
