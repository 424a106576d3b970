"""The verdict is PASS or FAIL in words, with every finding and the document to print."""

import numpy as np
import polars as pl

from microagg import Plan, verify
from microagg.app.pages.page_frame import Frame
from microagg.app.pages.verdict_page import verdict_page
from microagg.report.document import as_document
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
    assert "every group has at least 2 records: 2 of 2 to 2 records" in page.text
    assert "checked on its own" in page.text


def test_one_record_alone_fails() -> None:
    page = shown([1.0, 1.0, 5.0], {"released": "safe <b>.csv", "original": "raw.csv"})
    assert "Do not publish this file: 1 of" in page.text
    assert "PASS" not in page.texts[: page.texts.index("FAIL")]
    assert {"safe <b>.csv", "raw.csv", NAME} <= set(page.texts)
    assert "checked on its own" not in page.text


def promised(table: pl.DataFrame, plan: Plan) -> str:
    """Return the words of a verdict by a plan, up to the table of all findings."""
    verification = document_facts(verify(None, table, plan=plan))
    page = sound_page(verdict_page(Frame("verify", "token"), 1004, verification, {"released": "safe.csv"}))
    return page.text.split("What was checked")[0]


def test_of_several_column_sets_no_more_is_said_than_each_holds_on_its_own() -> None:
    table = pl.DataFrame({"a": [1.0, 1.0, 2.0, 2.0], "b": [1.0, 2.0, 1.0, 2.0]})
    text = promised(table, Plan(sets=[{"k": 2, "columns": ["a"]}, {"k": 2, "columns": ["b"]}]))
    assert "PASS" in text
    assert "k reached is 1 on the columns of all 2 column sets together" in text
    assert "each combination of values" not in text


def test_page_and_document_say_that_several_sets_were_verified_each_on_its_own() -> None:
    table = pl.DataFrame({"a": [1.0, 1.0, 2.0, 2.0], "b": [1.0, 2.0, 1.0, 2.0]})
    sentence = "Each column set was verified on its own, not all columns together: k reached is 1"
    for sets, is_told in (([["a"], ["b"]], True), ([["a"]], False)):
        facts = document_facts(verify(None, table, plan=Plan(sets=[{"k": 2, "columns": names} for names in sets])))
        page = verdict_page(Frame("verify", "token"), 1004, facts, {"released": "safe.csv"})
        assert (sentence in page) == is_told
        assert (sentence in as_document(facts)) == is_told


def test_where_units_are_counted_the_verdict_speaks_of_units() -> None:
    table = pl.DataFrame({"a": [1.0, 1.0, 2.0, 2.0], "person": [1, 2, 3, 4]})
    text = promised(table, Plan(k=2, columns=["a"], unit="person"))
    assert "every group has at least 2 units" in text
    assert "records: " not in text
    assert "counted in different values of 'person'" in text


def test_the_document_opens_in_a_tab_of_its_own() -> None:
    page = shown([1.0, 1.0], {"released": "safe.csv"})
    (link,) = [one for tag, one in page.elements if one.get("href") == "/verify/1004/document.html"]
    assert link["target"] == "_blank"
    assert page.attributes("data-print") == [link["href"]]
