"""Runs that are passed to `solve`, `protect` and `certify`, or cancelled from another thread."""

import signal
import sys
import threading
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from microagg import CancelledError, InputError, Partition, Plan, Problem, Release, Run, certify, protect, solve
from microagg.model.arrays import FloatArray
from patience import PATIENCE


@pytest.fixture(scope="module", name="X")
def _points() -> FloatArray:
    return np.random.default_rng(0).normal(size=(400, 3))


def test_a_run_is_used_once(X: FloatArray) -> None:
    run = Run(iterations=1)
    solve(X, 3, run=run)
    with pytest.raises(InputError, match="this run has been used"):
        solve(X, 3, run=run)


def test_limits_are_given_once(X: FloatArray) -> None:
    with pytest.raises(InputError, match=r"iterations is .* twice, as 1 and as 2"):
        solve(X, 3, iterations=2, run=Run(iterations=1))
    assert solve(X, 3, iterations=1, run=Run(iterations=1)).iterations == 1
    with pytest.raises(InputError, match="progress and run are both given"):
        solve(X, 3, run=Run(), progress=lambda *report: None)


def test_limits_of_run_and_keywords_join(X: FloatArray) -> None:
    solution = solve(X[:100], 3, bound=True, target_gap=0.9, run=Run(iterations=1))
    assert solution.bound is not None
    assert (solution.iterations, solution.bound.ended_by) == (1, "target_gap")


def test_run_reaches_protect_and_certify(X: FloatArray) -> None:
    assert protect(X, 3, run=Run(iterations=1)).solution.iterations == 1
    assert protect(X, plan=Plan(k=3, iterations=2), run=Run()).solution.iterations == 2
    with pytest.raises(InputError, match="a check has nothing that iterations could limit"):
        certify({}, X, run=Run(iterations=1))


def test_a_run_that_was_cancelled_before_it_began_releases_nothing(X: FloatArray) -> None:
    for call in (protect, solve):
        run = Run()
        run.cancel()
        with pytest.raises(CancelledError, match="cancelled before there was any result: nothing is released"):
            call(X, 3, run=run)


def test_a_run_cancelled_while_reading_releases_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run()
    module = sys.modules["microagg.protect"]  # `microagg.protect` is the function
    read = module.read

    def cancel_and_read(table: Any, reading: Any = None) -> Any:
        run.cancel()
        return read(table, reading)

    monkeypatch.setattr(module, "read", cancel_and_read)
    with pytest.raises(CancelledError):
        protect(np.arange(20.0).reshape(10, 2) / 7, 3, run=run)


@pytest.mark.parametrize("method", ["mdav", "mst", "search", "exact"])
def test_cancelling_from_another_thread_keeps_the_best_so_far(method: str) -> None:
    X = np.random.default_rng(0).normal(size=(3000, 4))
    begun, cancelled = threading.Event(), threading.Event()

    def wait_for_the_other(stage: str, done: float | None, note: str = "") -> None:
        begun.set()
        assert cancelled.wait(PATIENCE)

    run = Run(progress=wait_for_the_other)
    found: list[Release] = []
    worker = threading.Thread(target=lambda: found.append(protect(X, 3, method=method, effort=None, run=run)))
    worker.start()
    assert begun.wait(PATIENCE)
    run.cancel()
    cancelled.set()
    worker.join()
    (release,) = found
    assert release.sizes.min() >= 3
    assert release.measures.k_reached >= 3
    assert release.solution.ended_by == "cancelled"
    assert ": cancelled" in " ".join(release.summary().split())


def test_fallback_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("microagg.control.progress.MIN_REPORT_INTERVAL", 0.0)
    monkeypatch.setattr("microagg.construct.partial_grouping._NUMBERS_PER_TICK", 1.0)
    X = np.random.default_rng(0).normal(size=(2000, 3))

    def cancel_when_begun(stage: str, done: float | None, note: str = "") -> None:
        if done:
            run.cancel()

    run = Run(progress=cancel_when_begun)
    release = protect(X, 3, method="mdav", run=run)
    assert 0.0 < release.solution.fallback_share < 1.0
    assert "were grouped by the fallback" in release.summary()
    assert protect(X, 3, method="mdav").solution.fallback_share == 0.0


def test_a_constructor_that_is_stopped_leaves_all_records_to_the_fallback(X: FloatArray) -> None:
    def construct(problem: Problem, rng: Generator, run: Run) -> Partition:
        run.cancel()
        run.tick("mine", 0.5)
        return Partition(problem, np.zeros(problem.n, dtype=np.int64))

    solution = solve(X, 3, method=construct)
    assert (solution.fallback_share, solution.ended_by) == (1.0, "cancelled")
    assert solution.sizes.min() >= 3
    assert solution.n_groups > 100


def test_progress_comes_from_the_thread_that_does_the_work(X: FloatArray) -> None:
    threads = set()
    solve(X[:100], 3, method="icsm(starts=3)", progress=lambda *report: threads.add(threading.current_thread()))
    assert threads == {threading.current_thread()}


def test_solving_runs_in_any_thread(X: FloatArray) -> None:
    found = []
    thread = threading.Thread(target=lambda: found.append(solve(X[:100], 3, effort="quick").labels))
    thread.start()
    thread.join()
    np.testing.assert_array_equal(found[0], solve(X[:100], 3, effort="quick").labels)


def test_only_the_terminal_handles_signals(X: FloatArray) -> None:
    before = signal.getsignal(signal.SIGINT)
    seen = []
    solve(X[:100], 3, effort="quick", progress=lambda *report: seen.append(signal.getsignal(signal.SIGINT)))
    assert set(seen) == {before}


def test_an_error_in_progress_ends_the_work(X: FloatArray) -> None:
    def broken(stage: str, done: float | None, note: str = "") -> None:
        raise RuntimeError("no terminal")

    with pytest.raises(RuntimeError, match="no terminal"):
        solve(X, 3, progress=broken)
