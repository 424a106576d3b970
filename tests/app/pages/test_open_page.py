"""The page on which a file is opened."""

import json

from checked_pages import checked_page
from microagg.app.data_folder import FolderEntry, FolderListing
from microagg.app.example_tables import EXAMPLES
from microagg.app.pages.open_page import open_page
from microagg.app.pages.page_frame import Frame
from microagg.source.file_kinds import FORMATS

FRAME = Frame("open", "token")
HOSTILE = '"><script>alert(1)</script>.csv'


def test_files_and_folders_are_buttons_with_their_paths() -> None:
    entries = (
        FolderEntry("2025", "/data/2025", is_folder=True),
        FolderEntry(HOSTILE, f"/data/{HOSTILE}", is_folder=False, n_bytes=1_500_000, kind="CSV"),
    )
    found = checked_page(open_page(FRAME, EXAMPLES, FolderListing("/data", "/", entries), 2_000_000_000))
    folders = [given["data-folder"] for given in found.of("button") if "data-folder" in given]
    files = [given["data-file"] for given in found.of("button") if "data-file" in given]
    assert folders == ["/", "/data/2025"]
    assert files == [f"/data/{HOSTILE}"]
    assert "CSV, 1.5 MB" in found.words
    assert "Up to 2.0 GB" in found.words


def test_examples_are_posted_by_their_names() -> None:
    found = checked_page(open_page(FRAME, EXAMPLES, None, 1000))
    posted = [
        json.loads(given["data-body"]) for given in found.of("button") if given.get("data-post") == "/open/example"
    ]
    assert posted == [{"name": example.name} for example in EXAMPLES]
    assert all(example.sentence in found.words for example in EXAMPLES)


def test_where_paths_are_closed_none_is_asked_for() -> None:
    found = checked_page(open_page(FRAME, (), None, 1000))
    assert not [given for given in found.of("input") if given.get("id") == "path"]
    assert "path" not in found.words


def test_on_a_server_elsewhere_files_are_said_to_be_there() -> None:
    frame = Frame("open", "token", remote="stats")
    found = checked_page(open_page(frame, (), FolderListing("/data", None, ()), 1000))
    assert "It is read on the server stats" in found.words
    assert "A file on the server stats" in found.words
    assert "this machine" not in found.words


def test_while_a_run_works_the_page_leads_to_it_and_asks_before_another_file_is_opened() -> None:
    found = checked_page(open_page(FRAME, EXAMPLES, FolderListing("/data", None, ()), 1000, working_run=3))
    assert "/runs/3" in [given["href"] for given in found.of("a")]
    questions = found.attributes("data-question")
    assert len(questions) == 2 + len(EXAMPLES), "for an upload, for a path, and for each example"
    assert all(question.startswith("Run 3 is not over.") for question in questions)
    assert not checked_page(open_page(FRAME, EXAMPLES, None, 1000)).attributes("data-question")


def test_an_empty_folder_is_told() -> None:
    found = checked_page(open_page(FRAME, (), FolderListing("/data", None, ()), 1000))
    assert "There is no file here that can be read." in found.words


def test_every_kind_of_file_is_named() -> None:
    text = checked_page(open_page(FRAME, (), None, 1000)).words
    for form in FORMATS.values():
        assert all(f"{ending} " in f"{text.replace(',', ' ')} " for ending in form.suffixes[:-1])
        assert form.suffixes[-1] in text
