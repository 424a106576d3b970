"""The page of a release tells the verdict first, what it lost and risks, and what it does not know yet."""

from typing import Any

import pytest

from document_cases import HOSTILE_NAMES
from microagg.app.job import Event
from microagg.app.pages.page_frame import Frame
from microagg.app.pages.result_page import result_page
from microagg.report.shown_text import shown_name
from page_checks import ParsedPage, sound_page
from release_facts import hostile, released

HISTORY = [{"elapsed": 0.5, "loss": 9.0, "bound": None}, {"elapsed": 3.0, "loss": 8.0, "bound": 7.5}]
PART = {"part": "north", "n_records": 20, "n_groups": 4, "sse": 1.0, "lower_bound": None, "gap": None}
DONE = Event("done", elapsed=12.0)


LIMITED = "VERIFIED ON THE PROTECTED COLUMNS ONLY"


def shown(release: Any, document: Any, last: Event = DONE, history: Any = HISTORY) -> ParsedPage:
    """Return the page of a release."""
    return sound_page(result_page(Frame("run", "token"), 3, release, document, history, last))


def headings(page: ParsedPage) -> list[str]:
    """Return the ids of the sections of the document."""
    return [one["id"] for tag, one in page.elements if tag == "section" and "id" in one]


def test_a_finished_release_is_verified_and_has_every_section() -> None:
    page = shown(*released())
    assert LIMITED in page.texts
    assert headings(page)[:2] == ["warnings", "details"]
    assert {"columns", "verification", "risk", "utility", "distributions", "groups", "provenance"} <= set(
        headings(page)
    )
    assert "Record linkage by distance" in page.texts
    assert page.attributes("data-job") == []
    assert "/runs/3/take-home" in page.attributes("href")


def test_what_holds_of_the_protected_columns_only_is_amber_and_its_warnings_are_counted() -> None:
    markup = result_page(Frame("run", "token"), 3, *released(), [], DONE)
    assert 'class="notice good"' not in markup
    assert markup.index(LIMITED) < markup.index("2 WARNINGS") < markup.index("/runs/3/take-home")


def test_cards_tell_loss_bound_and_gap() -> None:
    release, document = released(information_loss=8.0, gap=0.25, status="bounded")
    page = shown(release, document)
    assert {"8.00\u202f%", "6.00\u202f%", "25.00\u202f%"} <= set(page.texts)
    assert "Better groups exist" in page.texts
    assert "Better groups exist" not in shown(*released(improved=None)).texts
    assert "To prove more" not in page.texts
    assert "To prove more" in shown(*released(bound_ended_by="effort")).texts


def test_nothing_is_said_of_a_bound_that_was_not_proved() -> None:
    page = shown(*released(gap=None, status="heuristic"), history=[])
    assert not {"Proved bound", "Gap"} & set(page.texts)


@pytest.mark.parametrize(
    ("method", "parts", "divided"),
    [("search", [], False), ("search in blocks", [], True), ("search", [PART, PART], True)],
)
def test_the_curve_of_divided_records_is_explained(method: str, parts: list[Any], divided: bool) -> None:
    page = shown(*released(method=method, parts=parts))
    assert any(text.startswith("The records were divided") for text in page.texts) == divided


def test_a_proved_optimum_is_called_so() -> None:
    assert "optimal" in shown(*released(gap=0.0, status="optimal")).texts


def test_while_risk_is_measured_the_verdict_is_there_already() -> None:
    release, _ = released()
    page = shown(release, None, Event("released", "record_linkage", 0.4, elapsed=5.0))
    assert "k HOLDS ON THE PROTECTED COLUMNS ONLY" in page.texts
    assert "VERIFIED" not in page.text, "the independent check is still to come"
    assert "Risk is being measured …" in page.texts
    for one in release["verdict"]["warnings"]:
        assert page.texts.count(one["title"]) == 1
    assert "Measuring risk and utility: record linkage" in page.texts
    assert page.attributes("data-job") == ["3"]
    assert "released" not in page.attributes("data-reload-on")[0].split()


def test_a_release_that_was_not_measured_says_so() -> None:
    release, _ = released()
    page = shown(release, None, Event("done", sentence="The process was ended by signal 9."))
    assert "THE REPORT WAS NOT MADE" in page.texts
    assert "The process was ended by signal 9." in page.text
    assert "Risk was not measured." in page.texts
    assert page.attributes("data-job") == []


def test_a_document_without_an_assessment_is_shown_with_its_warning() -> None:
    release, document = released()
    page = shown(release, {**document, "assessment": None})
    assert "RISK AND UTILITY WERE NOT MEASURED" in page.texts
    assert "Risk was not measured." in page.texts


@pytest.mark.parametrize("has_document", [True, False])
def test_groups_below_k_are_shouted(has_document: bool) -> None:
    release, document = released(verified=False)
    for facts in (release, document):
        facts["verdict"].update(tone="not verified", headline="not verified")
    page = shown(release, document if has_document else None)
    assert "NOT VERIFIED: DO NOT RELEASE" in page.texts
    assert "VERIFIED" not in page.texts
    assert "k HOLDS" not in page.texts


def test_a_failed_check_is_shouted() -> None:
    release, document = released()
    document["verification"]["passed"] = False
    document["verification"]["findings"][0]["passed"] = False
    assert "NOT VERIFIED: DO NOT RELEASE" in shown(release, document).texts


@pytest.mark.parametrize(("ended_by", "who"), [("cancelled", "by you"), ("time_limit", "by the time limit")])
def test_a_run_that_was_stopped_early_says_so(ended_by: str, who: str) -> None:
    page = shown(*released(ended_by=ended_by, reproducible=False))
    assert "STOPPED EARLY" in page.texts
    assert f"The search was ended {who}" in page.text
    assert "not exactly" in page.texts


def test_a_proof_that_was_stopped_early_says_so() -> None:
    page = shown(*released(ended_by=None, bound_ended_by="time_limit", reproducible=False))
    assert "The proof of the bound was ended by the time limit" in page.text


def test_records_that_were_grouped_roughly_are_told_once() -> None:
    release, document = released(fallback_share=0.12)
    for facts in (release, document):
        facts["verdict"]["warnings"].append({"about": "", "title": "RECORDS WERE GROUPED ROUGHLY", "sentence": "12 %"})
    assert shown(release, None).texts.count("RECORDS WERE GROUPED ROUGHLY") == 1
    assert shown(release, document).texts.count("RECORDS WERE GROUPED ROUGHLY") == 1


def test_an_undisturbed_run_has_no_such_warning() -> None:
    page = shown(*released())
    assert not {"STOPPED EARLY", "RECORDS WERE GROUPED ROUGHLY"} & set(page.texts)


def test_hostile_names_are_texts() -> None:
    page = shown(*hostile())
    for name in HOSTILE_NAMES:
        assert " ".join(shown_name(name).split()) in page.text


def test_several_sets_have_a_card_each() -> None:
    page = shown(*hostile())
    assert {"Column set 1", "Column set 2"} <= set(page.texts)
