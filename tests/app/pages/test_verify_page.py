"""The verify page asks for a file and for what is promised of it, whatever the names of columns are."""

from microagg.app.pages.page_frame import Frame
from microagg.app.pages.verify_page import verify_page
from page_checks import ParsedPage, sound_page

HOSTILE = ["", '"><script>alert(1)</script>', "line\nbreak", "a 'quote'"]


def shown(*given: object, **options: object) -> ParsedPage:
    """Return the verify page."""
    return sound_page(verify_page(Frame("verify", "token"), *given, **options))  # type: ignore[arg-type]


def test_an_empty_page_asks_for_files() -> None:
    page = shown({}, None)
    assert page.attributes("data-upload") == ["/verify/upload?role=released", "/verify/upload?role=original"]
    assert page.attributes("data-path") == ["released", "original"]
    assert "its columns are listed here" in page.text


def test_paths_are_asked_for_only_where_they_may_be_named() -> None:
    assert shown({}, None, has_folder=False).attributes("data-path") == []


def test_a_given_file_can_be_replaced() -> None:
    page = shown({"released": "safe <b>.csv"}, ["x"])
    assert "safe <b>.csv" in page.texts
    assert page.attributes("data-clear") == ["released"]
    assert page.attributes("data-upload") == ["/verify/upload?role=original"]


def test_columns_are_sent_exactly_as_they_are_named() -> None:
    page = shown({"released": "safe.csv"}, HOSTILE)
    sent = [one["value"] for tag, one in page.elements if tag == "input" and one.get("name") == "columns"]
    assert sent == HOSTILE


def test_columns_that_are_not_known_are_typed() -> None:
    page = shown({"released": "safe.csv"}, None)
    assert "typed-columns" in page.attributes("id")
    assert "its columns are listed here" not in page.text


def test_many_columns_can_be_searched() -> None:
    assert "find-column" in shown({"released": "a"}, [f"c{n}" for n in range(30)]).attributes("id")
    assert "find-column" not in shown({"released": "a"}, ["c"]).attributes("id")


def test_on_a_server_elsewhere_nothing_is_said_to_stay_on_this_machine() -> None:
    page = sound_page(verify_page(Frame("verify", "token", remote="stats.example.org"), {}, None))
    assert "this machine" not in page.text
    assert "Or its path on the server stats.example.org" in page.text
