"""Certificates: what is written is what `certify` reads."""

import json
from dataclasses import replace

import numpy as np
import pytest

from certificate_cases import node
from microagg import Column, InputError, LowerBound, Solution, as_certificate, certify, protect, solve
from microagg.certify.certificate_reader import FORMAT
from microagg.model.by_column import ByColumn
from microagg.model.encoding import Encoding
from microagg.model.treatment import Treatment

RECORDS = [[1.0], [2.0], [8.0], [9.0]]
ROOT = node({"duals": [0.05] * 4, "cuts": []}, ends="bound")


@pytest.fixture
def proved() -> Solution:
    """A solution with a lower bound that a hand-made tree proves."""
    return replace(solve(RECORDS, 2), bound=LowerBound(0.0, "exact", proof=lambda: (ROOT,)))


def test_a_certificate_holds_groups_bound_and_tree(proved: Solution) -> None:
    text = as_certificate(proved)
    assert json.loads(text) == {
        "format": FORMAT,
        "k": 2,
        "n_records": 4,
        "columns": ["0"],
        "standardise": True,
        "labels": [0, 0, 1, 1],
        "sse": proved.sse,
        "lower_bound": 0.0,
        "nodes": [ROOT],
    }
    assert ": " not in text
    assert certify(json.loads(text), RECORDS).passed
    raw = replace(solve(RECORDS, 2, standardise=False), bound=proved.bound)
    assert json.loads(as_certificate(raw))["standardise"] is False
    assert certify(json.loads(as_certificate(raw)), RECORDS).passed


def test_only_a_proof_that_can_be_checked_makes_a_certificate(proved: Solution) -> None:
    advice = "choose the method 'exact', and a small k"
    for result, reason in (
        (replace(proved, bound=None), f"there is no certificate, as no bound was asked for: {advice}"),
        (solve(RECORDS, 2), f"there is no certificate, as the bound was proved by sorted cut: {advice}"),
        (protect(RECORDS, 2), f"there is no certificate, as the bound was proved by sorted cut: {advice}"),
        (
            replace(proved, encoding=None),
            "there is no certificate, as the problem was stated without columns: solve a table",
        ),
    ):
        with pytest.raises(InputError) as caught:
            as_certificate(result)
        assert str(caught.value) == reason


def test_certificates_are_about_plain_numbers(proved: Solution) -> None:
    ranked = Encoding.fit([Column.of_numbers("0", np.arange(4.0))], Treatment(scale=ByColumn("rank")))
    with pytest.raises(InputError, match="there is no certificate, as not every column is a number on its own scale"):
        as_certificate(replace(proved, encoding=ranked))
