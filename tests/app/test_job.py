import json
from pathlib import Path

import pytest

from microagg.app.job import Event, Job

HOSTILE = 'a\n"b", </script>\u2028 \x00 ü'


def test_a_job_is_one_line_whatever_its_names_are() -> None:
    job = Job("protect", Path("/tmp/a\nb"), {"name": HOSTILE, "k": 3})
    line = job.to_line()
    assert "\n" not in line
    assert Job.from_line(line) == job


def test_an_event_is_one_line_and_comes_back() -> None:
    event = Event("working", "search", 0.5, HOSTILE, 3.5, 1.25, 6.5, 6.0, "", 7)
    line = event.to_line()
    assert "\n" not in line
    assert Event.from_line(line) == event


def test_what_an_event_lacks_is_its_default_and_what_it_does_not_know_is_left_out() -> None:
    assert Event.from_line(json.dumps({"state": "done", "colour": "red"})) == Event("done")


def test_three_states_are_the_last() -> None:
    states = ("queued", "working", "released", "done", "failed", "cancelled")
    assert [state for state in states if Event(state).is_over] == ["done", "failed", "cancelled"]


@pytest.mark.parametrize("line", ["3", "[]", "null", "{}", '{"state": "flying"}', '{"state": []}', "no JSON"])
def test_a_line_that_is_no_event_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Event.from_line(line)
