"""Reports: one set of facts, several formats."""

import json

import numpy as np
import pandas as pd
import pytest

from microagg import Plan, __version__, measure, methods, protect, solve, verify
from microagg.report import FORMATS, OutputFile, report
from microagg.report.facts import facts
from microagg.report.html import as_html


@pytest.fixture(name="release")
def _release(companies):
    return protect(companies, 3, random_state=7, effort="quick")


def test_facts_of_a_release_are_enough_to_do_it_again(release, companies):
    import hashlib

    known = json.loads(report(release, "json", OutputFile("safe.csv", "abc")))
    assert (known["facts"], known["schema"], known["program"], known["version"]) == (
        "release",
        1,
        "microagg",
        __version__,
    )
    assert known["input"] == {
        "file": "companies.csv",
        "kind": "CSV",
        "sha256": hashlib.sha256(companies.read_bytes()).hexdigest(),
        "n_records": 11,
    }
    assert known["output"] == {"file": "safe.csv", "sha256": "abc"}
    assert known["random_state"] == 7
    assert known["made"].startswith("20")
    assert known["made"].endswith("+00:00")
    plan = known["plan"]
    again = protect(companies, plan=Plan(**{name: value for name, value in plan.items() if value not in (None, [])}))
    np.testing.assert_array_equal(again.labels, release.labels)
    assert known["sets"][0]["standardise"] is True
    assert known["sets"][0]["verified"] is True


@pytest.mark.parametrize("form", [*FORMATS, "html"])
def test_every_noun_has_a_report_in_every_format(release, companies, form):
    nouns = [
        release,
        release.solution,
        release.measures,
        release.plan,
        verify(companies, release.data, 3, ["surface", "employees"]),
        measure(companies, release.data),
        methods(),
        protect(
            pd.DataFrame({"x": [1.0, 2.0, 3.5], "y": [1.0, 5.0, 6.5]}),
            plan=Plan(
                k=3,
                sets=[
                    {"columns": ["x"]},
                    {"columns": ["y"]},
                ],
            ),
        ),
    ]
    for noun in nouns:
        text = as_html(facts(noun)) if form == "html" else report(noun, form)
        assert text
        if form == "json":
            assert json.loads(text)["version"] == __version__


def test_a_noun_without_facts_is_an_error():
    with pytest.raises(TypeError, match="no facts about an object of type int"):
        facts(5)


def test_text_says_what_json_knows(release):
    text = release.summary()
    for words in ("records:", "protected:        surface, employees", "unchanged:        company", "34.0218 %"):
        assert words in text
    assert "every group has at least 3 records (k reached: 3)" in text


def test_more_lost_than_there_is_draws_a_hint():
    X = np.array([[0.0], [1.0], [10.0], [11.0]])
    measures = measure(X, X[::-1] * 1.5)
    assert measures.information_loss > 100
    assert "are the records of both files in the same order?" in measures.summary()
    assert "warning" not in measure(X, np.array([[0.5], [0.5], [10.5], [10.5]])).summary()


def test_bound_is_told_in_words():
    X = np.random.default_rng(0).normal(size=(40, 3))
    assert "not requested" in solve(X, 3).summary()
    assert "proved optimal: no partition loses less (sorted cut)" in solve(X[:, :1], 3).summary()
    assert "no partition loses less than" in solve(X, 3, method="mdav", bound=True, target_gap=0.9).summary()
