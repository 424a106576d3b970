"""The verdict is PASS or FAIL in words, with every finding and the document to print."""

import numpy as np
import polars as pl

from microagg import verify
from microagg.app.pages.page_frame import Frame
from microagg.app.pages.verdict_page import verdict_page
from microagg.report.document_facts import document_facts
from page_checks import ParsedPage, sound_page

NAME = "<script>alert(1)</script>"


def shown(values: list[float], files: dict[str, str]) -> ParsedPage:
    """Return the verdict on a column of values, by k = 2."""
    table = pl.DataFrame({NAME: np.array(values)})
    verification = document_facts(verify(None, table, k=2, columns=[NAME]))
    return sound_page(verdict_page(Frame("verify", "token"), 1004, verification, files))


def test_a_sound_release_passes() -> None:
    page = shown([1.0, 1.0, 5.0, 5.0], {"released": "safe.csv"})
    assert "PASS" in page.texts
    assert "FAIL" not in page.texts
    assert "shared by at least 2 records" in page.text
    assert "checked alone" in page.text


def test_one_record_alone_fails() -> None:
    page = shown([1.0, 1.0, 5.0], {"released": "safe <b>.csv", "original": "raw.csv"})
    assert "Do not publish this file: 1 of" in page.text
    assert "PASS" not in page.texts[: page.texts.index("FAIL")]
    assert {"safe <b>.csv", "raw.csv", NAME} <= set(page.texts)
    assert "checked alone" not in page.text


def test_the_document_opens_in_a_tab_of_its_own() -> None:
    page = shown([1.0, 1.0], {"released": "safe.csv"})
    (link,) = [one for tag, one in page.elements if one.get("href") == "/verify/1004/document.html"]
    assert link["target"] == "_blank"
    assert page.attributes("data-print") == [link["href"]]
