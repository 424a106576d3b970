"""What a run has made can be downloaded, and nothing else."""

from typing import Any
from urllib.parse import quote

import pytest

from microagg.app.job import Event
from microagg.app.routes import take_home_routes
from web_clients import Browser

HOSTILE = 'sörvey <b>"x".csv'
FILES = {
    "release.json": {"facts": {"k": 5}, "file": HOSTILE},
    HOSTILE: "a\n1\n",
    "checks.json": {"passed": True},
    "release.toml": "k = 5\n",
    "command.txt": "microagg protect",
    "script.py": "import microagg",
    "report.html": "<p>internal</p>",
    "report_public.html": "<p>public</p>",
    "document.json": {"secret": 1},
    "history.json": [],
}


@pytest.fixture
def released(browser: Browser) -> Browser:
    """A browser with a run whose release is there."""
    browser.run()
    process = browser.queue.processes[-1]
    browser.queue.write(process.job, FILES)
    browser.tell(process, Event("released"), Event("done"))
    return browser


def test_the_page_is_made_of_the_files(released: Browser, record: Any) -> None:
    notes = record(take_home_routes, "take_home_page")
    assert released.get("/runs/1/take-home").status_code == 200
    _, number, files, command, script, plan, facts, document = notes[0]
    assert (number, command, script, plan, facts) == (1, "microagg protect", "import microagg", "k = 5\n", {"k": 5})
    assert document == {"secret": 1}
    assert HOSTILE in [file.name for file in files]


@pytest.mark.parametrize("name", ["release.toml", "report.html", "report_public.html", "command.txt", "script.py"])
def test_files_are_saved_and_not_shown(released: Browser, name: str) -> None:
    answer = released.get(f"/runs/1/files/{name}")
    assert answer.text == FILES[name]
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"] == f"attachment; filename=\"{name}\"; filename*=UTF-8''{name}"


def test_hostile_names_are_quoted(released: Browser) -> None:
    answer = released.get("/runs/1/files/s%C3%B6rvey%20%3Cb%3E%22x%22.csv")
    assert answer.text == "a\n1\n"
    plain = 'filename="s_rvey _b__x_.csv"'
    assert answer.headers["content-disposition"] == (
        f"attachment; {plain}; filename*=UTF-8''s%C3%B6rvey%20%3Cb%3E%22x%22.csv"
    )


def test_reports_can_be_shown(released: Browser) -> None:
    answer = released.get("/runs/1/files/report.html?show")
    assert answer.headers["content-type"].startswith("text/html")
    assert "content-disposition" not in answer.headers
    assert "script-src" not in answer.headers["content-security-policy"]
    assert "attachment" in released.get("/runs/1/files/release.toml?show").headers["content-disposition"]


@pytest.mark.parametrize(
    "name",
    ["document.json", "history.json", "release.json", "missing", "..%2F..%2Fx", "%2e%2e%2fjob-1%2frelease.toml"],
)
def test_no_other_file_is_given_away(released: Browser, name: str) -> None:
    assert released.get(f"/runs/1/files/{name}").status_code == 404


def test_a_release_is_not_given_away_before_it_is_checked(released: Browser) -> None:
    address = f"/runs/1/files/{quote(HOSTILE)}"
    assert released.get(address).status_code == 200
    (released.session.job(1).job.folder / "checks.json").unlink()
    refused = released.get(address)
    assert refused.status_code == 409
    assert "not checked yet" in refused.text


def test_a_release_that_is_being_withdrawn_is_not_given_away(released: Browser) -> None:
    (released.session.job(1).job.folder / "release.json").unlink()
    for path in ("/runs/1/take-home", "/runs/1/files/safe.csv"):
        assert released.get(path).status_code == 409


def test_without_a_release_there_is_nothing_to_take_home(browser: Browser) -> None:
    browser.run()
    browser.queue.write(browser.queue.processes[-1].job, FILES)
    for path in ("/runs/1/take-home", "/runs/1/files/release.toml"):
        answer = browser.get(path)
        assert answer.status_code == 409
        assert "no release yet" in answer.text
