"""The way of a user through the pages, in a real browser: each method goes one step."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
"""Names of browsers that are looked for in the PATH."""

QUICK_PLAN = """\
k = 5
columns = ["age", "hours", "income"]
identifiers = ["person_id"]
strata = ["region"]
weight = "weight"
missing = "pattern"
effort = "quick"
"""
"""A plan of the example survey that is carried out within seconds."""

_MILLISECONDS_BETWEEN_LOOKS = 200
_MOST_LOOKS = 3000
_LONG_COLUMNS = tuple(f"x{number}" for number in range(6))


def long_table(folder: Path, n_records: int = 4000) -> Path:
    """Write a table to a folder, whose run by `long_plan` takes minutes unless it is stopped; return its path."""
    rng = Random(24)
    rows = (",".join(f"{rng.gauss(0, 1):.3f}" for _ in _LONG_COLUMNS) for _ in range(n_records))
    path = folder / "large.csv"
    path.write_text("\n".join([",".join(_LONG_COLUMNS), *rows, ""]), encoding="utf-8")
    return path


def long_plan() -> str:
    """Return a plan of `long_table`."""
    return f'k = 5\ncolumns = {list(_LONG_COLUMNS)}\neffort = "thorough"\n'


@contextmanager
def chromium() -> Iterator[Any]:
    """Start the Chromium of this machine without a window.

    Raises
    ------
    ModuleNotFoundError
        If Playwright is not installed.
    FileNotFoundError
        If there is no browser.
    """
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise FileNotFoundError(f"none of {', '.join(BROWSERS)} is in the PATH: install one of them")
    as_root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=as_root)
        try:
            yield browser
        finally:
            browser.close()


class WebWalk:
    """Visitor of the pages.

    Parameters
    ----------
    page
        Page of the browser.
    root
        Address of the server, without a token.
    """

    def __init__(self, page: Any, root: str) -> None:
        self.page = page
        self.root = root

    def go(self, address: str) -> None:
        """Go to an address of the server."""
        self.page.goto(self.root + address)

    def press(self, name: str) -> None:
        """Press a button, or follow a link that looks like one."""
        found = self.page.get_by_role("button", name=name, exact=True)
        found.or_(self.page.get_by_role("link", name=name, exact=True)).first.click()

    def heading(self, text: str) -> None:
        """Wait for the page of a heading."""
        self.page.get_by_role("heading", level=1, name=text).wait_for()

    def open_example(self, title: str = "A survey of persons") -> None:
        """Open an example, and wait until its columns are shown."""
        self.go("/open")
        self.press(f"Try: {title}")
        self.await_inspection()

    def open_path(self, path: Path) -> None:
        """Open a file by its path, and wait until its columns are shown."""
        self.go("/open")
        self.page.get_by_label("Path of the file").fill(str(path))
        self.press("Open")
        self.await_inspection()

    def give_release(self, file: Any) -> None:
        """Give the released file to the verify page, and wait until its columns are listed.

        Where they are not read within seconds, the page asks for their names; loaded later, it lists them.
        """
        self.page.locator("#released-file").set_input_files(file)
        self.page.get_by_role("button", name="Released file: take another file").wait_for()
        for _ in range(_MOST_LOOKS):
            if self.page.locator("#columns").count():
                return
            self.page.wait_for_timeout(_MILLISECONDS_BETWEEN_LOOKS)
            self.page.reload()
        raise RuntimeError("the columns of the released file are not listed")

    def await_inspection(self) -> None:
        """Wait until the columns of a file are shown."""
        self.page.locator("#columns, table tbody tr[data-name]").first.wait_for()

    def set_plan(self, text: str) -> None:
        """Write a plan into the text area of the settings, and wait until the form agrees."""
        self.go("/settings")
        self.write_plan(text)

    def write_plan(self, text: str) -> None:
        """Write a plan into the text area, and wait until the form agrees."""
        with self.page.expect_response("**/plan/text"):
            self.page.locator("#plan-text").fill(text)
        self.await_agreement()

    def choose(self, label: str, value: str) -> None:
        """Choose a word in a list of the form, and wait until the plan agrees."""
        with self.page.expect_response("**/plan/form"):
            self.page.get_by_label(label, exact=True).select_option(value)
        self.await_agreement()

    def fill(self, label: str, value: str) -> None:
        """Fill a field of the form, and wait until the plan agrees."""
        with self.page.expect_response("**/plan/form"):
            self.page.get_by_label(label, exact=True).fill(value)
        self.await_agreement()

    def await_agreement(self) -> None:
        """Wait until form and plan agree."""
        self.page.locator("#plan-state", has_text="Form and plan agree.").wait_for()

    def estimate(self) -> None:
        """Go on from the settings to the estimate."""
        self.press("Go on to the estimate")
        self.page.get_by_role("button", name="Run", exact=True).wait_for()

    def run(self) -> int:
        """Start a run from the estimate, and return its number."""
        self.press("Run")
        self.page.wait_for_url("**/runs/*")
        return int(self.page.url.rpartition("/")[2])

    def await_release(self) -> None:
        """Wait until the run that is shown has a release; raise `RuntimeError` if it fails."""
        released = self.page.locator("main a.button", has_text="Take home")
        failed = self.page.locator(".notice.bad").or_(self.page.get_by_text("THE RUN WAS CANCELLED"))
        released.or_(failed).first.wait_for()
        if not released.count():
            raise RuntimeError(failed.first.inner_text())

    def confirm_warnings(self) -> None:
        """Say on the page of what is taken home that the warnings were read."""
        self.page.locator("details.confirmed:not([open]) > summary").click()

    def await_report(self) -> None:
        """Wait until the release that is shown is measured."""
        self.await_release()
        self.page.locator(".document").wait_for()

    def run_plan(self, text: str) -> int:
        """Carry out a plan, wait until its release is measured, and return the number of the run."""
        self.set_plan(text)
        self.estimate()
        number = self.run()
        self.await_report()
        return number
