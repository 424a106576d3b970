"""Fixtures of tests in a real browser; these tests are skipped, with the reason, where there is none."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from patience import PATIENCE
from real_browser import browser

__all__ = ["browser"]


@pytest.fixture
def open_document(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Return a function that opens a document in a window of some width; nothing may be fetched but the file itself."""
    pages: list[Any] = []
    requested: list[str] = []

    def opened(document: str, width: int = 1200) -> Any:
        path = tmp_path / "report.html"
        path.write_text(document, encoding="utf-8")
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.set_default_timeout(1000 * PATIENCE)
        page.on("request", lambda request: requested.append(request.url))
        page.on("pageerror", lambda error: requested.append(f"error: {error}"))
        page.on("console", lambda message: requested.append(f"console: {message.text}"))
        page.goto(path.as_uri())
        pages.append(page)
        return page

    yield opened
    own = (tmp_path / "report.html").as_uri()
    assert [url for url in requested if url != own] == []
    for page in pages:
        page.close()
