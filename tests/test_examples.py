"""The walk-throughs of examples/ are true: each of their commands runs, and prints what they show."""

import re
import runpy
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from command_line import run_here

EXAMPLES = Path(__file__).parents[1] / "examples"
RECORDS = {"survey": 600, "business": 1500}  # fewer than in the walk-through, for speed


class Command(NamedTuple):
    """Command of a walk-through, and the lines that it shows."""

    words: list[str]
    shown: list[str]


def _commands(example: str) -> Iterator[Command]:
    """Iterate over the commands in the blocks of a walk-through, except those that go to its folder."""
    text = (EXAMPLES / example / "README.md").read_text(encoding="utf-8")
    for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for command in block.removeprefix("$ ").split("\n$ "):
            line, *shown = command.splitlines()
            if not line.startswith("cd "):
                yield Command(shlex.split(line), [one for one in shown if one.strip() not in ("", "…")])


def _run(words: list[str]) -> object:
    """Run a command in this process, and return its exit code."""
    program, *arguments = words
    if program == "python":
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", arguments)
            runpy.run_path(arguments[0], run_name="__main__")
        return 0
    assert program == "microagg"
    return run_here(arguments)


def _label(line: str) -> str:
    """Return the first words of a line, which are the same whatever the data are."""
    return re.split(r":|  |\d|…", line.strip(" *"))[0].strip()


@pytest.mark.parametrize("example", RECORDS)
def test_walk_through(
    example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / example
    shutil.copytree(EXAMPLES / example, folder, ignore=shutil.ignore_patterns("*.csv", "*.json"))
    monkeypatch.chdir(folder)
    programs = []
    for words, shown in _commands(example):
        if words[0] == "python":
            words += ["--records", str(RECORDS[example])]
        assert _run(words) == 0, capsys.readouterr().err
        printed = capsys.readouterr()
        for line in shown:
            assert _label(line) in printed.out + printed.err, line
        programs.append(words[1])
    assert programs[:4] == [f"make_{example}.py", "inspect", "protect", "verify"]


@pytest.mark.parametrize("example", RECORDS)
def test_generator_makes_the_same_file_each_time(example: str, tmp_path: Path) -> None:
    made = []
    for name in ("a.csv", "b.csv"):
        words = ["python", str(EXAMPLES / example / f"make_{example}.py")]
        assert _run([*words, "--records", "300", "--output", str(tmp_path / name)]) == 0
        made.append((tmp_path / name).read_bytes())
    assert made[0] == made[1]
    assert made[0].count(b"\n") == 301


@pytest.mark.parametrize("example", RECORDS)
def test_data_of_examples_are_not_committed(example: str) -> None:
    assert "/examples/*/*.csv" in (EXAMPLES.parent / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {path.suffix for path in (EXAMPLES / example).iterdir()} <= {".py", ".toml", ".md", ".csv", ".json"}
