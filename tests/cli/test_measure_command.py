"""All measures on the command line."""

import json
from pathlib import Path

import pytest

from command_line import RunCommand
from measured_tables import AMOUNTS, group_means, labour_force


@pytest.fixture
def files(tmp_path: Path) -> Path:
    survey = labour_force(40)
    survey.write_csv(tmp_path / "before.csv")
    group_means(survey).write_csv(tmp_path / "after.csv")
    return tmp_path


def test_all_measures(run: RunCommand, files: Path) -> None:
    formulas = ["--regression", "income ~ age + sex", "--regression", "debts ~ income"]
    others = ["-k", "3", "--domains", "region,sex", "--sampling-fraction", "0.1", "--nominal", "sex"]
    columns = ["--columns", ",".join(AMOUNTS)]
    done = run("measure", "before.csv", "after.csv", "--all", *formulas, *others, *columns, "--format", "json")
    assert (done.code, done.err) == (0, "")
    known = json.loads(done.out)
    assert known["facts"] == "assessment"
    assert [one["formula"] for one in known["regressions"]] == ["income ~ age + sex", "debts ~ income"]
    assert [one["name"] for one in known["regressions"][0]["coefficients"]] == ["(intercept)", "age", "sex=2"]
    assert len(known["domains"]) == 3 * 6
    figures = {one["name"]: one["value"] for one in known["figures"]}
    assert figures["reidentification_journalist"] is not None


@pytest.mark.parametrize(
    ("option", "typed"),
    [
        (["-k", "3"], "-k"),
        (["--regression", "y ~ x"], "--regression"),
        (["--domains", "region"], "--domains"),
        (["--sampling-fraction", "0.5"], "--sampling-fraction"),
    ],
)
def test_options_of_all_measures_need_all(run: RunCommand, files: Path, option: list[str], typed: str) -> None:
    done = run("measure", "before.csv", "after.csv", *option)
    assert (done.code, done.out) == (2, "")
    assert f"{typed} is for --all, which is not given: add it" in done.err


def test_errors_are_one_sentence(run: RunCommand, files: Path) -> None:
    done = run("measure", "before.csv", "after.csv", "--all", "--regression", "income + age")
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "the regression 'income + age' cannot be read" in done.err


def test_releases_are_measured_while_they_are_made(run: RunCommand, files: Path) -> None:
    command = ["protect", "before.csv", "-k", "3", "--columns", "income,assets", "--method", "mdav", "-o", "safe.csv"]
    command += ["--weight", "weight"]
    done = run(*command, "--measures", "all", "--format", "json")
    assert done.code == 0
    assert json.loads(done.out)["assessment"]["figures"]
    short = run(*command, "--force", "--format", "json")
    assert json.loads(short.out)["assessment"] is None
    wrong = run(*command, "--force", "--measures", "some")
    assert wrong.code == 2
    assert "invalid choice: 'some'" in wrong.err


def test_time_of_measures_is_not_estimated(run: RunCommand, files: Path) -> None:
    done = run("protect", "before.csv", "-k", "3", "--columns", "income", "--estimate", "--measures", "all")
    assert done.code == 2
    assert "--estimate does not know how long --measures takes" in done.err
