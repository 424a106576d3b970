"""The memory budget of the command line: files that do not fit in it give what others give."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from command_line import RunCommand
from microagg import workspace


def _write_people() -> None:
    rng = np.random.default_rng(1)
    columns = {"income": rng.normal(size=60).round(2), "age": rng.integers(18, 80, 60), "town": ["Ulm", "Bonn"] * 30}
    pl.DataFrame(columns).write_csv("people.csv")


def test_commands_out_of_core(run: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    _write_people()
    protect = ("protect", "people.csv", "-k", 3, "--columns", "income,age", "--strata", "town", "--method", "mdav")
    files = ("people.csv", "in.csv", "--plan", "plan.toml")
    commands = (("verify", *files), ("measure", *files), ("inspect", "people.csv"))
    assert run(*protect, "-o", "in.csv", "--save-plan", "plan.toml").code == 0
    expected = [run(*command).out for command in commands]
    monkeypatch.setattr(workspace, "_COPIES", 10**18)
    code, _, err = run(*protect, "-o", "out.csv", "--memory", "400M")
    assert (code, "out of core: what is made of people.csv may take more than the memory given" in err) == (0, True)
    assert Path("in.csv").read_bytes() == Path("out.csv").read_bytes()
    for command, printed in zip(commands, expected, strict=True):
        assert run(*command, "--memory", "400M")[:2] == (0, printed)
    assert {path.name for path in Path().iterdir()} == {"people.csv", "in.csv", "out.csv", "plan.toml"}


@pytest.mark.parametrize("size", ["2X", "1M", "lots"])
def test_impossible_budgets(size: str, run: RunCommand) -> None:
    _write_people()
    code, _, err = run("inspect", "people.csv", "--memory", size)
    assert (code, "--memory: must be" in err) == (2, True)
