"""Ctrl-C releases the best result so far; a kill leaves nothing behind."""

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from command_line import CommandOnTerminal
from microagg.control.left_folders import MARKER

LOSS_SHOWN = "%"  # the progress line shows a loss or a bound
ENDLESS = ["--time-limit", 3600]  # a search goes on as long as there is time


def _write_records(path: Path, n_records: int) -> None:
    columns = {f"c{j}": pl.int_range(n_records, eager=True).hash(seed=j).cast(pl.Float64) for j in range(3)}
    pl.DataFrame(columns).write_csv(path)


def _interrupted(arguments: list[object]) -> str:
    """Press Ctrl-C when the terminal shows a loss, and return what the command printed."""
    with CommandOnTerminal(arguments) as command:
        command.wait_for(LOSS_SHOWN)
        code, out = command.ended(signal.SIGINT)
    assert code == 0
    return out


@pytest.fixture
def constructing(tmp_path: Path) -> Iterator[CommandOnTerminal]:
    """A command that is constructing a partition, which takes a minute."""
    _write_records(tmp_path / "big.csv", 400_000)
    arguments = ["protect", tmp_path / "big.csv", "-k", 3, "-o", tmp_path / "safe.csv", "--method", "mdav"]
    with CommandOnTerminal(arguments) as command:
        command.wait_for("mdav")
        yield command


def test_interrupted_search_writes_the_best_so_far(tmp_path: Path) -> None:
    _write_records(tmp_path / "in.csv", 3000)
    out = _interrupted(["protect", tmp_path / "in.csv", "-k", 3, "-o", tmp_path / "safe.csv", *ENDLESS])
    assert "refining:         cancelled after" in out
    assert "every group has at least 3 records (k reached: 3)" in out
    assert (tmp_path / "safe.csv").exists()


def test_interrupted_bound_prints_what_is_proved(tmp_path: Path) -> None:
    _write_records(tmp_path / "in.csv", 3000)
    arguments = ["bound", tmp_path / "in.csv", "-k", 9, "--method", "mdav", "--format", "json"]
    facts = json.loads(_interrupted(arguments))
    assert facts["bound_ended_by"] == "cancelled"
    assert 0.0 < facts["lower_bound"] < facts["sse"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_leaves_nothing_but_what_can_be_resumed(tmp_path: Path, number: signal.Signals) -> None:
    _write_records(tmp_path / "big.csv", 60_000)
    arguments = ["protect", tmp_path / "big.csv", "-k", 3, "-o", tmp_path / "safe.csv", "--block-size", 2000]
    with CommandOnTerminal(arguments) as command:
        command.wait_for("round 1")
        assert len(list(tmp_path.iterdir())) == 2
        code, _ = command.ended(number)
    released = ["safe.csv"] if number == signal.SIGINT else []
    assert code == (0 if released else 130)
    left = [path for path in tmp_path.iterdir() if path.name not in ("big.csv", *released)]
    assert not left or number == signal.SIGTERM
    assert all({entry.name for entry in folder.iterdir()} == {"checkpoint", MARKER} for folder in left)


def test_kill_leaves_nothing(constructing: CommandOnTerminal, tmp_path: Path) -> None:
    code, _ = constructing.ended(signal.SIGTERM)
    assert code == 130
    assert [path.name for path in tmp_path.iterdir()] == ["big.csv"]


def test_interrupted_constructor_writes_what_it_has(constructing: CommandOnTerminal, tmp_path: Path) -> None:
    code, out = constructing.ended(signal.SIGINT)
    assert code == 0
    assert re.search(r"constructing: +cancelled: \d+% of the records were grouped by the fallback", out)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["big.csv", "safe.csv"]
