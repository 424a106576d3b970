"""Blocks have the same groups with and without the rest of the problem; those that a killed run has solved are kept."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from divided import problem_of, solved
from microagg import Limits, Partition, Problem, Run
from microagg.block_plan import plan_blocks
from microagg.block_task import BlockTask, SolvedBlock
from microagg.control.checkpoint import FolderCheckpoint
from microagg.control.work_folder import WorkFolder
from microagg.methods import pipeline
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


def _cases() -> dict[str, Problem]:
    """Return problems with weights, with missing cells, and with both; one block lacks a column."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(200, 4))
    weights = rng.uniform(1, 9, 200)
    missing = rng.random((200, 4)) < 0.2
    missing[:, 0] = False
    missing[60:130, 3] = True
    return {
        "plain": Problem(X, 3),
        "weighted": Problem(X, 3, weights),
        "missing": Problem(X, 3, None, missing),
        "both": Problem(X, 3, weights, missing),
    }


@pytest.mark.parametrize("method", ["search(effort=quick)", "mdav+descent"])
@pytest.mark.parametrize("case", _cases())
def test_a_block_alone_has_the_groups_that_it_has_within_the_whole_problem(case: str, method: str) -> None:
    problem = _cases()[case]
    records = np.arange(60, 130)
    plan = plan_blocks(replace(pipeline(method), block_size=40), problem, Limits())
    assert plan is not None
    assert plan.refiners is not None
    labels = np.arange(200) // 3 % 66 + 10**12  # whatever numbers the groups have
    labels[records] = 10**12 + 500 - np.arange(70) // 3 % 23
    for number, refiners in enumerate(islice(plan.refiners, 2)):
        whole = BlockTask(plan.stages, problem, refiners, number, 7, labels if number else None)
        local = Partition(problem.part(records), labels[records]).labels if number else None
        alone = BlockTask(plan.stages, _stated_alone(problem, records), refiners, number, 7, local)
        _assert_same(whole(4, records, Run()), alone(4, np.arange(70), Run()))


def _stated_alone(problem: Problem, records: IntArray) -> Problem:
    """Return the problem of some records, as where nothing else of the problem is known."""
    weights = None if problem.weights is None else problem.weights[records]
    missing = None if problem.missing is None else problem.missing[records]
    return Problem.of_part(problem.X[records], problem.k, weights, missing)


def _assert_same(one: SolvedBlock, other: SolvedBlock) -> None:
    """Check that two blocks have the same groups, bit for bit."""
    np.testing.assert_array_equal(one.labels, other.labels)
    np.testing.assert_array_equal(one.centroids, other.centroids)
    np.testing.assert_array_equal(one.sizes, other.sizes)
    assert one[3:] == other[3:]


def test_groups_of_a_block_depend_on_its_number_and_on_the_round() -> None:
    problem = problem_of(300)
    plan = plan_blocks(replace(pipeline("search(effort=quick)"), block_size=100), problem, Limits())
    assert plan is not None
    assert plan.refiners is not None
    start = np.arange(300) // 3
    tasks = [BlockTask(plan.stages, problem, plan.refiners[0], number, 7, start) for number in (1, 2)]
    found = [task(block, np.arange(300), Run()).labels.tolist() for task in tasks for block in (0, 1)]
    assert len({tuple(labels) for labels in found}) == len(found)
