"""Every result has a report in every format."""

import json
from pathlib import Path

import pandas as pd
import pytest

from balanced_html import BalancedHtml
from microagg import InputError, Plan, Release, __version__, measure, methods, protect, verify
from microagg.report import FORMATS, format_of, report
from microagg.report.facts import facts
from microagg.report.html import as_html
from microagg.report.json import as_json


@pytest.fixture
def release(companies: Path) -> Release:
    return protect(companies, 3, exclude=["company"], method="mdav")


@pytest.mark.parametrize("form", [*FORMATS, "html"])
def test_every_result_has_a_report_in_every_format(release: Release, companies: Path, form: str) -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.5], "y": [1.0, 5.0, 6.5]})
    results = [
        release,
        release.solution,
        release.measures,
        release.plan,
        verify(companies, release.data, 3, ["surface", "employees"]),
        measure(companies, release.data),
        methods(),
        protect(frame, plan=Plan(k=3, sets=[{"columns": ["x"]}, {"columns": ["y"]}])),
    ]
    for result in results:
        text = as_html(facts(result)) if form == "html" else report(result, form)
        assert text
        assert text == text.strip()
        if form == "json":
            assert json.loads(text)["version"] == __version__


def test_text_is_aligned(release: Release) -> None:
    head, table = report(release).split("\n\n")
    assert "protected:        surface, employees\n" in head
    assert len({len(line) for line in table.splitlines()}) == 1
    assert table.splitlines()[2].startswith("employees  ")


def test_unknown_format_is_an_error_with_a_suggestion(release: Release) -> None:
    with pytest.raises(InputError, match="no report format 'jsn': did you mean 'json'"):
        report(release, "jsn")


def test_format_goes_by_the_ending() -> None:
    assert [format_of(Path(name)) for name in ("a.txt", "b.JSON", "c.html")] == ["text", "json", "html"]
    with pytest.raises(InputError, match=r"the report d\.pdf must end in \.txt, \.json or \.html"):
        format_of(Path("d.pdf"))


def test_json_refuses_what_json_cannot_hold() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        as_json({"loss": float("nan")})


def test_html_is_balanced_and_escaped() -> None:
    frame = pd.DataFrame({"<b>x</b>": [1.0, 2.0, 8.0, 9.0]})
    parser = BalancedHtml(protect(frame, 2)._repr_html_())
    assert parser.open == []
    assert "<b>x</b>" in parser.texts
