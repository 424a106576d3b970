"""Estimates in words: as exact as they can be, and unknown where they are."""

import json

import pytest

from microagg.model.run_estimate import Estimate
from microagg.report import report
from microagg.report.estimate_lines import duration_in_words, expected_in_words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "less than a second"),
        (0.999, "less than a second"),
        (1.04, "1 s"),
        (7.46, "7.5 s"),
        (61.7, "62 s"),
        (119.9, "120 s"),
        (120.0, "2 min"),
        (263.0, "4.4 min"),
        (7199.0, "120 min"),
        (7200.0, "2 h"),
        (47.96 * 3600, "48 h"),
        (48 * 3600, "2 days"),
        (1e9, "12000 days"),
    ],
)
def test_durations_have_two_digits(seconds: float, words: str) -> None:
    assert duration_in_words(seconds) == words


def test_the_words_before_a_run() -> None:
    assert expected_in_words(Estimate(10, 263.0, 1_200_000_000)) == "about 4.4 min and 1.2 GB"
    assert expected_in_words(Estimate(10, 263.0, 1_200_000_000, at_least=True)) == "at least 4.4 min and 1.2 GB"
    assert expected_in_words(Estimate(10, 0.1, 300_000_000, at_least=True)) == "at least a second and 300 MB"
    assert expected_in_words(Estimate(10, None, 300_000_000)) == "unknown and 300 MB"


def test_a_report() -> None:
    estimate = Estimate(10_000_000, 263.0, 2_000_000_000, out_of_core=True, reasons=("one", "two"))
    assert estimate.summary().splitlines() == [
        "records:          10 000 000",
        "time:             about 4.4 min",
        "memory:           about 2 GB, out of core, in files beside the output",
        "note:             one; two",
    ]
    assert json.loads(report(estimate, "json")) | {"version": ""} == {
        "facts": "estimate",
        "schema": 2,
        "program": "microagg",
        "version": "",
        "n_records": 10_000_000,
        "seconds": 263.0,
        "memory": 2_000_000_000,
        "at_least": False,
        "out_of_core": True,
        "reasons": ["one", "two"],
    }
    assert "note" not in Estimate(1, None, 1).summary()
    assert "unknown" in Estimate(1, None, 1).summary()
