"""Runs are compared, picked, discarded, and taken up again."""

from typing import Any

import pytest

from microagg.app.job import Event
from microagg.app.routes import compare_routes
from microagg.app.server_state import ServerState
from page_checks import ParsedPage
from web_clients import Browser, words_of


@pytest.fixture
def runs(browser: Browser) -> Browser:
    """A browser with two runs: of the first there is a release."""
    browser.run()
    browser.post_json("/plan/text", {"toml": "k = 8\n"})
    browser.run()
    process = browser.queue.processes[1]
    browser.queue.write(
        process.job, {"release.json": {"facts": {"k": 5}, "file": "safe.csv"}, "document.json": {"a": 1}}
    )
    browser.tell(process, Event("released"), Event("done"))
    return browser


def test_all_runs_are_compared(runs: Browser, record: Any) -> None:
    notes = record(compare_routes, "compare_page")
    assert runs.get("/compare").status_code == 200
    _, compared, picked, can_undo, others = notes[0]
    assert others == []
    assert [(run.number, run.release, run.document, run.last.state) for run in compared] == [
        (1, {"k": 5}, {"a": 1}, "done"),
        (2, None, None, "queued"),
    ]
    assert compared[1].plan_toml == "k = 8\n"
    assert (picked, can_undo) == (None, False)


def test_runs_of_another_file_are_found_again(runs: Browser) -> None:
    assert "Run 2 is not over." in runs.get("/open").text
    runs.post_json("/open/example", {"name": "companies"})
    page = ParsedPage(runs.get("/compare").text)
    assert "Runs of other files" in page.text
    assert {"/compare", "/runs/1", "/runs/2"} <= set(page.attributes("href"))


def test_without_a_file_there_is_nothing_to_compare(server: ServerState) -> None:
    assert Browser(server).get("/compare").headers["location"] == "/open"


def test_picks_and_discards_are_undone_one_by_one(runs: Browser) -> None:
    for path in ("/runs/1/pick", "/runs/2/discard", "/runs/1/discard"):
        assert runs.post_json(path).json() == {"go": "/compare"}
    session = runs.session
    assert (session.runs, session.picked) == ([], None)
    states = []
    for _ in range(3):
        assert runs.post_json("/compare/undo").json() == {"go": "/compare"}
        states.append((list(session.runs), session.picked))
    assert states == [([1], 1), ([1, 2], 1), ([1, 2], None)]
    refused = runs.post_json("/compare/undo")
    assert refused.status_code == 409
    assert "nothing to undo" in words_of(refused)


def test_a_run_without_a_release_cannot_be_picked(runs: Browser) -> None:
    assert runs.post_json("/runs/2/pick").status_code == 409
    assert runs.session.picked is None


def test_a_discarded_run_cannot_be_picked(runs: Browser) -> None:
    runs.post_json("/runs/1/discard")
    answer = runs.post_json("/runs/1/pick")
    assert answer.status_code == 404
    assert "undo brings it back" in words_of(answer)


def test_the_plan_of_a_run_is_taken_up_again(runs: Browser) -> None:
    first = runs.session.jobs[1].plan_text
    assert runs.session.plan_text == "k = 8\n"
    assert runs.post_json("/runs/1/reopen").json() == {"go": "/settings"}
    assert runs.session.plan_text == runs.session.valid_plan_text == first


def test_runs_of_a_former_file_are_not_compared(runs: Browser, record: Any) -> None:
    notes = record(compare_routes, "compare_page")
    runs.post_json("/open/example", {"name": "companies"})
    runs.get("/compare")
    assert notes[0][1] == []
    assert runs.post_json("/runs/1/reopen").status_code == 409
