"""Warnings say what a reader must know, with the numbers behind it."""

from types import SimpleNamespace
from typing import Any

from microagg import Plan
from microagg.model.errors import Doubt
from microagg.model.measures import Measures
from microagg.model.verdict import Exposure
from microagg.report.document_parts.document_warnings import assessment_warnings, release_warnings
from microagg.report.facts import verdict_facts
from microagg.verdict import verdict_on

Facts = dict[str, Any]

ASSESSMENT: Facts = {
    "k": 3,
    "measures": {"n_records": 200},
    "confidential": [{"name": "illness", "n_constant": 0}],
    "parts": [{"part": "all records", "n_records": 200, "k_reached": 3}],
    "singling_out": [],
    "figures": [],
}
RELEASE: Facts = {
    "assessment": ASSESSMENT,
    "verification": {"findings": [{"check": "k-anonymity", "passed": True, "detail": ""}]},
    "sets": [{"k": 3, "fallback_share": 0.0, "rounded": False, "is_merged": True}],
    "verdict": {"warnings": []},
    "spark": None,
    "provenance": {},
}


def warned(**others: Any) -> dict[str, str]:
    """Return the warnings of an assessment that differs from a harmless one."""
    return dict(assessment_warnings({**ASSESSMENT, **others}))


def test_harmless_release_has_no_warning() -> None:
    assert release_warnings(RELEASE) == []
    assert list(assessment_warnings(None)) == []


def test_the_worst_combination_of_unchanged_columns_is_told() -> None:
    few = {"columns": ["age"], "n_unique": 1, "n_below_3": 3, "n_below_5": 8}
    many = {"columns": ["age", "job"], "n_unique": 20, "n_below_3": 30, "n_below_5": 50}
    sentence = warned(singling_out=[few, many])["COLUMNS THAT ARE RELEASED UNCHANGED SINGLE OUT RECORDS"]
    assert (
        "20 records (10.00\u202f%) differ from every other record in age, job, and 50 records (25.00\u202f%)"
        in sentence
    )


def test_records_that_few_share_are_told_where_none_is_unique() -> None:
    few = {"columns": ["age"], "n_unique": 0, "n_below_3": 0, "n_below_5": 8}
    (sentence,) = warned(singling_out=[few]).values()
    assert sentence.startswith("8 records (4.00\u202f%) share their values in age with fewer than 5")
    assert warned(singling_out=[{**few, "n_below_5": 0}]) == {}


def test_confidential_values_that_groups_give_away() -> None:
    (sentence,) = warned(confidential=[{"name": "illness", "n_constant": 6}]).values()
    assert sentence.startswith("6 records are in groups in which all values of illness are equal")


def test_a_column_that_is_constant_in_all_is_not_given_away_by_groups() -> None:
    assert warned(confidential=[{"name": "country", "n_constant": 200}]) == {}


def test_records_that_are_unique_within_their_groups_are_told_where_they_are_more() -> None:
    alone = {"name": "unchanged_unique", "value": 3}
    together = {"name": "unchanged_with_groups_unique", "value": 150}
    (sentence,) = warned(figures=[alone, together]).values()
    assert sentence.startswith("150 records (75.00\u202f%) differ from every other record of their group")
    assert warned(figures=[alone, {**together, "value": 3}]) == {}


def test_public_edition_warns_of_merged_strata_without_naming_them() -> None:
    (plain,) = RELEASE["sets"]
    assert [title for title, _ in release_warnings({**RELEASE, "sets": [{**plain, "rounded": True}]})] == [
        "SMALL STRATA WERE MERGED"
    ]


def test_strata_below_k_are_named() -> None:
    whole, small = ASSESSMENT["parts"][0], {"part": "region = islet", "n_records": 9, "k_reached": 2}
    assert "Within region = islet" in warned(parts=[whole, small])["FEWER THAN K ARE ALIKE WITHIN SOME STRATA"]
    assert warned(parts=[whole, {**small, "k_reached": 3}]) == {}
    assert warned(k=None, parts=[whole, small]) == {}


def test_missing_values_that_tell_records_apart() -> None:
    (sentence,) = warned(parts=[{"part": "all records", "n_records": 200, "k_reached": 1}]).values()
    assert "as few as 1, not 3" in sentence


def test_release_is_warned_of_by_what_failed_or_was_rough() -> None:
    failed = {"findings": [{"check": "totals", "passed": False, "detail": ""}]}
    plan = Plan(k=3, sets=[{"columns": ["x"]}, {"columns": ["y"]}])
    measures = Measures(200, 3, 20, 1.0, ())
    sets: list[Any] = [SimpleNamespace(columns=one.columns, k=3, measures=measures) for one in plan.sets]
    exposure = Exposure(("x", "y", "id"), (), ("id",), 200, 3, 3, 0, 0, identifiers=(Doubt("id", "looks like one"),))
    told = verdict_on(plan, sets, 1, exposure, fallback=0.25, remarks=["column 'x' looks odd"], index=True)
    verdict = verdict_facts(told)
    found = release_warnings({**RELEASE, "verification": failed, "verdict": verdict, "assessment": None})
    assert [title for title, _ in found] == [
        "A CHECK FAILED",
        "THE COLUMN SETS ARE NOT 3-ANONYMOUS TOGETHER",
        "COLUMNS THAT MAY IDENTIFY ARE RELEASED UNCHANGED",
        "RECORDS WERE GROUPED ROUGHLY",
        "A COLUMN MAY BE MISREAD",
        "THE INDEX IS RELEASED",
        "RISK AND UTILITY WERE NOT MEASURED",
    ]
    sentences = dict(found)
    assert "25% of the records" in sentences["RECORDS WERE GROUPED ROUGHLY"]
    assert "together k is 1" in sentences["THE COLUMN SETS ARE NOT 3-ANONYMOUS TOGETHER"]
    assert sentences["A COLUMN MAY BE MISREAD"] == "Column 'x' looks odd."
