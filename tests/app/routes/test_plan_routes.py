"""From the inspection to the estimate: the plan that is shown is the one that is carried out."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from microagg.app.form_state import form_of
from microagg.app.job import Event
from microagg.app.plan_text import parsed_plan, plan_hash
from microagg.app.routes import plan_routes
from microagg.app.same_file import FileMark
from microagg.app.server_state import ServerState
from web_clients import INSPECTION, Browser, run_async, words_of

STARTER = INSPECTION["starter_plan"]


@pytest.mark.parametrize("path", ["/inspect", "/settings", "/estimate"])
def test_without_a_file_the_first_step_comes_first(server: ServerState, path: str) -> None:
    assert Browser(server).get(path).headers["location"] == "/open"


def test_the_inspection_is_waited_for(server: ServerState) -> None:
    browser = Browser(server)
    browser.post_json("/open/example", {"name": "survey"})
    waiting = browser.get("/inspect")
    assert 'data-job="1001"' in waiting.text
    assert browser.get("/settings").headers["location"] == "/inspect"
    assert browser.post_json("/plan/text", {"toml": "k = 3"}).status_code == 409
    assert browser.run().status_code == 409


def test_a_failed_inspection_is_its_sentence(server: ServerState) -> None:
    browser = Browser(server)
    browser.post_json("/open/example", {"name": "survey"})
    browser.queue.processes[0].tell(Event("failed", sentence="the file <is> a picture: open a table"))
    page = browser.get("/inspect")
    assert "the file &lt;is&gt; a picture: open a table" in page.text
    assert 'href="/open"' in page.text


def test_the_starter_plan_becomes_that_of_the_session(browser: Browser, record: Any) -> None:
    notes = record(plan_routes, "inspect_page")
    browser.session.plan_text = browser.session.valid_plan_text = ""
    assert browser.get("/inspect").status_code == 200
    assert notes[0][1] is browser.session.source
    assert notes[0][2] == INSPECTION
    assert (browser.session.plan_text, browser.session.valid_plan_text) == (STARTER, STARTER)


def test_a_starter_plan_that_is_no_plan_is_still_the_text(browser: Browser, record: Any) -> None:
    notes = record(plan_routes, "settings_page")
    (job,) = browser.session.jobs.values()
    browser.queue.write(job.job, {"inspection.json": {**INSPECTION, "starter_plan": "k = 5\ncolumns = 3\n"}})
    browser.session.plan_text = browser.session.valid_plan_text = ""
    assert browser.get("/settings").status_code == 200
    _, _, _, text, problem = notes[0]
    assert text == "k = 5\ncolumns = 3\n"
    assert "columns" in problem
    assert browser.session.valid_plan_text == ""


def test_a_text_changes_the_plan_and_the_form(browser: Browser) -> None:
    answer = browser.post_json("/plan/text", {"toml": 'k = 7\ncolumns = ["age"]'}).json()
    assert answer["toml"] == 'k = 7\ncolumns = ["age"]'
    assert (answer["form"]["sets"][0]["k"], answer["form"]["columns"][1]["role"]) == ("7", "as-it-came")
    assert browser.session.plan_text == browser.session.valid_plan_text == answer["toml"]


def test_the_form_changes_the_plan(browser: Browser) -> None:
    kinds = INSPECTION["kinds"]
    assert isinstance(kinds, dict)
    form = form_of(parsed_plan('k = 9\ncolumns = ["age"]\n'), list(kinds), kinds).to_json()
    answer = browser.post_json("/plan/form", {"form": form, "toml": STARTER})
    assert answer.status_code == 200, answer.text
    assert parsed_plan(answer.json()["toml"]) == parsed_plan(browser.session.plan_text)
    assert "k = 9" in browser.session.plan_text


def test_a_page_that_shows_an_older_plan_changes_nothing(browser: Browser) -> None:
    shown = plan_hash(browser.session.plan_text)
    first = browser.post_json("/plan/text", {"toml": "k = 7\n", "plan": shown})
    assert first.json()["plan"] == plan_hash("k = 7\n")
    stale = browser.post_json("/plan/text", {"toml": "k = 3\n", "plan": shown})
    assert (stale.status_code, browser.session.plan_text) == (409, "k = 7\n")
    assert "perhaps in another tab" in words_of(stale)
    again = browser.post_json("/plan/text", {"toml": "k = 3\n", "plan": first.json()["plan"]})
    assert (again.status_code, browser.session.plan_text) == (200, "k = 3\n")


def test_a_text_that_is_no_plan_is_kept_and_never_run(browser: Browser, record: Any) -> None:
    notes = record(plan_routes, "settings_page")
    answer = browser.post_json("/plan/text", {"toml": "k = 5\nkolumns = 3\n"})
    assert answer.status_code == 422
    sentence = words_of(answer)
    assert "kolumns" in sentence
    browser.get("/settings")
    assert notes[0][3:] == ("k = 5\nkolumns = 3\n", sentence)
    assert browser.session.valid_plan_text == STARTER, "the form stays as it was"
    for refused in (browser.post_json("/estimate"), browser.run()):
        assert (refused.status_code, words_of(refused)) == (422, sentence)
    assert browser.get("/estimate").headers["location"] == "/settings"
    assert {process.job.kind for process in browser.queue.processes} == {"inspect"}


def test_a_text_is_never_a_path(browser: Browser) -> None:
    answer = browser.post_json("/plan/text", {"toml": "/etc/passwd"})
    assert answer.status_code == 422
    assert "root" not in answer.text


def test_an_estimate_is_made_once_for_each_plan(browser: Browser, record: Any) -> None:
    notes = record(plan_routes, "estimate_page")
    assert browser.post_json("/estimate").json() == {"go": "/estimate"}
    assert 'data-job="1002"' in browser.get("/estimate").text
    process = browser.queue.processes[-1]
    assert process.job.options["plan"] == STARTER
    assert process.job.options["source_mark"] == list(FileMark.of(Path(process.job.options["source"])))
    browser.queue.write(process.job, {"estimate.json": {"seconds": 3, "columns": ["age", "income", "diagnosis"]}})
    process.tell(Event("done"))
    assert browser.get("/estimate").text == "<p>estimate_page</p>"
    assert notes[0][2]["seconds"] == 3
    assert "“diagnosis”" in " ".join(notes[0][1]), "the sentences are about the columns that the estimate has read"
    assert len(browser.queue.processes) == 2
    browser.post_json("/plan/text", {"toml": "k = 8\n"})
    assert 'data-job="1003"' in browser.get("/estimate").text
    assert browser.queue.processes[-1].job.options["plan"] == "k = 8\n"


def test_a_failed_estimate_is_its_sentence(browser: Browser) -> None:
    browser.post_json("/estimate")
    browser.queue.processes[-1].tell(Event("failed", sentence="the plan names a column that is not there"))
    page = browser.get("/estimate")
    assert "the plan names a column that is not there" in page.text
    assert 'href="/settings"' in page.text


def test_an_inspection_that_was_given_up_with_its_page_begins_again_and_one_that_was_stopped_does_not(
    browser: Browser,
) -> None:
    browser.queue.results.clear()
    for ended in (("No page showed it.",), ()):
        browser.post_json("/open/example", {"name": "survey"})
        n_before = len(browser.queue.processes)
        process = browser.queue.processes[-1]
        run_async(partial(process.kill, *ended))
        page = browser.get("/inspect")
        assert len(browser.queue.processes) - n_before == (1 if ended else 0)
        assert ("Looking at the columns" in page.text) == bool(ended)
