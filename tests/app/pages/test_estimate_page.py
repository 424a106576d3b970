"""The page before a run."""

from checked_pages import checked_page
from microagg.app.pages.estimate_page import estimate_page
from microagg.app.pages.page_frame import Frame
from microagg.model.run_estimate import Estimate
from microagg.report.facts import facts

FRAME = Frame("estimate", "token", "people.csv", frozenset({"open", "inspect", "settings", "estimate"}))


def test_sentences_time_memory_and_reasons_are_shown() -> None:
    estimate = facts(Estimate(12_000, 90.0, 2 * 10**9, at_least=True, reasons=("<b> takes longer",)))
    found = checked_page(estimate_page(FRAME, ["“<i>” is protected.", "Nothing else."], estimate, "0f5a"))
    assert "“<i>” is protected." in found.words
    assert "at least 90 s" in found.words
    assert "about 2 GB, in memory" in found.words
    assert "<b> takes longer." in found.words
    posting = [given for given in found.of("button") if "data-post" in given]
    assert [(given["data-post"], given["data-body"]) for given in posting] == [("/runs", '{"plan": "0f5a"}')]
    assert "/settings" in [given["href"] for given in found.of("a") if given.get("class") == "button"]


def test_a_time_that_is_unknown_is_told() -> None:
    text = checked_page(estimate_page(FRAME, [], facts(Estimate(12, None, 10**6, out_of_core=True)), "")).words
    assert "unknown" in text
    assert "out of core" in text
