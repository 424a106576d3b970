"""The verify page in a real browser: a release passes, or fails, and the document opens."""

from pathlib import Path

import pytest

from microagg.report.words import PASS_LIMITED
from real_browser import check_both_themes
from web_walk import QUICK_PLAN, WebWalk

COLUMNS = ("age", "hours", "income")


@pytest.fixture
def release(shown: WebWalk, tmp_path: Path) -> Path:
    """Return the released file of a run with k = 5."""
    path = tmp_path / "safe.csv"
    path.write_bytes(shown.page.request.get(f"{shown.root}/runs/1/files/safe.csv").body())
    return path


def give_release(walk: WebWalk, path: Path) -> None:
    """Upload a released file, in place of a former one."""
    walk.go("/verify")
    former = walk.page.get_by_role("button", name="Released file: take another file")
    if former.count():
        former.click()
        former.wait_for(state="detached")
    walk.give_release(path)
    walk.page.get_by_role("checkbox", name="income").wait_for()


@pytest.mark.parametrize(("k", "verdict"), [(5, PASS_LIMITED), (6, "FAIL")])
def test_k_and_columns(shown: WebWalk, release: Path, k: int, verdict: str) -> None:
    give_release(shown, release)
    for name in COLUMNS:
        shown.page.get_by_role("checkbox", name=name, exact=True).check()
    shown.page.get_by_label("k", exact=True).fill(str(k))
    shown.press("Check the release")
    shown.heading("Verdict")
    assert shown.page.locator(".verdict-word").inner_text() == verdict
    check_both_themes(shown.page)
    with shown.page.context.expect_page() as opened:
        shown.press("Open the document")
    opened.value.wait_for_load_state()
    assert verdict in opened.value.locator("main").inner_text()
    opened.value.close()


def test_k_and_plan_are_kept_while_files_are_given(shown: WebWalk, release: Path) -> None:
    give_release(shown, release)
    shown.page.get_by_label("k", exact=True).fill("7")
    shown.page.get_by_label("a plan", exact=True).check()
    shown.page.get_by_label("Plan", exact=True).fill(QUICK_PLAN)
    shown.page.locator("#original-file").set_input_files(release)
    other = shown.page.get_by_role("button", name="Original file: take another file")
    other.wait_for()
    assert shown.page.get_by_label("Plan", exact=True).input_value() == QUICK_PLAN
    shown.page.get_by_label("k and some columns", exact=True).check()
    assert shown.page.get_by_label("k", exact=True).input_value() == "7"
    other.click()
    other.wait_for(state="detached")


def test_a_plan(shown: WebWalk, release: Path) -> None:
    give_release(shown, release)
    shown.page.get_by_label("a plan", exact=True).check()
    shown.page.get_by_label("Plan", exact=True).fill(QUICK_PLAN)
    shown.press("Check the release")
    shown.heading("Verdict")
    assert shown.page.locator(".verdict-word").inner_text() == PASS_LIMITED


def test_reports_are_read_in_a_tab_of_their_own(shown: WebWalk) -> None:
    shown.go("/runs/1/take-home")
    shown.confirm_warnings()
    for name, words in (("public", "Report on a release"), ("internal", "Report on a release")):
        with shown.page.context.expect_page() as opened:
            shown.press(f"Read the {name} report in a new tab")
        opened.value.wait_for_load_state()
        assert words in opened.value.title()
        opened.value.close()
