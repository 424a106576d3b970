"""Errors are sentences, and the log holds nothing of the data."""

import errno
import logging
from pathlib import Path

import pytest

from microagg.app.server_state import ServerState
from microagg.model.errors import InputError
from web_clients import Browser, make_server, opened, words_of

SECRET = "income of Ada Alderby: 310.5"


@pytest.fixture
def server(tmp_path: Path) -> ServerState:
    return make_server(tmp_path)


def test_an_unknown_address_is_a_whole_page(server: ServerState) -> None:
    answer = Browser(server).get("/nowhere")
    assert answer.status_code == 404
    assert answer.text.startswith("<!DOCTYPE html>")
    assert "There is no page at this address" in words_of(answer)
    assert "<main" in answer.text


def test_own_errors_are_their_sentences(server: ServerState, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise InputError("k must be at least 2, found <1>: give more")

    monkeypatch.setattr(server.data_folder, "listing", fail)
    answer = Browser(server).get("/open")
    assert answer.status_code == 422
    assert "k must be at least 2, found &lt;1&gt;: give more" in answer.text


def test_an_unexpected_error_tells_the_log_its_type_and_place_only(
    server: ServerState, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise KeyError(SECRET)

    browser = opened(server)
    monkeypatch.setattr(server.data_folder, "file", fail)
    monkeypatch.setattr(server.data_folder, "listing", fail)
    with caplog.at_level(logging.DEBUG):
        page = browser.get("/open")
        data = browser.post_json("/open/path", {"path": SECRET})
    assert (page.status_code, data.status_code) == (500, 500)
    for answer in (page, data):
        assert "nothing was released" in words_of(answer)
        assert SECRET not in answer.text
    own = [record.getMessage() for record in caplog.records if record.name.startswith("microagg")]
    assert [line.split(" at ")[0] for line in own] == [
        "GET /open: unexpected KeyError",
        "POST /open/path: unexpected KeyError",
    ]
    assert all("test_application.py, line" in line for line in own)
    log = caplog.text
    for hidden in (SECRET, "survey", browser.session.key, browser.session.csrf, server.keys.token):
        assert hidden not in log


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_a_sentence_wherever_it_is_met(
    server: ServerState, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(number, "no room")

    browser = opened(server)
    monkeypatch.setattr(Path, "mkdir", full)
    answers = [
        browser.post_json("/open/example", {"name": "survey"}),
        browser.run(),
        browser.upload("/open/upload", b"a\n1\n"),
        Browser(server, enters=False).enter(),
    ]
    for answer in answers:
        assert answer.status_code == 507
        assert "The disk of the server is full" in words_of(answer)
        assert "content-security-policy" in answer.headers
    assert browser.session.runs == []


def test_a_folder_that_is_gone_is_a_sentence(server: ServerState) -> None:
    server.sessions.folder.rmdir()
    answer = Browser(server, enters=False).enter()
    assert answer.status_code == 500
    assert "start it again" in words_of(answer)


def test_the_server_ends_all_sessions_with_itself(server: ServerState) -> None:
    browser = opened(server)
    with browser:
        assert browser.get("/").status_code == 303
        folder = browser.session.folder
        assert folder.exists()
    assert not folder.exists()


@pytest.mark.parametrize("body", [b"[1]", b"{", b"\xff", b'"text"', b"null", b'{"path": "\\ud800"}', b"[" * 100_000])
def test_a_body_that_is_no_object_is_refused(server: ServerState, body: bytes) -> None:
    browser = Browser(server)
    answer = browser.post("/open/path", content=body, headers=browser.signed())
    assert answer.status_code == 400
    assert "not a JSON object" in words_of(answer)


def test_a_body_that_is_too_large_is_refused(server: ServerState) -> None:
    browser = Browser(server)
    answer = browser.post("/plan/text", content=b" " * 5_000_001, headers=browser.signed())
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "name", ["nothing.js", "..%2Faccess.py", "%2e%2e%2f__init__.py", "..", "", "%00", "app.css%00.js", "sub/app.css"]
)
def test_no_other_files_are_among_those_of_the_pages(server: ServerState, name: str) -> None:
    assert Browser(server).get(f"/static/{name}").status_code in (303, 404)


def test_files_of_the_pages_have_their_kinds(server: ServerState) -> None:
    answer = Browser(server, enters=False).get("/static/app.css")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/css")
