"""Runs: limits, clock, cancelling, workers, progress."""

import pickle
import threading
import time

import numpy as np
import pytest

from microagg import CancelledError, InputError, Partition, Plan, Run, certify, protect, solve
from microagg.control.stopping import StoppedError
from microagg.control.workers import Workers
from microagg.model.limits import Limits


@pytest.fixture(name="X")
def _points():
    return np.random.default_rng(0).normal(size=(400, 3))


@pytest.fixture(name="clock")
def _clock(monkeypatch):
    """A clock that stands still until it is told the time."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_run_counts_rounds():
    assert not Run().ends(10**9, 1.0)
    assert Run(iterations=0).ends(0, 1.0)
    assert not Run(iterations=2).ends(1, 1.0)
    run = Run(iterations=2)
    assert run.ends(2, 1.0)
    assert run.log.ended_by == "iterations"


def test_run_counts_seconds_from_its_beginning(clock):
    run = Run(time_limit=1000.0)
    clock[0] += 5000.0
    with run.under_way(Limits()):
        assert run.elapsed == 0.0
        clock[0] += 999.9
        run.check()
        assert run.time_left == pytest.approx(0.1)
        clock[0] += 0.1
        assert run.time_left == 0.0
        with pytest.raises(StoppedError) as stopped:
            run.check()
    assert stopped.value.ending == run.log.ended_by == "time_limit"


def test_reading_is_not_solving(clock):
    run = Run(time_limit=10.0)
    with run.under_way(Limits()):
        clock[0] += 60.0
        run.start_clock()
        assert run.time_left == 10.0


def test_run_knows_the_gap():
    assert not Run(target_gap=0.1).ends(0, 10.1, lower_bound=9.0)
    assert Run(target_gap=0.1).ends(0, 10.0, lower_bound=9.0)
    assert Run(target_gap=0.1).ends(0, 0.0)
    assert not Run().ends(0, 9.0, lower_bound=9.0)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"time_limit": 0}, "time_limit must be a positive number, found 0"),
        ({"time_limit": -1.0}, "time_limit must be"),
        ({"time_limit": "1"}, "time_limit must be"),
        ({"iterations": -1}, "iterations must be at least 0"),
        ({"iterations": 1.5}, "iterations must be"),
        ({"iterations": True}, "iterations must be"),
        ({"target_gap": 0}, "target_gap must be"),
        ({"target_gap": "1%"}, "target_gap must be"),
        ({"target_gap": 1.0}, "target_gap must be a share below 1"),
        ({"time_limit": float("inf")}, "time_limit must be a positive number"),
        ({"time_limit": float("nan")}, "time_limit must be a positive number"),
        ({"workers": 0}, "workers must be at least 1"),
        ({"workers": 1.5}, "workers must be a whole number"),
        ({"progress": "loud"}, "progress must be a function"),
    ],
)
def test_run_refuses_nonsense(limits, words):
    with pytest.raises(InputError, match=words):
        Run(**limits)


def test_parts_of_a_run_share_its_clock_and_its_flag(clock):
    run = Run(time_limit=10.0)
    with run.under_way(Limits()):
        clock[0] += 4.0
        part = run.child(Limits(time_limit=5.0), own_log=True)
        assert (part.elapsed, part.time_left) == (4.0, 1.0)
        assert run.child(Limits()).log is run.log
        run.cancel()
        with pytest.raises(StoppedError):
            part.check()
        assert (part.log.ended_by, run.log.ended_by) == ("cancelled", None)


def test_a_run_is_used_once(X):
    run = Run(iterations=1)
    solve(X, 3, run=run)
    with pytest.raises(InputError, match="this run has been used"):
        solve(X, 3, run=run)


def test_limits_are_said_once(X):
    with pytest.raises(InputError, match=r"iterations is said twice, as 1 and as 2"):
        solve(X, 3, iterations=2, run=Run(iterations=1))
    assert solve(X, 3, iterations=1, run=Run(iterations=1)).iterations == 1
    with pytest.raises(InputError, match="progress and run are both given"):
        solve(X, 3, run=Run(), progress=lambda *news: None)
    with pytest.raises(InputError, match=r"run must be a microagg\.Run"):
        solve(X, 3, run=5)


def test_limits_of_run_and_keywords_join(X):
    solution = solve(X, 3, bound=True, target_gap=0.9, run=Run(iterations=1))
    assert (solution.iterations, solution.bound.ended_by) == (1, "target_gap")


def test_run_reaches_protect_and_certify(X):
    assert protect(X, 3, run=Run(iterations=1)).solution.iterations == 1
    assert protect(X, plan=Plan(k=3, iterations=2), run=Run()).solution.iterations == 2
    with pytest.raises(InputError, match="a check has nothing that iterations could limit"):
        certify({}, X, run=Run(iterations=1))


def test_a_run_that_was_cancelled_before_it_began_releases_nothing(X):
    for call in (protect, solve):
        run = Run()
        run.cancel()
        with pytest.raises(CancelledError, match="cancelled before there was any result: nothing is released"):
            call(X, 3, run=run)


def test_a_run_cancelled_while_reading_releases_nothing(tmp_path, monkeypatch):
    import sys

    run = Run()

    def slow_read(table, reading=None):
        run.cancel()
        return read(table, reading)

    read = sys.modules["microagg.protect"].read
    monkeypatch.setattr(sys.modules["microagg.protect"], "read", slow_read)
    with pytest.raises(CancelledError):
        protect(np.arange(20.0).reshape(10, 2), 3, run=run)


@pytest.mark.parametrize("method", ["mdav", "mst", "search", "exact"])
def test_cancelling_from_another_thread_gives_the_best_so_far(method):
    X = np.random.default_rng(0).normal(size=(3000, 4))
    run = Run(progress=lambda *news: begun.set())
    begun = threading.Event()
    found = []
    worker = threading.Thread(target=lambda: found.append(protect(X, 3, method=method, effort=None, run=run)))
    worker.start()
    begun.wait()
    run.cancel()
    worker.join()
    (release,) = found
    assert release.sizes.min() >= 3
    assert release.measures.k_reached >= 3
    assert release.solution.ended_by == "cancelled"
    assert "ended by cancelled" in release.summary()


def test_haste_is_told(monkeypatch):
    monkeypatch.setattr("microagg.control.run._NEWS", 0.0)
    X = np.random.default_rng(0).normal(size=(20_000, 3))
    run = Run(progress=lambda stage, done, note="": run.cancel() if (done or 0) > 0 else None)
    release = protect(X, 3, method="mdav", run=run)
    assert 0.0 < release.solution.fallback_share < 1.0
    assert "were grouped by the fallback" in release.summary()
    assert protect(X, 3, method="mdav").solution.fallback_share == 0.0


def test_time_limits_the_constructor_too(X):
    for method in ("mdav", "v-mdav", "npn-mhm", "mst", "kmeans", "univariate"):
        points = X[:, :1] if method == "univariate" else X
        solution = solve(points, 3, method=method, time_limit=1e-9)
        assert solution.sizes.min() >= 3
        assert solution.ended_by == "time_limit"
        assert not solution.reproducible


@pytest.mark.parametrize("method", ["search", "icsm(starts=4)", "reporder(starts=4)", "exact"])
def test_workers_change_nothing(X, method):
    points = X[:90]
    alone, shared = (solve(points, 3, method=method, run=Run(workers=count)) for count in (1, 3))
    np.testing.assert_array_equal(alone.labels, shared.labels)
    assert alone.lower_bound == shared.lower_bound


def test_workers_are_gone_when_the_work_is_done(X):
    solve(X, 3, method="search", effort="quick", run=Run(workers=3))
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("microagg")]


def test_progress_comes_from_the_thread_that_does_the_work(X):
    threads = set()
    solve(X, 3, method="icsm(starts=3)", progress=lambda *news: threads.add(threading.current_thread()))
    assert threads == {threading.current_thread()}


def test_news_of_one_stage_are_not_told_more_often_than_they_can_be_read(clock):
    told = []
    run = Run(progress=lambda *news: told.append(news))
    for done in (0.0, 0.1, 0.2):
        run.report("one", done)
    run.report("other", 0.0)
    clock[0] += 1.0
    run.report("other", 0.5)
    run.report("other", 0.6)
    run.report("other", 1.0)
    assert told == [("one", 0.0, ""), ("other", 0.0, ""), ("other", 0.5, ""), ("other", 1.0, "")]


def test_a_pickled_run_has_the_time_that_is_left(clock):
    run = Run(time_limit=10.0, iterations=3, workers=2)
    with run.under_way(Limits()):
        clock[0] += 4.0
        there = pickle.loads(pickle.dumps(run))
        clock[0] += 60.0
        late = pickle.loads(pickle.dumps(run))
    assert there.limits == Limits(6.0, 3)
    assert there.workers.count == 2
    assert not there.cancelled
    assert late.limits.time_limit < 1e-6
    run.cancel()
    assert pickle.loads(pickle.dumps(run)).cancelled


def test_only_the_terminal_hears_signals(X):
    import signal

    before = signal.getsignal(signal.SIGINT)
    seen = []
    solve(X, 3, effort="quick", progress=lambda *news: seen.append(signal.getsignal(signal.SIGINT)))
    assert set(seen) == {before}


def test_an_error_in_progress_ends_the_work(X):
    def broken(*news):
        raise RuntimeError("no terminal")

    with pytest.raises(RuntimeError, match="no terminal"):
        solve(X, 3, progress=broken)


def test_stopping_half_way_keeps_what_is_legal(X):
    """A constructor of one's own that is stopped leaves the rest to slabs."""

    def construct(problem, rng, run):
        run.cancel()
        run.tick("mine", 0.5)
        return Partition(problem, np.zeros(problem.n, dtype=np.int64))

    solution = solve(X, 3, method=construct)
    assert (solution.fallback_share, solution.ended_by) == (1.0, "cancelled")
    assert solution.sizes.min() >= 3
    assert solution.n_groups > 100


def test_workers_raise_an_error_only_when_nobody_is_at_work():
    workers = Workers(2)
    begun = []
    ended = []

    def work(number):
        if number == 0:
            raise RuntimeError("first")
        begun.append(number)
        time.sleep(0.05)
        ended.append(number)

    with pytest.raises(RuntimeError, match="first"):
        workers.map(work, range(9))
    assert sorted(begun) == sorted(ended)
    assert len(begun) < 8
    workers.close()
