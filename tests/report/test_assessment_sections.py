"""Assessments in words: every figure with its value, unit, direction and sentence."""

import json

import polars as pl
import pytest

from measured_tables import AMOUNTS, group_means, labour_force
from microagg import Assessment, assess, protect
from microagg.report import report
from microagg.report.facts import facts


@pytest.fixture(scope="module")
def assessment() -> Assessment:
    survey = labour_force(60)
    names = ("region", *AMOUNTS)
    return assess(survey, group_means(survey), names, regressions=["income ~ age + region"], domains=["region"])


def test_every_figure_is_shown_with_what_it_says(assessment: Assessment) -> None:
    text = report(assessment)
    one_line = " ".join(text.split())
    assert "ORIGINAL data: it is for their owner" in text
    for figure in assessment.figures:
        assert figure.title in text
        assert figure.sentence in one_line
        assert figure.note in one_line
        assert figure.higher in text
    assert f"{assessment.figure('il1s').value:.4f}" in text
    assert f"{assessment.figure('variance_difference').value:.4f} %" in text
    assert f"{assessment.figure('mean_difference').value:.4f} σ" in text


def test_what_was_asked_for_is_shown(assessment: Assessment) -> None:
    text = report(assessment)
    assert "regression income ~ age + region" in text
    assert "totals by domain" in text
    assert "region = north" in text
    assert "columns of categories before → after" in text
    assert "WARNING: 60 records of 60 are unique in columns that are released unchanged" in " ".join(text.split())


def test_long_tables_are_cut(assessment: Assessment) -> None:
    frame = pl.DataFrame({"id": range(30), "x": [float(number) for number in range(30)]})
    text = report(assess(frame, frame, ["x"], domains=["id"]))
    assert "totals by domain, the first 20 of 30" in text
    assert "id = 19" in text
    assert "id = 20" not in text


def test_facts_are_all_that_is_known(assessment: Assessment) -> None:
    known = json.loads(assessment.to_json())
    assert set(known) == {
        *("facts", "schema", "program", "version", "shows_originals", "measures", "figures", "quantile_levels"),
        *("numbers", "categories", "correlations", "regressions", "domains", "parts", "confidential", "singling_out"),
        "group_sizes",
    }
    figure = next(one for one in known["figures"] if one["name"] == "il1s")
    assert figure["value"] == assessment.figure("il1s").value
    assert set(figure) == {"name", "title", "topic", "value", "unit", "higher", "sentence", "note"}
    assert len(known["numbers"][0]["before"]["quantiles"]) == len(known["quantile_levels"]) == 9
    assert known["regressions"][0]["coefficients"][0]["name"] == "(intercept)"


def test_notebooks_show_assessments(assessment: Assessment) -> None:
    shown = assessment._repr_html_()
    assert "IL1s, scaled by deviations" in shown


def test_facts_of_a_release_have_its_assessment() -> None:
    X = labour_force(30).select(AMOUNTS).to_numpy()
    release = protect(X, 3, method="mdav", measures="all")
    assert release.assessment is not None
    known = facts(release)
    assert known["assessment"]["figures"][0]["name"] == "information_loss"
    assert "utility: what is left of the information" in report(release)
    plain = protect(X, 3, method="mdav")
    assert facts(plain)["assessment"] is None
    assert "utility" not in report(plain)
