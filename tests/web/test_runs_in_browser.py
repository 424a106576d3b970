"""Runs in a real browser: live, found again after a reload, stopped with the best so far, apart from other sessions."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from patience import wait_until
from real_browser import check_both_themes
from web_walk import QUICK_PLAN, WebWalk, long_plan, long_table

Enter = Any
Serve = Any


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a table whose run takes minutes, unless it is stopped."""
    return long_table(tmp_path_factory.mktemp("large"))


def under_way(walk: WebWalk, table: Path) -> WebWalk:
    """Start a run that takes minutes, and wait until it tells the loss."""
    walk.open_path(table)
    walk.set_plan(long_plan())
    walk.estimate()
    walk.run()
    walk.page.locator("#live-curve svg").wait_for()
    return walk


def test_a_run_is_live_is_found_again_and_stops_with_the_best_so_far(enter: Enter, large: Path) -> None:
    walk = under_way(enter(), large)
    assert "%" in walk.page.locator("#loss").inner_text()
    drawn = walk.page.locator("#live-curve svg").evaluate("svg => svg.innerHTML")
    walk.page.wait_for_function("before => document.querySelector('#live-curve svg').innerHTML !== before", arg=drawn)
    check_both_themes(walk.page)
    walk.page.reload()
    walk.heading("Run 1")
    walk.page.locator("#live-curve svg").wait_for()

    again = WebWalk(walk.page.context.new_page(), walk.root)
    walk.page.close()
    again.go("/")
    assert again.page.url.endswith("/runs/1"), "the address without a step leads to the run"
    again.press("Stop and keep the best so far")
    again.await_report()
    again.page.get_by_text("STOPPED EARLY").first.wait_for()
    again.page.get_by_text("VERIFIED", exact=True).wait_for()
    again.go("/runs/1/take-home")
    again.page.get_by_text("THIS RUN CANNOT BE REPEATED EXACTLY").wait_for()


def test_sessions_do_not_see_each_other_and_wait_for_each_other(enter: Enter, large: Path) -> None:
    first = under_way(enter(), large)
    second = enter()
    for address in ("/runs/1", "/runs/1/take-home", "/runs/1/files/safe.csv", "/jobs/1/events", "/jobs/1001/events"):
        assert second.page.request.get(second.root + address).status == 404, address
    second.open_example()
    second.set_plan(QUICK_PLAN)
    second.estimate()
    assert second.run() == 1, "numbers are those of the session"
    second.page.get_by_text("place 1 in the queue").wait_for()
    assert first.page.get_by_role("button", name="Stop and keep the best so far").is_enabled()
    second.press("Take it out of the queue")
    second.page.get_by_text("THE RUN WAS CANCELLED").wait_for()
    second.go("/estimate")
    assert second.run() == 2
    first.press("Stop and keep the best so far")
    first.await_release()
    first.press("Skip the measurement")
    second.await_report()


def test_a_killed_server_leaves_no_process_and_the_next_one_sweeps(
    enter: Enter, serve: Serve, large: Path, tmp_path: Path
) -> None:
    served = serve(tmp_path)
    walk = under_way(enter(served, expected=("ERR_",)), large)
    children = served.children()
    assert children != []
    served.end(signal.SIGKILL)
    walk.page.locator("#message", has_text="The server does not answer").wait_for()
    wait_until(lambda: not any(is_alive(child) for child in children), "the children have ended")
    assert len(served.folders()) == 1, "a killed server cannot clean up"
    (left,) = served.folders()
    again = serve(tmp_path)
    assert left not in again.folders()


def is_alive(number: int) -> bool:
    """Check whether a process works; one that has ended and is not collected yet does not."""
    status = Path(f"/proc/{number}/stat")
    try:
        os.kill(number, 0)
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
