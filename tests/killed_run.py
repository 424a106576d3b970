"""Run of `protect_file` in a process of its own, out of core, that kills itself at a given moment.

Usage: python killed_run.py SOURCE TARGET MOMENT, where MOMENT is one of `MOMENTS`, "never" or "the input vanishes". A
constructor that works block by block, with a checkpoint after each, prints a line for each block that it had to solve.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import patch

import numpy as np

from microagg import Plan, Run, protect_file, workspace
from microagg.construct import CONSTRUCTORS
from microagg.control.checkpoint import FolderCheckpoint
from microagg.control.mapped_arrays import MappedArrays
from microagg.model.partition import Partition
from microagg.model.problem import Problem

N_BLOCKS = 4
SOLVED = "solved: "


@dataclass(frozen=True)
class BlockByBlock:
    """Groups of neighbours in the first coordinate, block by block."""

    reference: ClassVar[str] = "test"

    def __call__(self, problem: Problem, rng: np.random.Generator, run: Run) -> Partition:
        """Make the partition; a random number in it shows that the random state is kept, too."""
        shift = int(rng.integers(0, problem.k))
        order = np.roll(np.argsort(problem.X[:, 0], kind="stable"), shift)
        labels = np.empty(problem.n, dtype=np.int64)
        n_groups = problem.n // problem.k // N_BLOCKS
        for number, records in enumerate(np.array_split(order, N_BLOCKS)):
            stored = run.checkpoint.load(f"block{number}")
            if stored is None:
                print(f"{SOLVED}{number}", flush=True)
                stored = {"labels": np.arange(len(records)) * n_groups // len(records) + number * n_groups}
                run.checkpoint.store(f"block{number}", stored)
            labels[records] = stored["labels"]
        return Partition(problem, labels)


def _die(*_: object, **__: object) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def _die_at(owner: Any, name: str, *, call: int, after: bool) -> None:
    """Let a process die before or after some call of a method."""
    original: Callable[..., Any] = getattr(owner, name)
    n_calls = 0

    def counted(*arguments: Any, **keywords: Any) -> Any:
        nonlocal n_calls
        n_calls += 1
        if n_calls == call and not after:
            _die()
        result = original(*arguments, **keywords)
        if n_calls == call and after:
            _die()
        return result

    setattr(owner, name, counted)


_WRITING = sys.modules["microagg.write"]


def _before(function: Callable[..., Any], first: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that does something else before it."""

    def both(*arguments: Any, **keywords: Any) -> Any:
        first(missing_ok=True)
        return function(*arguments, **keywords)

    return both


MOMENTS: dict[str, Callable[[], None]] = {
    "encoding": lambda: _die_at(MappedArrays, "empty", call=1, after=True),
    "first block": lambda: _die_at(FolderCheckpoint, "store", call=1, after=False),
    "third block": lambda: _die_at(FolderCheckpoint, "store", call=3, after=False),
    "last block": lambda: _die_at(FolderCheckpoint, "store", call=4, after=True),
    "writing": lambda: _die_at(_WRITING, "_make_durable", call=1, after=False),
    "before the rename": lambda: _die_at(_WRITING, "_make_durable", call=1, after=True),
}
"""The moments at which a run can be killed."""


def start_run(source: Path, target: Path, moment: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    """Protect a file in a process that is killed at some moment."""
    command = [sys.executable, __file__, str(source), str(target), moment]
    return subprocess.run(command, check=False, capture_output=True, text=True, **options)


def protect_in_blocks(
    source: Path | str, target: Path | str, *, random_state: int | None = None, resume: bool = False
) -> None:
    """Protect a file block by block, out of core, in this process."""
    no_file_fits = patch.object(workspace, "_COPIES", 10**18)
    with no_file_fits, patch.dict(CONSTRUCTORS, {"block-by-block": BlockByBlock()}):
        plan = Plan(k=5, method="block-by-block", random_state=random_state)
        protect_file(source, target, plan=plan, memory="500M", resume=resume, force=True)


def _main(source: str, target: str, moment: str) -> None:
    if moment == "the input vanishes":
        MappedArrays.empty = _before(MappedArrays.empty, Path(source).unlink)  # type: ignore[method-assign]
    elif moment != "never":
        MOMENTS[moment]()
    protect_in_blocks(source, target)


if __name__ == "__main__":
    _main(*sys.argv[1:])
