"""The browser of tests in a real one, which are skipped, with the reason, where there is none; and what axe finds."""

from collections.abc import Iterator
from typing import Any

import pytest

from web_walk import chromium


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Return a headless Chromium of this machine."""
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install 'microagg[browser]'")
    try:
        started = chromium()
        found = started.__enter__()
    except FileNotFoundError as missing:
        pytest.skip(str(missing))
    yield found
    started.__exit__(None, None, None)


def violations(page: Any) -> list[tuple[str, list[str]]]:
    """Return what is not accessible on a page: rules of axe, and some elements that violate each."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    found = axe.Axe().run(page)
    return [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found.response["violations"]]


def check_both_themes(page: Any) -> None:
    """Check that a page, as it is shown now, is accessible in light and in dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert violations(page) == [], scheme
