"""Commands and code of pages, and how to run them as they stand."""

import contextlib
import re
import runpy
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from command_line import run_here

ROOT = Path(__file__).parents[1]


class Command(NamedTuple):
    """Command of a page, and the lines that it shows."""

    words: list[str]
    shown: list[str]


def commands_in(text: str) -> Iterator[Command]:
    """Iterate over the commands in the console blocks of a page, except those that change the folder."""
    for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for command in block.removeprefix("$ ").split("\n$ "):
            line, *shown = command.splitlines()
            if not line.startswith("cd "):
                yield Command(shlex.split(line), [one for one in shown if one.strip() not in ("", "…")])


def run_command(words: list[str]) -> object:
    """Run a command in this process, and return its exit code."""
    program, *arguments = words
    if program == "python":
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", arguments)
            runpy.run_path(arguments[0], run_name="__main__")
        return 0
    assert program == "microagg"
    return run_here(arguments)


def run_code(text: str) -> None:
    """Run the Python blocks of a page, one after another, without what they print."""
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    with contextlib.redirect_stdout(None):
        exec(compile("\n".join(blocks), "page", "exec"), {"__name__": "page"})


def make_survey(n_persons: int, output: Path) -> None:
    """Make the survey of the demo."""
    program = str(ROOT / "examples" / "survey" / "make_survey.py")
    run_command(["python", program, "--records", str(n_persons), "--output", str(output)])
