"""An estimate is printed in place of a run, and before one that takes longer than a minute."""

import json
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from command_line import RunCommand
from microagg.calibrate import MachineSpeed

MODULE = sys.modules["microagg.estimate"]


@pytest.fixture(autouse=True)
def _known_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "machine_speed", MachineSpeed)


@pytest.fixture(name="source")
def _source(tmp_path: Path) -> Path:
    X = np.random.default_rng(0).normal(size=(6000, 2)).round(6)
    pl.DataFrame({"x": X[:, 0], "y": X[:, 1]}).write_csv(tmp_path / "in.csv")
    return tmp_path / "in.csv"


def test_an_estimate_writes_nothing(run: RunCommand, source: Path) -> None:
    printed = run("protect", source, "-k", 5, "--method", "mdav", "--estimate", "-o", "safe.csv")
    assert printed.code == 0
    assert printed.out.splitlines()[:2] == ["records:          6 000", "time:             less than a second"]
    assert list(source.parent.iterdir()) == [source]


def test_an_estimate_needs_no_output(run: RunCommand, source: Path) -> None:
    printed = run("protect", source, "-k", 5, "--columns", "x,y", "--estimate", "--format", "json")
    assert printed.code == 0
    assert json.loads(printed.out)["n_records"] == 6000


def test_a_plan_is_estimated_as_it_would_be_carried_out(run: RunCommand, source: Path) -> None:
    plan = source.with_name("plan.toml")
    plan.write_text('k = 5\nmethod = "exact"\n')
    printed = run("protect", source, "--plan", plan, "--estimate")
    assert "time:             unknown" in printed.out
    assert "'exact'" in printed.out


def test_what_is_wrong_is_told(run: RunCommand, source: Path) -> None:
    for words, expected in (
        (("nothing.csv", "-k", 5), "cannot read nothing.csv"),
        ((source, "-k", 5, "--columns", "z"), "'z'"),
        (("-", "-k", 5), "standard input"),
        ((source, "-k", 6001), "k = 6001 is more than the 6000 records"),
        ((source, "-k", 5, "-o", source), "is the input itself"),
        ((source, "-k", 5, "-o", source.parent / "none" / "safe.csv"), "none"),
        ((source, "-k", 5, "--report", source.with_suffix(".xyz")), ".xyz"),
    ):
        printed = run("protect", *words, "--estimate")
        assert printed.code == 2
        assert expected in printed.err


def test_a_run_needs_an_output(run: RunCommand, source: Path) -> None:
    printed = run("protect", source, "-k", 5)
    assert printed.code == 2
    assert printed.err == ("error: the following arguments are required: -o/--output (see microagg protect --help)\n")


@pytest.mark.parametrize(("slowness", "announced"), [(1.0, False), (1e5, True)])
def test_a_long_run_is_announced(
    run: RunCommand, source: Path, monkeypatch: pytest.MonkeyPatch, slowness: float, announced: bool
) -> None:
    monkeypatch.setattr(MODULE, "_SECONDS_NOT_CALIBRATED", 0.0)
    monkeypatch.setattr(MODULE, "machine_speed", lambda: MachineSpeed(slowness, slowness, slowness))
    printed = run("protect", source, "-k", 5, "-o", "safe.csv", "--method", "mdav")
    assert printed.code == 0
    assert ("; Ctrl-C ends it, and --resume goes on if it is killed\n" in printed.err) == announced
    quiet = run("protect", source, "-k", 5, "-o", "safe.csv", "--method", "mdav", "--quiet", "--force")
    assert quiet.err == ""
