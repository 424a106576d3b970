"""The pool of threads."""

import threading
from collections.abc import Iterable
from concurrent.futures import wait
from typing import Any

import numpy as np
import pytest

from microagg import Run, solve
from microagg.control.workers import Workers
from patience import PATIENCE


def test_results_come_in_the_order_of_the_items() -> None:
    workers = Workers(2)
    first_may_end = threading.Event()

    def call(number: int) -> int:
        if number == 0:
            assert first_may_end.wait(PATIENCE)
        else:
            first_may_end.set()
        return number**2

    assert workers.map(call, range(5)) == [0, 1, 4, 9, 16]
    workers.close()


def test_an_error_is_raised_only_when_all_calls_under_way_have_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first call fails while another is under way; that one may end only when the error has been noticed."""
    under_way, released = threading.Event(), threading.Event()
    begun: list[int] = []
    ended: list[int] = []

    def call(number: int) -> None:
        if number == 0:
            assert under_way.wait(PATIENCE)
            raise RuntimeError("first")
        begun.append(number)
        under_way.set()
        assert released.wait(PATIENCE)
        ended.append(number)

    def release_then_wait(futures: Iterable[Any], **options: Any) -> Any:
        if not options:  # the second wait: for the calls under way
            released.set()
        return wait(list(futures), **options)

    monkeypatch.setattr("microagg.control.workers.wait", release_then_wait)
    workers = Workers(2)
    with pytest.raises(RuntimeError, match="first"):
        workers.map(call, range(9))
    assert sorted(begun) == sorted(ended)
    assert 1 <= len(begun) <= 2, "calls that had not begun are cancelled"
    workers.close()


def test_no_thread_is_left_when_the_work_is_done() -> None:
    before = set(threading.enumerate())
    during: set[threading.Thread] = set()
    X = np.random.default_rng(0).normal(size=(60, 3))
    run = Run(workers=3, progress=lambda *report: during.update(threading.enumerate()))
    solve(X, 3, method="icsm(starts=9)", run=run)
    assert {thread.name.partition("_")[0] for thread in during - before} == {"microagg"}
    assert not set(threading.enumerate()) - before


@pytest.mark.parametrize(
    "method", ["search(effort=quick)", "icsm(starts=9)", "icsm(starts=9, perturb=best)", "reporder(starts=9)", "exact"]
)
def test_the_number_of_workers_changes_no_result(method: str) -> None:
    X = np.random.default_rng(7).standard_t(4, size=(36, 3))
    alone, shared = (solve(X, 3, method=method, run=Run(workers=count)) for count in (1, 3))
    np.testing.assert_array_equal(alone.labels, shared.labels)
    assert alone.lower_bound == shared.lower_bound
