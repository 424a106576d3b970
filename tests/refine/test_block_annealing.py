"""Annealing inside a block: no worse, deterministic, as many trials as its slice has, and ended at any moment."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from microagg import Partition, Problem, Run
from microagg.kernels.moves import ruin_recreate
from microagg.model.arrays import FloatArray, IntArray
from microagg.refine import block_annealing
from microagg.refine.block_annealing import BlockAnnealing
from microagg.refine.descent import Descent
from runs import CancelledAt, cancelled
from strategies import labelled, random_labels, weighted


def _start(n: int = 90, k: int = 3) -> Partition:
    problem = Problem(np.random.default_rng(0).normal(size=(n, 2)), k)
    return Partition(problem, random_labels(1, n, k))


def _refined(start: Partition, stage: BlockAnnealing, run: Run | None = None) -> Partition:
    return stage(start, np.random.default_rng(0), run or Run())


@given(labelled())
@settings(max_examples=20)
def test_it_is_legal_and_never_worse(given_groups: tuple[Problem, IntArray]) -> None:
    problem, labels = given_groups
    start = Partition(problem, labels)
    refined = _refined(start, BlockAnnealing(5.0))
    assert refined.problem is problem
    assert refined.sse <= start.sse
    np.testing.assert_array_equal(refined.labels, _refined(start, BlockAnnealing(5.0)).labels)


@given(weighted())
@settings(max_examples=20)
def test_weights_count(given_groups: tuple[Problem, FloatArray, IntArray]) -> None:
    problem, _, labels = given_groups
    start = Partition(problem, labels)
    assert _refined(start, BlockAnnealing(5.0)).sse <= start.sse


def test_it_descends_and_goes_on_from_there() -> None:
    start = _start()
    descended = Descent()(start, np.random.default_rng(0), Run())
    without_trials = _refined(start, BlockAnnealing(20.0, 0.5, 0.5))
    assert without_trials.sse == pytest.approx(descended.sse)
    assert _refined(start, BlockAnnealing(20.0)).sse < descended.sse


def _recorded_trials(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list of all ranges of trials that are made from now on."""
    ranges: list[Any] = []
    run_trials = ruin_recreate.run_trials

    def recorded(state: Any, k: int, rng: Any, trials: Any, *others: Any) -> object:
        if trials.temperature > 0:  # a descent is trials without any
            ranges.append(trials)
        return run_trials(state, k, rng, trials, *others)

    monkeypatch.setattr(ruin_recreate, "run_trials", recorded)
    return ranges


@pytest.mark.parametrize(("begin", "end", "expected"), [(0, 1, (0, 180)), (0.25, 0.5, (45, 90)), (0.99, 1, (178, 180))])
def test_trials_are_those_of_the_slice(
    begin: float, end: float, expected: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    ranges = _recorded_trials(monkeypatch)
    _refined(_start(), BlockAnnealing(2.0, begin, end, 0.7))
    assert (ranges[0].first, ranges[-1].last) == expected
    assert all(before.last == after.first for before, after in pairwise(ranges))
    assert {one[2:] for one in ranges} == {(180, 0.7, 0, 90)}


def test_passes_go_from_one_neighbourhood_to_the_next_and_make_all_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_annealing, "_NEIGHBOURHOOD", 40)
    monkeypatch.setattr(block_annealing, "_MIN_TRIALS", 20)
    ranges = _recorded_trials(monkeypatch)
    _refined(_start(), BlockAnnealing(3.0, 0.25, 0.75))
    assert [(one.first_record, one.end_record) for one in ranges] == 3 * [(0, 40), (40, 80), (80, 90)]
    for some, length in ((slice(0, None, 3), 120), (slice(1, None, 3), 120), (slice(2, None, 3), 30)):
        here = ranges[some]
        assert {one.length for one in here} == {length}
        assert (here[0].first, here[-1].last) == (round(length / 4), round(3 * length / 4))
        assert all(before.last == after.first for before, after in pairwise(here))


def test_slices_of_all_blocks_make_all_trials() -> None:
    bounds = [(number / 7, (number + 1) / 7) for number in range(7)]
    trials = [round(end * 90 * 2.5) - round(begin * 90 * 2.5) for begin, end in bounds]
    assert sum(trials) == round(90 * 2.5)


def test_one_group_is_left_as_it_is() -> None:
    start = _start(5)
    assert _refined(start, BlockAnnealing(20.0)).n_groups == 1


def test_it_ends_at_any_moment_with_legal_groups() -> None:
    start = _start()
    assert _refined(start, BlockAnnealing(20.0), cancelled()) is start
    for number in (1, 2, 3):
        refined = _refined(start, BlockAnnealing(20.0), CancelledAt(number))
        assert refined.sse <= start.sse


def test_iterations_of_the_run_are_rounds_of_blocks_and_not_its_own() -> None:
    start = _start()
    free, limited = (_refined(start, BlockAnnealing(20.0), run) for run in (Run(), Run(iterations=1)))
    np.testing.assert_array_equal(free.labels, limited.labels)


@pytest.mark.parametrize("is_weighted", [False, True])
def test_the_order_of_the_records_in_memory_does_not_matter(is_weighted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_annealing, "_NEIGHBOURHOOD", 20)
    rng = np.random.default_rng(3)
    problem = Problem(rng.normal(size=(200, 2)), 3, rng.uniform(0.1, 10.0, 200) if is_weighted else None)
    start = Partition(problem, random_labels(1, 200, 3))
    descended = Descent()(start, np.random.default_rng(0), Run())
    assert _refined(start, BlockAnnealing(20.0, 0.5, 0.5)).sse == pytest.approx(descended.sse)
    assert _refined(start, BlockAnnealing(20.0)).sse < 0.97 * descended.sse
