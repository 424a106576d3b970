"""Sections about measures show every number with its unit, and of long tables what matters most."""

from typing import Any
from xml.etree import ElementTree

from microagg.report.document_parts.figure_sections import (
    domains_section,
    figure_value,
    regressions_section,
    risk_section,
    utility_section,
)

Facts = dict[str, Any]


def figure(value: float | None, unit: str = "%", **others: str) -> Facts:
    """Return the facts of a figure of risk."""
    known = {"name": "f", "title": "title", "topic": "risk", "higher": "riskier", "sentence": "It says.", "note": ""}
    return {**known, "value": value, "unit": unit, **others}


ASSESSMENT: Facts = {
    "rounded": False,
    "figures": [figure(12.345), figure(None, note="not defined")],
    "parts": [{"part": "all records", "n_records": 9, "k_reached": 3}],
    "confidential": [],
    "numbers": [{"name": "x", "il1s": 0.25}],
    "measures": {
        "columns": [{"name": "x", "information_loss": 4.0}, {"name": "c", "information_loss": None, "changed": 7.5}]
    },
    "regressions": [],
    "domains": [],
}


def rows(markup: str, number: int = 0) -> list[list[str]]:
    """Return the texts of the body of a table."""
    body = [*ElementTree.fromstring(markup).iter("tbody")][number]
    return [["".join(cell.itertext()) for cell in row] for row in body]


def test_values_have_their_units() -> None:
    assert figure_value(figure(12.345)) == "12.35\u202f%"
    assert figure_value(figure(5, "records")) == "5 records"
    assert figure_value(figure(0.123456, "")) == "0.1235"
    assert figure_value(figure(None)) == "–"
    assert figure_value(figure(0.04), rounded=True) == "less than 0.1\u202f%"


def test_every_figure_has_a_row() -> None:
    shown = rows(risk_section(ASSESSMENT))
    assert shown == [
        ["title", "12.35\u202f%", "riskier", "It says."],
        ["title", "–", "riskier", "It says. (not defined)"],
    ]


def test_one_part_needs_no_table_and_many_show_the_smallest_k() -> None:
    parts = [{"part": f"s{k}", "n_records": 9, "k_reached": k} for k in range(30, 0, -1)]
    markup = risk_section({**ASSESSMENT, "parts": parts})
    assert [row[0] for row in rows(markup, 1)] == [f"s{k}" for k in range(1, 21)]
    assert "10 more strata reach k = 21 or more." in markup


def test_losses_of_columns() -> None:
    assert rows(utility_section({**ASSESSMENT, "figures": []})) == [
        ["x", "4.00\u202f%", "0.25", "–"],
        ["c", "–", "–", "7.50\u202f%"],
    ]
    assert "Not measured." in utility_section({**ASSESSMENT, "figures": []})


def test_confidential_columns() -> None:
    one = {"name": "ill", "n_constant": 4, "least_distinct": 1, "least_entropy_l": 1.0, "largest_distance": None}
    assert rows(risk_section({**ASSESSMENT, "confidential": [one]}), 1) == [["ill", "4", "1", "1", "–"]]


def test_regressions_show_intervals_and_overlap() -> None:
    term = {
        "name": "age",
        "before": 1.5,
        "after": 1.25,
        "interval_before": [1, 2],
        "interval_after": [1, 1.5],
        "overlap": 75.0,
    }
    regression = {
        "formula": "income ~ age",
        "r_squared_before": 0.5,
        "r_squared_after": 0.25,
        "coefficients": [term],
        "note": "why",
    }
    markup = regressions_section({**ASSESSMENT, "regressions": [regression]})
    assert rows(markup) == [["age", "1.5", "1 to 2", "1.25", "1 to 1.5", "75.0\u202f%"]]
    assert "R² 0.5 before, 0.25 after" in markup
    assert "why" in markup


def test_domains_that_changed_most_come_first() -> None:
    totals = [
        {"domain": f"d{n}", "column": "x", "n_records": 5, "before": 100.0, "after": 100.0 + n} for n in range(40)
    ]
    totals.append({"domain": "zero", "column": "x", "n_records": 5, "before": 0.0, "after": 1.0})
    markup = domains_section({**ASSESSMENT, "domains": totals})
    assert rows(markup)[0] == ["d39", "x", "5", "100", "139", "39.00\u202f%"]
    assert len(rows(markup)) == 30
    assert "the 30 with the largest changes of 41" in markup


def test_what_was_not_measured_has_no_section() -> None:
    for section in (risk_section, utility_section, regressions_section, domains_section):
        assert section(None) == ""
    assert regressions_section(ASSESSMENT) == domains_section(ASSESSMENT) == ""
