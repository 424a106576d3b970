"""Runs are queued, followed, stopped and found again."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from microagg.app.job import Event, Job
from microagg.app.job_process import JobProcess
from microagg.app.plan_text import plan_hash
from microagg.app.routes import run_routes
from microagg.app.same_file import FileMark
from microagg.app.server_state import ServerState
from web_clients import INSPECTION, Browser, opened, words_of

RELEASE = {"facts": {"k": 5}, "file": "safe.csv"}


def events_of(text: str) -> list[tuple[int, str]]:
    """Return number and state of each event in a stream."""
    found = []
    for block in text.strip().split("\n\n"):
        number, data = block.split("\n")
        found.append((int(number.removeprefix("id: ")), json.loads(data.removeprefix("data: "))["state"]))
    return found


def test_a_run_is_queued_with_the_present_plan(browser: Browser, record: Any) -> None:
    notes = record(run_routes, "run_page")
    assert browser.run().json() == {"go": "/runs/1"}
    assert browser.run().json() == {"go": "/runs/2"}
    job = browser.queue.processes[-1].job
    source = browser.session.source
    assert source is not None
    assert job.kind == "protect"
    plan = INSPECTION["starter_plan"]
    mark = list(FileMark.of(source.path))
    assert job.options == {"source": str(source.path), "name": "survey.csv", "source_mark": mark, "plan": plan}
    assert browser.session.runs == [1, 2]
    assert browser.get("/").headers["location"] == "/runs/2"
    assert browser.get("/runs/2").text == "<p>run_page</p>"
    frame, number, plan, events = notes[0]
    assert (frame.step, frame.file, number, plan) == ("run", "survey.csv", 2, INSPECTION["starter_plan"])
    assert [event.state for event in events] == ["queued"]


def test_the_result_is_shown_as_soon_as_there_is_a_release(browser: Browser, record: Any) -> None:
    notes = record(run_routes, "result_page")
    browser.run()
    process = browser.queue.processes[-1]
    history = [{"elapsed": 1.0, "loss": 5.0, "bound": None}]
    browser.queue.write(process.job, {"release.json": RELEASE, "history.json": history})
    browser.tell(process, Event("working"), Event("released"))
    assert browser.get("/runs/1").text == "<p>result_page</p>"
    assert notes[0][1:] == (1, {"k": 5}, None, history, process.last)
    browser.queue.write(process.job, {"document.json": {"risk": 1}})
    browser.tell(process, Event("done"))
    browser.get("/runs/1")
    assert notes[1][3] == {"risk": 1}


def test_a_failed_run_shows_no_result(browser: Browser, record: Any) -> None:
    notes = record(run_routes, "run_page")
    browser.run()
    process = browser.queue.processes[-1]
    browser.queue.write(process.job, {"release.json": RELEASE})
    browser.tell(process, Event("failed", sentence="no"))
    browser.get("/runs/1")
    assert notes[0][3][-1].state == "failed"


def test_events_are_streamed_and_go_on_where_a_reload_left_off(browser: Browser) -> None:
    browser.run()
    browser.tell(
        browser.queue.processes[-1], Event("working", stage="search", loss=4.0), Event("released"), Event("done")
    )
    whole = browser.get("/jobs/1/events")
    assert whole.headers["content-type"].startswith("text/event-stream")
    assert events_of(whole.text) == [(1, "queued"), (2, "working"), (3, "released"), (4, "done")]
    rest = browser.get("/jobs/1/events", headers={"Last-Event-ID": "2"})
    assert events_of(rest.text) == [(3, "released"), (4, "done")]
    odd = browser.get("/jobs/1/events", headers={"Last-Event-ID": "all"})
    assert len(events_of(odd.text)) == 4


def test_a_job_is_stopped(browser: Browser) -> None:
    browser.run()
    assert browser.post_json("/jobs/1/stop").status_code == 200
    assert browser.queue.processes[-1].last.state == "cancelled"


@pytest.mark.parametrize(
    "path",
    ["/runs/1", "/jobs/1/events", "/jobs/1001/events", "/runs/1/take-home", "/runs/1/files/safe.csv", "/verify/1"],
)
def test_runs_of_another_session_are_not_there(browser: Browser, server: ServerState, path: str) -> None:
    browser.run()
    other = Browser(server)
    answer = other.get(path)
    assert answer.status_code == 404
    assert "of another one" in answer.text


@pytest.mark.parametrize("path", ["/jobs/1/stop", "/runs/1/pick", "/runs/1/discard", "/runs/1/reopen"])
def test_runs_of_another_session_are_not_changed(browser: Browser, server: ServerState, path: str) -> None:
    browser.run()
    other = opened(server)
    assert other.post_json(path).status_code == 404
    assert not browser.queue.processes[1].is_over
    assert browser.session.runs == [1]


@pytest.mark.parametrize("path", ["/runs/0", "/runs/-1", "/runs/1e3", "/runs/99999999999999999999", "/runs/1001"])
def test_numbers_that_are_no_runs_are_not_there(browser: Browser, path: str) -> None:
    assert browser.get(path).status_code == 404


def test_a_stream_ends_with_the_server(tmp_path: Any) -> None:
    async def follow() -> list[str]:
        ending = asyncio.Event()
        process = JobProcess(Job("protect", tmp_path))
        stream: AsyncIterator[str] = run_routes._event_stream(process, 0, ending)
        got = [await anext(stream)]
        ending.set()
        got += [each async for each in stream]
        return got

    assert len(asyncio.run(follow())) == 1


def test_a_silent_stream_tells_that_it_is_there(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_routes, "_SECONDS_OF_SILENCE", 0.01)

    async def follow() -> list[str]:
        process = JobProcess(Job("protect", tmp_path))
        stream = run_routes._event_stream(process, 0, asyncio.Event())
        got = [await anext(stream), await anext(stream)]
        process.tell(Event("done"))
        got += [each async for each in stream if not each.startswith(":")]
        return got

    first, silence, last = asyncio.run(follow())
    assert first.startswith("id: 1\n")
    assert silence == ": still here\n\n"
    assert last.startswith("id: 2\n")


def test_only_the_plan_that_the_page_has_shown_is_run(browser: Browser) -> None:
    shown = {"plan": plan_hash(browser.session.plan_text)}
    browser.session.plan_text = "k = 2\n"  # in another tab
    refused = browser.post_json("/runs", shown)
    assert refused.status_code == 409
    assert "changed since this page was shown" in words_of(refused)
    assert browser.post_json("/runs").status_code == 400
    assert browser.session.runs == []
    assert browser.run().json() == {"go": "/runs/1"}
    assert browser.session.jobs[1].plan_text == "k = 2\n"


def test_a_session_has_no_more_than_some_runs_waiting(browser: Browser) -> None:
    for _ in range(11):
        assert browser.run().status_code == 200
    refused = browser.run()
    assert refused.status_code == 409
    assert "10 runs of yours wait already" in words_of(refused)
    browser.post_json("/jobs/3/stop")
    assert browser.run().status_code == 200


def test_a_proxy_passes_each_event_on_at_once(browser: Browser) -> None:
    browser.run()
    browser.tell(browser.queue.processes[-1], Event("done"))
    assert browser.get("/jobs/1/events").headers["x-accel-buffering"] == "no"


@pytest.mark.parametrize("number", ["1" * 5000, "1234567890", "-1", "x"])
@pytest.mark.parametrize("address", ["/runs/{}", "/jobs/{}/events", "/verify/{}", "/runs/{}/take-home"])
def test_no_number_of_a_job_is_no_address(browser: Browser, address: str, number: str) -> None:
    answer = browser.get(address.format(number))
    assert answer.status_code == 404
    assert "There is no page at this address" in words_of(answer)
