"""Documents in a real browser: accessible, within their window, printed without cut rows, with readable charts."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cluster_releases import as_cluster_release
from document_cases import hostile_release, small_comparison
from microagg import verify
from real_browser import violations

OpenDocument = Callable[..., Any]
A4_WIDTH = 680  # pixels between the margins of the page
A4_HEIGHT = 990

DOCUMENTS: dict[str, Callable[[], str]] = {
    "internal": lambda: hostile_release().to_html(),
    "public": lambda: hostile_release().to_html("public"),
    "cluster": lambda: as_cluster_release(hostile_release()).to_html(),
    "verification": lambda: verify(None, [[1.5], [1.5], [2.5]], k=2, columns=[0]).to_html(),
    "comparison": lambda: small_comparison().to_html(),
    "assessment": lambda: _assessment(),
}


def _assessment() -> str:
    assessment = hostile_release().assessment
    assert assessment is not None
    return assessment.to_html()


@pytest.mark.parametrize("which", DOCUMENTS)
def test_no_violation_of_accessibility(which: str, open_document: OpenDocument) -> None:
    assert violations(open_document(DOCUMENTS[which]())) == []


@pytest.mark.parametrize("width", [1200, 800])
@pytest.mark.parametrize("which", DOCUMENTS)
def test_nothing_reaches_beyond_the_window(which: str, width: int, open_document: OpenDocument) -> None:
    page = open_document(DOCUMENTS[which](), width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    beyond = """width => [...document.querySelectorAll('body *')]
        .filter(one => !one.closest('caption') && one.getBoundingClientRect().right > width + 1)
        .map(one => one.outerHTML.slice(0, 80))"""
    assert page.evaluate(beyond, width) == []


@pytest.mark.parametrize("which", ["internal", "public", "comparison"])
def test_texts_of_charts_are_within_their_pictures(which: str, open_document: OpenDocument) -> None:
    page = open_document(DOCUMENTS[which]())
    outside = """() => [...document.querySelectorAll('svg')].flatMap(svg => {
        const [, , width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
        return [...svg.querySelectorAll('text')].filter(text => {
            const box = text.getBBox();
            return box.x < -1 || box.y < -1 || box.x + box.width > width + 1 || box.y + box.height > height + 1;
        }).map(text => text.textContent);
    })"""
    assert page.locator("svg").count() > 0
    assert page.evaluate(outside) == []


@pytest.mark.parametrize("which", ["internal", "public", "comparison"])
def test_texts_of_charts_do_not_overlap(which: str, open_document: OpenDocument) -> None:
    page = open_document(DOCUMENTS[which]())
    overlapping = """() => [...document.querySelectorAll('svg')].flatMap(svg => {
        const texts = [...svg.querySelectorAll('text')].map(text => [text.textContent, text.getBBox()]);
        return texts.flatMap(([one, a], place) => texts.slice(place + 1).filter(([, b]) =>
            a.x + 1 < b.x + b.width && b.x + 1 < a.x + a.width && a.y + 3 < b.y + b.height && b.y + 3 < a.y + a.height
        ).map(([other]) => [one, other]));
    })"""
    assert page.evaluate(overlapping) == []


def test_hostile_names_are_texts(open_document: OpenDocument) -> None:
    page = open_document(DOCUMENTS["internal"]())
    assert page.locator("main script, main b, main i").count() == 0
    assert "Report on a release" in page.title()
    assert page.get_by_text("<script>alert('x')</script>").count() > 0


@pytest.mark.parametrize("which", DOCUMENTS)
def test_print_cuts_no_row_and_repeats_the_heads_of_tables(which: str, open_document: OpenDocument) -> None:
    page = open_document(DOCUMENTS[which](), A4_WIDTH)
    page.emulate_media(media="print")
    styles = """selector => [...document.querySelectorAll(selector)]
        .map(one => getComputedStyle(one)).map(style => [style.breakInside, style.display])"""
    for selector in ("tr", "figure", ".notice", ".signature"):
        assert {inside for inside, _ in page.evaluate(styles, selector)} <= {"avoid"}, selector
    assert {display for _, display in page.evaluate(styles, "thead")} <= {"table-header-group"}
    heights = """selector => [...document.querySelectorAll(selector)].map(one => one.getBoundingClientRect().height)"""
    tallest = page.evaluate(heights, "tr, figure, .notice, .signature")
    assert max(tallest) < A4_HEIGHT, "what must not be cut fits on a page"
    assert page.evaluate("document.documentElement.scrollWidth") <= A4_WIDTH
    printed = page.pdf(prefer_css_page_size=True)
    pages = len(re.findall(rb"/Type\s*/Page\b", printed))
    assert 1 <= pages <= 25


def test_pictures_can_be_taken(open_document: OpenDocument, tmp_path: Path) -> None:
    for which in ("internal", "public"):
        target = tmp_path / f"{which}.png"
        open_document(DOCUMENTS[which]()).screenshot(path=target, full_page=True)
        assert target.read_bytes().startswith(b"\x89PNG")
