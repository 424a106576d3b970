"""Reports that commands write: documents in two editions, with the command, the files and their checksums."""

import hashlib
import html
import json
import sys
from pathlib import Path

import pytest

from command_line import WITHOUT_NAMES, RunCommand
from microagg import Finding, Verification, workspace
from microagg.report.provenance import masked

COLUMNS = ["--columns", "surface,employees"]
PROTECT = ["-k", 3, "-o", "safe.csv", "--method", "mdav", *COLUMNS, *WITHOUT_NAMES]


def sha256(path: str | Path) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def test_protect_writes_a_document(run: RunCommand, companies: Path) -> None:
    code, out, err = run("protect", companies, *PROTECT, "--report", "report.html")
    assert code == 0
    document = Path("report.html").read_text(encoding="utf-8")
    assert document.endswith("</html>\n")
    for told in (sha256("safe.csv"), sha256(companies), "companies.csv", "INTERNAL", "--report report.html"):
        assert told in document
    assert "record linkage" in document, "a document has all measures"
    assert "report report.html" in err
    printed = [line.partition(":")[0] for line in out.splitlines()]
    assert printed[:5] == ["verdict", "whole file", "records", "protected", "unchanged"]
    assert printed[5:9] == ["groups", "information loss", "bound", "risk"]
    assert [name for name in printed[9:] if not name.startswith("warning ")] == []


def test_a_summary_has_the_warnings_of_the_document(run: RunCommand, companies: Path) -> None:
    out = run(
        "protect", companies, "-k", 3, "-o", "safe.csv", *COLUMNS, "--exclude", "company", "--report", "report.html"
    ).out
    warnings = [line.split(maxsplit=2)[2] for line in out.splitlines() if line.startswith("warning ")]
    assert "are unique in 'company'" in "".join(warnings)
    document = html.unescape(Path("report.html").read_text(encoding="utf-8"))
    assert [warning for warning in warnings if warning not in document] == []


def test_details_are_printed_beside_a_document_if_they_are_asked_for(run: RunCommand, companies: Path) -> None:
    short = run("protect", companies, *PROTECT, "--report", "report.html").out
    long = run("protect", companies, *PROTECT, "--report", "report.html", "--force", "--verbose").out
    plain = run("protect", companies, *PROTECT, "--force").out
    assert long == plain
    assert len(short.splitlines()) < len(plain.splitlines())


def test_protect_writes_a_document_out_of_core(
    run: RunCommand, companies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace, "_COPIES", 10**18)
    assert run("protect", companies, *PROTECT, "--memory", "500M", "--report", "report.html").code == 0
    document = Path("report.html").read_text(encoding="utf-8")
    assert "VERIFIED" in document
    assert sha256("safe.csv") in document


def test_nothing_is_released_that_fails_a_check(
    run: RunCommand, companies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = Verification(3, 3, ("surface",), (Finding("untouched columns", False, "changed"),))
    monkeypatch.setattr(sys.modules["microagg.report.document_facts"], "verify", lambda *_, **__: failed)
    code, _, err = run("protect", companies, *PROTECT, "--report", "report.html")
    assert code == 1
    assert "fails a check (untouched columns): nothing is released" in err
    assert not Path("safe.csv").exists()
    assert not Path("report.html").exists()


def test_public_edition_tells_neither_the_original_nor_the_command(run: RunCommand, companies: Path) -> None:
    assert run("protect", companies, *PROTECT, "--report", "report.html", "--edition", "public").code == 0
    document = Path("report.html").read_text(encoding="utf-8")
    assert sha256("safe.csv") in document
    for secret in (sha256(companies), "companies.csv", "INTERNAL", "--columns", str(companies.parent)):
        assert secret not in document


def test_json_report_has_the_assessment_where_it_is_measured(run: RunCommand, companies: Path) -> None:
    run("protect", companies, *PROTECT, "--measures", "all", "--report", "report.json")
    facts = json.loads(Path("report.json").read_text())
    assert {one["name"] for one in facts["assessment"]["figures"]} >= {"information_loss", "dld"}


@pytest.mark.parametrize("options", [[], ["--report", "report.json"], ["--report", "report.txt"]])
def test_an_edition_without_a_document_is_an_error(run: RunCommand, companies: Path, options: list[str]) -> None:
    code, _, err = run("protect", companies, *PROTECT, "--edition", "public", *options)
    assert code == 2
    assert "--edition is about a report that ends in .html" in err
    assert not Path("safe.csv").exists()


def test_an_unknown_ending_is_an_error_before_any_work(run: RunCommand, companies: Path) -> None:
    code, _, err = run("protect", companies, *PROTECT, "--report", "report.pdf")
    assert (code, "must end in .txt, .json or .html" in err) == (2, True)
    assert not Path("safe.csv").exists()


def test_an_estimate_knows_nothing_of_the_measures_of_a_document(run: RunCommand, companies: Path) -> None:
    code, _, err = run("protect", companies, *PROTECT, "--report", "report.html", "--estimate")
    assert (code, "the measures of an .html report" in err) == (2, True)


@pytest.mark.parametrize("ending", ["html", "txt", "json"])
def test_verify_writes_the_verdict_findings_and_checksums(run: RunCommand, companies: Path, ending: str) -> None:
    run("protect", companies, *PROTECT)
    code, out, err = run("verify", companies, "safe.csv", "-k", 3, *COLUMNS, "--report", f"verdict.{ending}")
    assert code == 0
    assert out.startswith("PASS")
    assert f"written: report verdict.{ending}" in err
    written = Path(f"verdict.{ending}").read_text(encoding="utf-8")
    for told in (sha256("safe.csv"), sha256(companies), "microagg verify", "k-anonymity"):
        assert told in written
    if ending != "json":
        assert "PASS" in written
        assert "Signature" in written


def test_verify_writes_the_report_of_a_release_that_fails(run: RunCommand, companies: Path) -> None:
    code, _, _ = run("verify", companies, "-k", 3, *COLUMNS, "--report", "verdict.html")
    assert code == 1
    assert "FAIL" in Path("verdict.html").read_text(encoding="utf-8")


def test_verify_by_plan_tells_the_plan(run: RunCommand, companies: Path) -> None:
    run("protect", companies, *PROTECT, "--save-plan", "done.toml")
    arguments = ["safe.csv", "--original", companies, "--plan", "done.toml", "--report", "verdict.html"]
    assert run("verify", *arguments).code == 0
    document = Path("verdict.html").read_text(encoding="utf-8")
    assert sha256("done.toml") in document
    assert "random_state = 0" in document


def test_verify_refuses_a_report_over_what_it_reads(run: RunCommand, companies: Path) -> None:
    run("protect", companies, *PROTECT, "--report", "there.html")
    arguments = ["verify", "safe.csv", "-k", 3, *COLUMNS]
    for options, message in (
        (["--report", "there.html"], "--force"),
        (["--report", "safe.csv", "--force"], "is the file safe.csv itself"),
        (["--force"], "found no --report"),
        (["--edition", "public"], "--edition is about a report"),
    ):
        code, _, err = run(*arguments, *options)
        assert (code, message in err) == (2, True)


def test_measure_writes_a_document_of_all_measures(run: RunCommand, companies: Path) -> None:
    run("protect", companies, *PROTECT)
    arguments = ["measure", companies, "safe.csv", *COLUMNS]
    code, _, err = run(*arguments, "--report", "measures.html")
    assert (code, "add --all" in err) == (2, True)
    assert run(*arguments, "--all", "--report", "measures.html").code == 0
    assert "Assessment of a release: safe.csv" in Path("measures.html").read_text(encoding="utf-8")
    assert run(*arguments, "--report", "measures.json").code == 0
    assert json.loads(Path("measures.json").read_text())["provenance"]["files"][0]["sha256"] == sha256(companies)


def test_compare_writes_a_document(run: RunCommand, companies: Path) -> None:
    arguments = ["-k", "3,5", "--methods", "mdav", *COLUMNS, "--report", "map.html"]
    assert run("compare", companies, *WITHOUT_NAMES, *arguments).code == 0
    document = Path("map.html").read_text(encoding="utf-8")
    assert "RECOMMENDED" in document
    assert "microagg compare" in document


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("postgresql://ann:secret@host/db?table=people", "postgresql://***@host/db?table=people"),
        ("mysql://ann@host/db", "mysql://***@host/db"),
        ("x://ann:p@ss/word@host/db", "x://***@host/db"),
        ("db://host/x?user=ann&password=s3cret&table=t", "db://host/x?user=ann&password=***&table=t"),
        ("s3://bucket?Token=abc;x=1", "s3://bucket?Token=***;x=1"),
        ("duckdb:///file.db?table=people", "duckdb:///file.db?table=people"),
        ("people.csv", "people.csv"),
        ("a@b.csv", "a@b.csv"),
    ],
)
def test_credentials_are_masked(typed: str, shown: str) -> None:
    assert masked(typed) == shown
