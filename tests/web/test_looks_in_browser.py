"""Looks of the pages in a real browser: accessible in light and dark, within narrow windows, usable by keyboard."""

from typing import Any

import pytest

from real_browser import check_both_themes, violations
from web_walk import WebWalk

Enter = Any
ADDRESSES = {
    "open": "/open",
    "inspect": "/inspect",
    "settings": "/settings",
    "estimate": "/estimate",
    "result": "/runs/1",
    "compare": "/compare",
    "take home": "/runs/2/take-home",
    "verify": "/verify",
    "ended": "/ended",
}
BEYOND = """() => [...document.querySelectorAll('body *')]
    .filter(one => !one.closest('.table-scroll, .visually-hidden, caption, pre, svg'))
    .filter(one => one.getBoundingClientRect().right > innerWidth + 1)
    .map(one => one.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("step", ADDRESSES)
def test_no_violation_of_accessibility_in_light_and_dark(step: str, shown: WebWalk) -> None:
    shown.go(ADDRESSES[step])
    check_both_themes(shown.page)


def test_everything_that_can_be_unfolded_is_accessible(shown: WebWalk) -> None:
    for address in ("/open", "/settings", "/runs/1"):
        shown.go(address)
        shown.page.evaluate("() => document.querySelectorAll('details').forEach(one => { one.open = true; })")
        assert violations(shown.page) == [], address


@pytest.mark.parametrize("width", [1280, 800, 400])
def test_no_page_scrolls_sideways(width: int, shown: WebWalk) -> None:
    shown.page.set_viewport_size({"width": width, "height": 900})
    for address in ADDRESSES.values():
        shown.go(address)
        assert shown.page.evaluate("document.documentElement.scrollWidth") <= width, address
        assert shown.page.evaluate(BEYOND) == [], address


def test_a_theme_that_is_chosen_is_remembered(enter: Enter) -> None:
    walk = enter()
    background = "getComputedStyle(document.body).backgroundColor"
    light = walk.page.evaluate(background)
    walk.page.get_by_label("Theme").select_option("dark")
    dark = walk.page.evaluate(background)
    assert dark != light
    walk.go("/verify")
    assert walk.page.evaluate(background) == dark
    walk.page.get_by_label("Theme").select_option("auto")
    assert walk.page.evaluate(background) == light


class Keyboard:
    """A visitor who has no mouse.

    Parameters
    ----------
    walk
        The visitor.
    """

    def __init__(self, walk: WebWalk) -> None:
        self.walk = walk
        self.page = walk.page

    def reach(self, name: str) -> None:
        """Press Tab until the element of a name, a text or an id has the focus, which must be seen."""
        for _ in range(150):
            self.page.keyboard.press("Tab")
            if name in self.page.evaluate(
                """() => { const one = document.activeElement;
                    return [one.ariaLabel, one.id, one.textContent.trim()]; }"""
            ):
                assert self.page.evaluate("document.activeElement.matches(':focus-visible')")
                return
        pytest.fail(f"{name} cannot be reached by the keyboard")

    def press(self, name: str) -> None:
        """Press Enter on an element."""
        self.reach(name)
        self.page.keyboard.press("Enter")

    def choose(self, name: str, letter: str) -> None:
        """Choose a word in a list by its first letter, and wait until the plan has it."""
        self.reach(name)
        with self.page.expect_response("**/plan/form"):
            self.page.keyboard.press(letter)
        self.walk.await_agreement()


def test_the_whole_way_by_the_keyboard_alone(enter: Enter) -> None:
    walk = enter()
    keys = Keyboard(walk)
    keys.press("Skip to the contents")
    keys.press("Try: A survey of persons")
    walk.await_inspection()
    keys.press("Go on to the settings")
    walk.heading("Roles and settings")
    keys.choose("effort-1", "Q")
    keys.press("Go on to the estimate")
    walk.page.get_by_role("button", name="Run", exact=True).wait_for()
    keys.press("Run")
    walk.await_report()
    keys.press("Take home")
    walk.heading("take home")
    for question in walk.page.locator("details.confirmed > summary").all_inner_texts():
        keys.press(question)
    with walk.page.expect_download() as begun:
        keys.press("Download the released file")
    assert begun.value.suggested_filename == "safe.csv"
