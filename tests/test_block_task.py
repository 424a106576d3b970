"""Blocks that a killed run has solved are taken over, if they are the same; nothing else changes the groups."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from divided import problem_of, solved
from microagg import Problem, Run
from microagg.block_task import BlockTask
from microagg.control.checkpoint import FolderCheckpoint
from microagg.control.work_folder import WorkFolder
from microagg.model.arrays import IntArray
from microagg.refine import search_schedule

SAME = {"the plan": "k = 3"}
PROBLEM = problem_of(200)


@pytest.fixture(autouse=True)
def few_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make searches short: what is tested does not depend on their length."""
    monkeypatch.setattr(search_schedule, "_TRIALS_PER_RECORD", 50)


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the list of the sizes of the blocks that are solved or refined from now on."""
    sizes: list[int] = []
    solve_block, refine_block = BlockTask._solve, BlockTask._refine

    def solve(task: BlockTask, part: Problem, random_state: int, run: Run) -> object:
        sizes.append(part.n)
        return solve_block(task, part, random_state, run)

    def refine(task: BlockTask, partition: object, rngs: object, run: Run) -> object:
        sizes.append(partition.problem.n)  # type: ignore[attr-defined]
        return refine_block(task, partition, rngs, run)  # type: ignore[arg-type]

    monkeypatch.setattr(BlockTask, "_solve", solve)
    monkeypatch.setattr(BlockTask, "_refine", refine)
    return sizes


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[WorkFolder]:
    """Return a work folder in use."""
    with WorkFolder.beside(tmp_path / "safe.csv") as made:
        yield made


def _labels(folder: WorkFolder, run: Run | None = None, random_state: int = 0, problem: Problem = PROBLEM) -> IntArray:
    run = run or Run(workers=2)
    run.checkpoint = FolderCheckpoint(folder, SAME)
    return solved(problem, run, effort="quick", rounds=3, random_state=random_state).labels


def _files(folder: WorkFolder) -> list[Path]:
    return sorted(folder.path.rglob("*.npz"))


def test_what_a_killed_run_has_found_is_not_solved_again(folder: WorkFolder, begun: list[int]) -> None:
    expected = solved(PROBLEM, effort="quick", rounds=3).labels
    n_blocks = len(begun)
    np.testing.assert_array_equal(_labels(folder), expected)
    files = _files(folder)
    assert len(files) == n_blocks
    assert files[0].parent.name == "round0"
    for lost in (files[:1], files[3:7], files[5:], []):
        for file in lost:
            file.unlink()
        begun.clear()
        np.testing.assert_array_equal(_labels(folder), expected)
        assert len(begun) == len(lost)


def test_what_was_found_of_other_records_or_random_states_is_not_used(folder: WorkFolder) -> None:
    other = problem_of(200, random_state=1)
    expected = solved(PROBLEM, effort="quick", rounds=3).labels
    again = solved(PROBLEM, effort="quick", rounds=3, random_state=2**63 - 1).labels
    _labels(folder, problem=other)
    np.testing.assert_array_equal(_labels(folder), expected)
    np.testing.assert_array_equal(_labels(folder, random_state=2**63 - 1), again)
    np.testing.assert_array_equal(_labels(folder), expected)


def test_a_block_that_was_not_finished_is_not_kept(folder: WorkFolder) -> None:
    _labels(folder, Run(time_limit=1e-9))
    assert _files(folder) == []


def test_a_file_that_cannot_be_read_is_as_none(folder: WorkFolder) -> None:
    expected = _labels(folder)
    for file in _files(folder)[::2]:
        file.write_bytes(file.read_bytes()[:100])
    np.testing.assert_array_equal(_labels(folder), expected)
