"""The figures on the pages of the papers are those that the code computes: the raw results, and a sample run again."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

import check_figures
import printed_figures
import reproduce
from cached_tasks import Result, known_results, settle
from classics import CLASSICS
from microagg.model.arrays import FloatArray
from printed_figures import Printed
from reproduction.solving import loss_task

N_SAMPLED = 5
SEED = random.SystemRandom().randrange(2**32)
TASK = loss_task("tarragona", 3, "mdav")


@pytest.fixture(autouse=True)
def data_at_hand(matrix: Callable[[str], FloatArray]) -> None:
    """Skip the tests where the classic data sets are not at hand."""
    for name in CLASSICS:
        matrix(name)


def _gives(loss: float) -> dict[str, Callable[..., Result]]:
    """Return functions of which the one that solves gives this loss."""
    return {**reproduce.FUNCTIONS, "solve": lambda *words: {"loss": loss, "iterations": 0, "seconds": 1.0}}


def test_pages_are_what_the_raw_results_make() -> None:
    assert check_figures.page_differences() == []


def test_a_sample_of_quick_figures_is_computed_again() -> None:
    known = check_figures.figures()
    quick = sorted((task for task, result in known.items() if check_figures.is_quick(result)), key=str)
    sample = random.Random(SEED).sample(quick, N_SAMPLED)
    differences = [one for task in sample for one in check_figures.figure_differences(task)]
    assert differences == [], f"seed {SEED}, {sample}"


def test_a_figure_that_no_run_gives_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reproduce, "FUNCTIONS", _gives(16.9327))
    differences = check_figures.figure_differences(TASK)
    assert {one.page for one in differences} >= {"icsm", "reporder"}
    assert "16.9326" in differences[-1].printed
    assert "16.9327" in differences[-1].computed


def test_a_difference_beyond_the_printed_digits_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    loss = known_results(reproduce.CACHE, [TASK])[TASK]["loss"] + 1e-9
    monkeypatch.setattr(reproduce, "FUNCTIONS", _gives(loss))
    assert check_figures.figure_differences(TASK) == []


def test_what_a_time_limit_may_end_is_not_run_again() -> None:
    known = check_figures.figures()
    assert {task[0] for task in known} <= {"solve", "orders", "subset"}
    assert all(
        one["paper"]["ended_by"] is None for task, one in known.items() if task[0] == "subset" and "paper" in one
    )


def test_the_file_of_results_is_settled(tmp_path: Path) -> None:
    kept = reproduce.CACHE.read_text()
    copy = tmp_path / "results.jsonl"
    copy.write_text(kept)
    settle(copy)
    assert copy.read_text() == kept, "sort it: cached_tasks.settle"


def test_settled_results_are_the_latest_of_each_task(tmp_path: Path) -> None:
    cache = tmp_path / "results.jsonl"
    lines = (["a", ["solve", "x"], {"loss": 2}], ["b", ["solve", "b"], {"loss": 1}], ["c", ["solve", "x"], {"loss": 3}])
    cache.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    settle(cache)
    assert [json.loads(line) for line in cache.read_text().splitlines()] == [lines[1], lines[2]]
    assert known_results(cache, [("solve", "x")]) == {("solve", "x"): {"loss": 3}}


@pytest.mark.parametrize(("loss", "found"), [(14.467916, "14.46792"), (14.4735, "14.46792"), (14.4736, "14.47360")])
def test_losses_of_the_search_lie_between_those_printed(
    loss: float, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printed_figures, "solve", lambda *_, **__: SimpleNamespace(information_loss=loss))
    assert Printed("tarragona", 3, "standard", 0, "14.46792", "14.47350").computed() == found


def test_every_state_and_cell_of_the_search_is_found() -> None:
    cells = [(one.data, one.k, one.effort, one.random_state) for one in printed_figures.printed_figures()]
    assert len(set(cells)) == len(cells) == 12 * (10 + 1)
