"""The page of a short job that is not over."""

from checked_pages import checked_page
from microagg.app.job import Event
from microagg.app.pages.page_frame import Frame
from microagg.app.pages.waiting_page import waiting_page

FRAME = Frame("inspect", "token", "people.csv", frozenset({"open"}))


def test_the_script_finds_what_it_needs() -> None:
    event = Event("working", stage="read", done=0.25, note="column <x>")
    found = checked_page(waiting_page(FRAME, 1001, "Looking at the columns", event))
    (job,) = [given for given in found.of("section") if "data-job" in given]
    assert job["data-job"] == "1001"
    assert job["data-stop"] == "/jobs/1001/stop"
    assert found.with_id("progress")["value"] == "0.250"
    assert {"stage", "note", "left", "stop"} <= {given.get("id") for _, given in found.elements}
    assert "column <x>" in found.words
    assert found.with_id("stage")["role"] == "status", "a new phase is read aloud"
    assert "/static/run.js" in [given["src"] for given in found.of("script")]


def test_a_share_that_is_unknown_is_not_claimed() -> None:
    found = checked_page(waiting_page(FRAME, 1, "Estimating", Event("queued")))
    assert "value" not in found.with_id("progress")
