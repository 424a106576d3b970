import os
from collections.abc import Iterator

import pytest

from microagg.app import event_writer
from microagg.app.event_writer import EventWriter
from microagg.app.job import Event


class _Clock:
    """Clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


def _written(descriptor: int) -> list[Event]:
    return [Event.from_line(line) for line in os.read(descriptor, 1 << 20).decode().splitlines()]


def test_at_most_five_events_a_second_and_the_last_of_each_stage(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = _Clock()
    monkeypatch.setattr(event_writer, "time", clock)
    writer = EventWriter(pipe[1])
    for number in range(100):
        clock.now = 100.0 + number / 100
        writer.write(Event("working", "search", number / 100))
    writer.write(Event("working", "write"))
    told = _written(pipe[0])
    searched = [event.done for event in told if event.stage == "search"]
    assert len(searched) <= 6
    assert searched[0] == 0.0
    assert searched[-1] == 0.99
    assert told[-1].stage == "write"
    assert told[-1].elapsed == pytest.approx(0.99)


def test_every_state_is_told_at_once(pipe: tuple[int, int]) -> None:
    writer = EventWriter(pipe[1])
    for state in ("working", "released", "done"):
        writer.write(Event(state))
    assert [event.state for event in _written(pipe[0])] == ["working", "released", "done"]
