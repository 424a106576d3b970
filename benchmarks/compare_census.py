"""Time of a comparison on Census: three k with four methods, measured and recommended; and its report as a picture.

Prints the seconds of the whole, and what is recommended. The kernels are compiled before, on a few records.
"""

import argparse
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from microagg import Comparison, Run, compare, datasets
from microagg.report import report

_SIZES = (3, 5, 10)
_METHODS = ("mdav", "v-mdav", "mdav+descent", "search")
_WARMING_RECORDS = 60


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--methods", default=",".join(_METHODS), help="methods, separated by commas")
    parser.add_argument("--workers", type=int, help="number of threads")
    parser.add_argument("--picture", type=Path, help="write a picture of the report to this PNG file")
    given = parser.parse_args()
    methods = given.methods.split(",")
    X = datasets.matrix("census")
    compare(X[:_WARMING_RECORDS], _SIZES, methods)
    comparison, seconds = _timed(datasets.load("census"), methods, given.workers)
    print(comparison.summary())
    print(f"\n{len(comparison.candidates)} candidates in {seconds:.1f} s")
    if given.picture is not None:
        _take_picture(report(comparison, "html"), given.picture)


def _timed(table: Any, methods: list[str], workers: int | None) -> tuple[Comparison, float]:
    """Compare, and return how many seconds it took, too."""
    begin = time.perf_counter()
    comparison = compare(table, _SIZES, methods, columns=table.names, run=Run(workers=workers))
    return comparison, time.perf_counter() - begin


def _take_picture(document: str, picture: Path) -> None:
    """Write a picture of the section with the map and the table, as a headless Chromium shows it."""
    from playwright.sync_api import sync_playwright

    as_root = ["--no-sandbox"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder, "report.html")
        file.write_text(document, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=as_root)
        page = browser.new_page(viewport={"width": 900, "height": 900})
        page.goto(file.as_uri())
        page.locator("#comparison").screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    main()
