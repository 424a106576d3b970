"""The page around every step."""

import pytest

from checked_pages import checked_page
from microagg.app.pages.page_frame import STEPS, Frame, page

HOSTILE = '<img src=x onerror=alert(1)>"&\u202e.csv'


def test_steps_that_are_reached_are_links_and_others_are_not() -> None:
    frame = Frame("settings", "token", "people.csv", frozenset({"open", "inspect", "settings"}))
    found = checked_page(page(frame, "Title", "text"))
    steps = [given for tag, given in found.elements if given.get("class") == "step"]
    assert [given.get("href") for given in steps] == ["/open", "/inspect", "/settings", None, None, None, None]
    assert [given.get("aria-current") for given in steps] == [None, None, "step", *[None] * 4]


@pytest.mark.parametrize(
    ("run", "addresses"), [(3, ["/runs/3", "/compare", "/runs/3/take-home"]), (None, ["/compare"])]
)
def test_runs_are_reached_by_their_number(run: int | None, addresses: list[str]) -> None:
    found = checked_page(page(Frame("compare", "token", "a.csv", frozenset(STEPS), run), "Title"))
    steps = [given["href"] for given in found.of("a") if given.get("class") == "step"]
    assert steps == ["/open", "/inspect", "/settings", "/estimate", *addresses]


def test_the_token_is_there_for_scripts_and_only_in_a_session() -> None:
    found = checked_page(page(Frame("open", 'to"ken'), "Title"))
    assert [given["content"] for given in found.of("meta") if given.get("name") == "microagg-csrf"] == ['to"ken']
    assert found.with_id("end-session")["type"] == "button"
    without = checked_page(page(Frame("", ""), "Title"))
    assert not [given for given in without.of("meta") if given.get("name") == "microagg-csrf"]
    assert not [given for given in without.of("button") if given.get("id") == "end-session"]


def test_hostile_names_and_titles_are_escaped() -> None:
    shown = page(Frame("open", "token", HOSTILE), HOSTILE, HOSTILE)
    found = checked_page(shown)
    assert not found.of("img")
    assert "\u202e" not in found.words
    assert "onerror" in found.words


def test_people_who_do_not_see_or_use_a_mouse_find_their_way() -> None:
    found = checked_page(page(Frame("verify", "token"), "Title"))
    assert found.of("html") == [{"lang": "en-GB"}]
    assert found.of("a")[0] == {"href": "#content", "class": "skip-link"}
    assert found.with_id("message")["role"] == "alert"
    assert [given["aria-label"] for given in found.of("nav")] == ["Steps"]
    assert [given["href"] for given in found.of("a") if given.get("aria-current") == "page"] == ["/verify"]


def test_where_everything_stays_is_told_as_it_is() -> None:
    here = checked_page(page(Frame("open", "token"), "Title"))
    assert "Everything stays on this machine." in here.words
    assert here.with_id("content")["data-place"] == "this machine"
    there = checked_page(page(Frame("open", "token", remote="stats", secure=True), "Title"))
    assert "Everything stays on the server stats." in there.words
    assert "this machine" not in there.words
    assert "NOT ENCRYPTED" not in here.words + there.words


def test_a_server_elsewhere_that_is_reached_without_encryption_is_warned_of() -> None:
    found = checked_page(page(Frame("open", "token", remote="stats"), "Title"))
    assert "NOT ENCRYPTED" in found.words
    assert "What you send to the server stats, and what it sends back, can be read by others" in found.words


def test_scripts_and_styles_are_files() -> None:
    found = checked_page(page(Frame("open", "token"), "Title", scripts=("open.js",), styles=("results.css",)))
    assert [given["src"] for given in found.of("script")] == ["/static/theme.js", "/static/app.js", "/static/open.js"]
    sheets = [given["href"] for given in found.of("link") if given["rel"] == "stylesheet"]
    assert sheets == ["/static/app.css", "/static/results.css"]
