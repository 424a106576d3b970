"""Provenance tells the command, the plan, the files and the versions, and no credentials."""

import json
from datetime import UTC, datetime

import numpy as np

from microagg import Plan, __version__, verify
from microagg.construct import CONSTRUCTORS
from microagg.report import Provenance, ReportedFile, report
from microagg.report.provenance import provenance_facts

MADE = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
FILE = ReportedFile("release", "safe.csv", "ab" * 32)


def test_facts_of_a_provenance() -> None:
    command = ("microagg", "verify", "duckdb://ann:secret@host/a b", "--columns", "x y")
    facts = provenance_facts(Provenance(command, Plan(k=3, columns=["x"]), (FILE,), MADE))
    assert facts["command"] == "microagg verify 'duckdb://***@host/a b' --columns 'x y'"
    assert facts["plan"] == 'k = 3\ncolumns = ["x"]'
    assert facts["files"] == [{"role": "release", "file": "safe.csv", "sha256": "ab" * 32}]
    assert facts["reported"] == "2026-01-02T03:04:05+00:00"
    assert facts["versions"]["microagg"] == __version__
    assert facts["versions"]["numpy"] == np.__version__
    json.dumps(facts)


def test_a_stage_of_the_users_own_is_told_as_python_shows_it() -> None:
    plan = Plan(k=3, columns=["x"], method=CONSTRUCTORS["mdav"])
    assert provenance_facts(Provenance(plan=plan))["plan"].startswith("Plan(k=3")


def test_text_report_has_place_for_a_signature_where_the_provenance_is_told() -> None:
    verification = verify(None, [[1.5], [1.5]], k=2, columns=[0])
    text = report(verification, provenance=Provenance(("microagg", "verify"), files=(FILE,), reported=MADE))
    assert f"release:          safe.csv, SHA-256 {'ab' * 32}" in text
    assert "command:          microagg verify" in text
    assert "Signature:        ....." in text
    assert "Signature" not in report(verification)
