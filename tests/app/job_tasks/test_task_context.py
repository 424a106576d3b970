import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from microagg import Run
from microagg.app.event_writer import EventWriter
from microagg.app.job import Event, Job
from microagg.app.job_tasks.task_context import TaskContext
from microagg.control.loss_note import LossNote


class _Ended(Exception):  # noqa: N818
    """Stands for the end of the process."""


@pytest.fixture
def told() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


def _context(told: tuple[int, int]) -> TaskContext:
    return TaskContext(Job("protect", Path("folder")), EventWriter(told[1]))


def _events(told: tuple[int, int]) -> list[Event]:
    return [Event.from_line(line) for line in os.read(told[0], 1 << 20).decode().splitlines()]


def test_a_stop_without_any_result_ends_the_process(told: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    def end(code: int) -> None:
        raise _Ended

    monkeypatch.setattr("os._exit", end)
    context = _context(told)
    context.progress("read", None)
    with pytest.raises(_Ended):
        context.stop()
    assert [event.state for event in _events(told)] == ["working", "cancelled"]


def test_a_stop_cancels_the_run_under_way_and_no_later_one(told: tuple[int, int]) -> None:
    context = _context(told)
    first, second = Run(), Run()
    with context.finishing():
        with context.cancelling(first):
            context.stop()
        context.stop()  # while what was found is written
        with context.cancelling(second):
            pass
    assert (first.cancelled, second.cancelled) == (True, False)


def test_the_history_holds_each_loss_once(told: tuple[int, int]) -> None:
    context = _context(told)
    for loss in (3.0, 3.0, 2.0):
        context.progress("search", None, LossNote("loss", loss))
    context.progress("bound", 0.5, LossNote("bound", 2.0, 1.0))
    context.progress("write", None)
    assert [(one["loss"], one["bound"]) for one in context.history] == [(3.0, None), (2.0, None), (2.0, 1.0)]
    last_search = [event for event in _events(told) if event.stage == "search"][-1]
    assert last_search.loss == 2.0
