"""A file is opened by upload, by path, or as an example, and inspected at once."""

import asyncio
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from microagg.app.data_folder import DataFolder
from microagg.app.routes import open_routes
from microagg.app.same_file import FileMark
from microagg.app.server_state import ServerState
from microagg.app.uploads import Upload
from page_checks import ParsedPage
from web_clients import COOKIE, CSRF_HEADER, PORT, Browser, make_server, opened, words_of


def test_an_upload_is_opened_and_inspected(server: ServerState) -> None:
    browser = Browser(server)
    assert browser.upload("/open/upload", b"a,b\n1,2\n", "my%20people.csv").json() == {"go": "/inspect"}
    source = browser.session.source
    assert source is not None
    assert (source.name, source.n_bytes, source.is_upload) == ("my people.csv", 8, True)
    assert source.path.read_bytes() == b"a,b\n1,2\n"
    assert source.path.is_relative_to(browser.session.folder)
    assert stat.S_IMODE(source.path.stat().st_mode) == 0o600
    (process,) = browser.queue.processes
    assert process.job.kind == "inspect"
    mark = list(FileMark.of(source.path))
    assert process.job.options == {"source": str(source.path), "name": "my people.csv", "source_mark": mark}


@pytest.mark.parametrize(
    "name", ["../../../evil.csv", "..%2F..%2Fevil.csv", "%2Fetc%2Fcron.d%2Fevil.csv", "..%5Cevil.csv"]
)
def test_a_name_never_leads_out_of_the_folder(server: ServerState, name: str) -> None:
    browser = Browser(server)
    browser.upload("/open/upload", b"a\n1\n", name)
    source = browser.session.source
    assert source is not None
    assert source.name == "evil.csv"
    assert source.path.parent.parent == browser.session.folder


def test_an_upload_that_is_too_large_leaves_nothing(server: ServerState) -> None:
    browser = Browser(server)

    def endless() -> Iterator[bytes]:
        for _ in range(20):
            yield b"x" * 100_000

    for content in (b"x" * 1_000_001, endless()):
        answer = browser.upload("/open/upload", content)
        assert answer.status_code == 413
        assert "--max-upload" in words_of(answer)
        assert [*browser.session.folder.iterdir()] == []
    assert browser.session.source is None
    assert browser.queue.processes == []


def test_a_full_disk_is_a_sentence_and_leaves_nothing(server: ServerState, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = Browser(server)
    monkeypatch.setattr(Upload, "_free", lambda _: 5)
    answer = browser.upload("/open/upload", b"a,b\n1,2\n")
    assert answer.status_code == 507
    assert "The disk of the server is full" in words_of(answer)
    assert [*browser.session.folder.iterdir()] == []


def test_a_browser_that_goes_away_leaves_nothing(server: ServerState, caplog: pytest.LogCaptureFixture) -> None:
    browser = Browser(server)
    session = browser.session
    headers = {"host": f"127.0.0.1:{PORT}", "cookie": f"{COOKIE}={session.key}", CSRF_HEADER.lower(): session.csrf}
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/open/upload",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    messages = iter([{"type": "http.request", "body": b"a,b\n", "more_body": True}, {"type": "http.disconnect"}])
    seen: list[Path] = []
    answers: list[object] = []

    async def receive() -> Any:
        seen.extend(session.folder.glob("upload-*/*"))
        return next(messages)

    async def send(message: object) -> None:
        answers.append(message)

    asyncio.run(browser.app(scope, receive, send))  # type: ignore[arg-type]
    assert [path.suffix for path in seen] == [".part", ".part"]
    assert [*session.folder.iterdir()] == []
    assert answers == []
    assert caplog.records == []
    assert browser.session.source is None


def test_a_path_is_opened_where_it_is(server: ServerState, tmp_path: Path) -> None:
    own = tmp_path / "people.csv"
    own.write_text("a\n1\n")
    browser = Browser(server)
    assert browser.post_json("/open/path", {"path": str(own)}).json() == {"go": "/inspect"}
    source = browser.session.source
    assert source is not None
    assert (source.path, source.name, source.n_bytes, source.is_upload) == (own, "people.csv", 4, False)


def test_paths_outside_the_data_folder_are_not_found(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "secret.csv").touch()
    browser = Browser(make_server(tmp_path, data_folder=DataFolder(tmp_path / "data")))
    for path in ("../secret.csv", str(tmp_path / "secret.csv"), "/etc/passwd", "", "\0"):
        answer = browser.post_json("/open/path", {"path": path})
        assert answer.status_code == 404
        assert browser.get("/open/folder", params={"path": path or ".."}).status_code == 404
    assert browser.session.source is None


def test_sessions_do_not_open_files_of_each_other(server: ServerState) -> None:
    one, other = opened(server), Browser(server)
    source = one.session.source
    assert source is not None
    assert other.post_json("/open/path", {"path": str(source.path)}).status_code == 404
    assert other.get("/open/folder", params={"path": str(source.path.parent)}).status_code == 404


@pytest.mark.parametrize("body", [{}, {"path": 3}, {"path": None}])
def test_a_path_must_be_a_text(server: ServerState, body: object) -> None:
    assert Browser(server).post_json("/open/path", body).status_code == 400


def test_another_file_ends_what_only_looks_at_the_former_one(server: ServerState) -> None:
    browser = Browser(server)
    browser.post_json("/open/example", {"name": "survey"})
    former = browser.session.source
    assert former is not None
    browser.session.plan_text = "k = 5\n"
    browser.run()
    browser.post_json("/open/example", {"name": "companies"})
    inspection, run, second = browser.queue.processes
    assert [process.last.state for process in (inspection, run, second)] == ["cancelled", "queued", "queued"]
    assert former.path.exists(), "the run still reads it"


def test_examples_are_opened(server: ServerState) -> None:
    browser = Browser(server)
    assert browser.post_json("/open/example", {"name": "companies"}).json() == {"go": "/inspect"}
    assert browser.session.source is not None
    assert browser.session.source.name == "companies.csv"
    assert browser.post_json("/open/example", {"name": "../x"}).status_code == 404
    assert len([*browser.session.folder.glob("upload-*")]) == 1


def test_folders_are_listed_as_the_page_shows_them(server: ServerState, tmp_path: Path) -> None:
    name = "<i>people\u202e.csv"
    (tmp_path / name).write_text("a\n")
    listing = ParsedPage(Browser(server).get("/open/folder", params={"path": str(tmp_path)}).json()["html"])
    assert listing.texts[0] == str(tmp_path)
    assert listing.attributes("data-file") == [str(tmp_path / name)]
    assert "CSV, 2 bytes" in listing.texts
    assert "\u202e" not in listing.text


def test_the_page_has_no_folder_where_paths_are_closed(tmp_path: Path, record: Any) -> None:
    notes = record(open_routes, "open_page")
    browser = Browser(make_server(tmp_path, data_folder=DataFolder(None, is_open=False)))
    assert browser.get("/open").status_code == 200
    assert notes[0][2] is None
    assert browser.post_json("/open/path", {"path": "/etc/passwd"}).status_code == 403
