"""Ctrl-C releases the best result so far; a kill leaves nothing behind."""

import json
import os
import pty
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from command_line import start
from microagg.control.left_folders import MARKER

LOSS_SHOWN = b"%"  # the progress line shows a loss or a bound
TOO_LONG = 600  # seconds: a command that hangs, and not a machine that is busy


def _write_records(path: Path, n_records: int) -> None:
    columns = {f"c{j}": pl.int_range(n_records, eager=True).hash(seed=j).cast(pl.Float64) for j in range(3)}
    pl.DataFrame(columns).write_csv(path)


def _start_on_terminal(arguments: list[object], awaited: bytes) -> "tuple[subprocess.Popen[bytes], int]":
    """Start a command whose stderr is a terminal, and wait until the terminal shows some bytes."""
    terminal, stderr = pty.openpty()
    process = start(arguments, stdout=subprocess.PIPE, stderr=stderr)
    os.close(stderr)
    shown = b""
    while awaited not in shown:
        shown += os.read(terminal, 4096)
    return process, terminal


def _interrupted(arguments: list[object], awaited: bytes) -> str:
    """Press Ctrl-C when the terminal shows some bytes, and return what the command printed."""
    process, terminal = _start_on_terminal(arguments, awaited)
    process.send_signal(signal.SIGINT)
    out = process.communicate()[0].decode()
    os.close(terminal)
    assert process.returncode == 0
    return out


@pytest.fixture
def constructing(tmp_path: Path) -> "Iterator[subprocess.Popen[bytes]]":
    """A command that is constructing a partition, which takes a minute."""
    _write_records(tmp_path / "big.csv", 400_000)
    process, terminal = _start_on_terminal(
        ["protect", tmp_path / "big.csv", "-k", 3, "-o", tmp_path / "safe.csv", "--method", "mdav"], b"mdav"
    )
    yield process
    process.kill()
    process.communicate()
    os.close(terminal)


def test_interrupted_search_writes_the_best_so_far(tmp_path: Path) -> None:
    _write_records(tmp_path / "in.csv", 3000)
    arguments = ["protect", tmp_path / "in.csv", "-k", 3, "-o", tmp_path / "safe.csv", "--effort", "thorough"]
    out = _interrupted(arguments, LOSS_SHOWN)
    assert "ended by cancelled" in out
    assert "every group has at least 3 records (k reached: 3)" in out
    assert (tmp_path / "safe.csv").exists()


def test_interrupted_bound_prints_what_is_proved(tmp_path: Path) -> None:
    _write_records(tmp_path / "in.csv", 3000)
    arguments = ["bound", tmp_path / "in.csv", "-k", 9, "--method", "mdav", "--format", "json"]
    facts = json.loads(_interrupted(arguments, LOSS_SHOWN))
    assert facts["bound_ended_by"] == "cancelled"
    assert 0.0 < facts["lower_bound"] < facts["sse"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_leaves_nothing_but_what_can_be_resumed(tmp_path: Path, number: signal.Signals) -> None:
    _write_records(tmp_path / "big.csv", 60_000)
    arguments = ["protect", tmp_path / "big.csv", "-k", 3, "-o", tmp_path / "safe.csv", "--block-size", 2000]
    process, terminal = _start_on_terminal(arguments, b"round 1")
    assert len(list(tmp_path.iterdir())) == 2
    process.send_signal(number)
    process.communicate(timeout=TOO_LONG)
    os.close(terminal)
    released = ["safe.csv"] if number == signal.SIGINT else []
    assert process.returncode == (0 if released else 130)
    left = [path for path in tmp_path.iterdir() if path.name not in ("big.csv", *released)]
    assert not left or number == signal.SIGTERM
    assert all({entry.name for entry in folder.iterdir()} == {"checkpoint", MARKER} for folder in left)


def test_kill_leaves_nothing(constructing: "subprocess.Popen[bytes]", tmp_path: Path) -> None:
    constructing.send_signal(signal.SIGTERM)
    assert constructing.wait(timeout=TOO_LONG) == 130
    assert [path.name for path in tmp_path.iterdir()] == ["big.csv"]


def test_interrupted_constructor_writes_what_it_has(constructing: "subprocess.Popen[bytes]", tmp_path: Path) -> None:
    constructing.send_signal(signal.SIGINT)
    out = constructing.communicate(timeout=TOO_LONG)[0].decode()
    assert constructing.returncode == 0
    assert re.search(r"ended by cancelled: \d+% of the records were grouped by the fallback", out)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["big.csv", "safe.csv"]
