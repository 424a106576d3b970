"""A released file of any tool is checked against a plan, or k and columns."""

from pathlib import Path
from typing import Any

import pytest

from microagg.app.data_folder import DataFolder
from microagg.app.job import Event
from microagg.app.routes import verify_routes
from microagg.app.same_file import FileMark
from microagg.app.server_state import ServerState
from web_clients import Browser, make_server, words_of

COLUMNS = ["age", "income"]


@pytest.fixture
def visitor(server: ServerState) -> Browser:
    """A browser that has opened nothing."""
    visitor = Browser(server)
    visitor.queue.results["columns"] = {"columns.json": COLUMNS}
    return visitor


def give(visitor: Browser, role: str = "released", name: str = "safe.csv") -> None:
    answer = visitor.upload(f"/verify/upload?role={role}", b"age,income\n1,2\n", name)
    assert answer.json() == {"go": "/verify"}


def test_the_page_knows_the_files_and_the_columns(visitor: Browser, record: Any) -> None:
    notes = record(verify_routes, "verify_page")
    visitor.get("/verify")
    give(visitor)
    give(visitor, "original", "people.csv")
    visitor.get("/verify")
    assert notes[0][1:] == ({}, None, True)
    assert notes[1][1:] == ({"released": "safe.csv", "original": "people.csv"}, COLUMNS, True)
    assert visitor.session.source is None, "the open file is another matter"


def test_columns_of_a_file_that_cannot_be_read_are_unknown(visitor: Browser, record: Any) -> None:
    notes = record(verify_routes, "verify_page")
    visitor.queue.results["columns"] = {}
    give(visitor)
    visitor.get("/verify")
    assert notes[0][2] is None


def test_a_second_file_takes_the_place_of_the_first(visitor: Browser) -> None:
    give(visitor)
    first = visitor.session.verify_form.files["released"]
    give(visitor, name="safer.csv")
    assert visitor.session.verify_form.files["released"].name == "safer.csv"
    assert not first.path.exists()
    assert visitor.post_json("/verify/clear", {"role": "released"}).json() == {"go": "/verify"}
    assert visitor.session.verify_form.files == {}
    assert len([*visitor.session.folder.glob("upload-*")]) == 0


@pytest.mark.parametrize("role", ["", "other", "released "])
def test_unknown_roles_are_refused(visitor: Browser, role: str) -> None:
    assert visitor.upload(f"/verify/upload?role={role}", b"x").status_code == 400
    assert visitor.post_json("/verify/path", {"role": role, "path": "/x"}).status_code == 400
    assert visitor.post_json("/verify/clear", {"role": role}).status_code == 400
    assert [*visitor.session.folder.iterdir()] == []


def test_a_check_by_k_and_columns(visitor: Browser, record: Any) -> None:
    notes = record(verify_routes, "verdict_page")
    give(visitor)
    give(visitor, "original", "people.csv")
    assert visitor.post_json("/verify", {"k": 5, "columns": ["age"]}).json() == {"go": "/verify/1002"}
    job = visitor.queue.processes[-1].job
    files = visitor.session.verify_form.files
    assert job.options == {
        "released": str(files["released"].path),
        "original": str(files["original"].path),
        "released_name": "safe.csv",
        "original_name": "people.csv",
        **{f"{role}_mark": list(FileMark.of(file.path)) for role, file in files.items()},
        "k": 5,
        "columns": ["age"],
    }
    columns_job = visitor.queue.processes[0].job.options
    assert columns_job["source_mark"] == job.options["released_mark"]
    assert 'data-job="1002"' in visitor.get("/verify/1002").text
    assert visitor.get("/verify/1002/document.html").status_code == 404
    visitor.queue.write(job, {"verification.json": {"passed": True}, "verification.html": "<p>PASS</p>"})
    visitor.tell(visitor.queue.processes[-1], Event("done"))
    assert visitor.get("/verify/1002").text == "<p>verdict_page</p>"
    assert notes[0][1:] == (1002, {"passed": True}, {"released": "safe.csv", "original": "people.csv"})
    document = visitor.get("/verify/1002/document.html")
    assert document.text == "<p>PASS</p>"
    assert "script-src" not in document.headers["content-security-policy"]


def test_a_check_by_a_plan(visitor: Browser) -> None:
    give(visitor)
    assert visitor.post_json("/verify", {"plan": "k = 5\n"}).json() == {"go": "/verify/1002"}
    assert visitor.queue.processes[-1].job.options["plan"] == "k = 5\n"


def test_a_check_that_fails_to_be_made_is_its_sentence(visitor: Browser) -> None:
    give(visitor)
    visitor.post_json("/verify", {"plan": "k = 5\n"})
    visitor.tell(visitor.queue.processes[-1], Event("failed", sentence="the release lacks a column"))
    page = visitor.get("/verify/1002")
    assert "the release lacks a column" in page.text
    assert 'href="/verify"' in page.text


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, "either a plan, or k and the columns"),
        ({"k": 5, "columns": ["a"], "plan": "k = 5\n"}, "either a plan, or k and the columns"),
        ({"k": 5, "columns": ["a"], "strict": True}, "either a plan, or k and the columns"),
        ({"columns": ["a"]}, "k must be a whole number"),
        ({"k": "5", "columns": ["a"]}, "k must be a whole number"),
        ({"k": True, "columns": ["a"]}, "k must be a whole number"),
        ({"k": 0, "columns": ["a"]}, "k must be a whole number"),
        ({"k": 5}, "columns that must be k-anonymous together are missing"),
        ({"k": 5, "columns": []}, "columns that must be k-anonymous together are missing"),
        ({"k": 5, "columns": [3]}, "columns that must be k-anonymous together are missing"),
        ({"plan": "kk = 5"}, "kk"),
        ({"plan": "/etc/passwd"}, "not valid TOML"),
        ({"plan": 5}, "a text called plan"),
    ],
)
def test_what_is_no_promise_is_refused(visitor: Browser, body: dict[str, object], sentence: str) -> None:
    give(visitor)
    answer = visitor.post_json("/verify", body)
    assert answer.status_code in (400, 422)
    assert sentence in words_of(answer)
    assert visitor.queue.processes[-1].job.kind == "columns"


def test_without_a_released_file_nothing_is_checked(visitor: Browser) -> None:
    assert visitor.post_json("/verify", {"k": 5, "columns": ["a"]}).status_code == 409


def test_paths_of_the_verify_page_keep_to_the_data_folder(tmp_path: Path, record: Any) -> None:
    notes = record(verify_routes, "verify_page")
    data = tmp_path / "data"
    data.mkdir()
    (data / "safe.csv").write_text("a\n1\n")
    (tmp_path / "secret.csv").write_text("a\n1\n")
    visitor = Browser(make_server(tmp_path, data_folder=DataFolder(data)))
    visitor.queue.results["columns"] = {"columns.json": COLUMNS}
    assert visitor.post_json("/verify/path", {"role": "released", "path": "safe.csv"}).json() == {"go": "/verify"}
    for path in ("../secret.csv", "missing.csv"):
        assert visitor.post_json("/verify/path", {"role": "original", "path": path}).status_code == 404
    assert visitor.post_json("/verify/path", {"role": "plan", "path": "safe.csv"}).status_code == 400
    visitor.get("/verify")
    assert notes[0][1:] == ({"released": "safe.csv"}, COLUMNS, True)


def test_a_file_that_takes_the_place_of_another_ends_the_look_at_that(
    visitor: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verify_routes, "_SECONDS_FOR_COLUMNS", 0.01)
    del visitor.queue.results["columns"]
    give(visitor)
    give(visitor, name="safer.csv")
    assert [process.last.state for process in visitor.queue.processes] == ["cancelled", "queued"]
    visitor.post_json("/verify/clear", {"role": "released"})
    assert visitor.queue.processes[1].is_over
    assert len([*visitor.session.folder.glob("upload-*")]) == 0
