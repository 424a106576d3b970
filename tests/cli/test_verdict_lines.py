"""The verdict on the terminal: its headline, every warning of the document, and what is asked before a release."""

from pathlib import Path

import polars as pl

from command_line import RunCommand
from microagg import protect


def test_the_terminal_has_every_warning_of_the_document(run: RunCommand, companies: Path) -> None:
    arguments = ["--columns", "surface", "--exclude", "company,employees", "-o", "safe.csv", "--report", "safe.html"]
    printed = run("protect", companies, "-k", "3", *arguments)
    assert printed.code == 0
    frame = pl.read_csv(companies)
    release = protect(frame, k=3, columns=["surface"], exclude=["company", "employees"])
    assert release.verdict is not None
    assert release.remarks == tuple(one.sentence for one in release.verdict.warnings)
    document = Path("safe.html").read_text(encoding="utf-8")
    for one in release.verdict.warnings:
        assert f"warning: {one.sentence}" in printed.err.splitlines()
        assert one.title in document
    assert len(release.remarks) >= 2
    headline = f"verified on the protected columns only: {release.verdict.sentences[0]}"
    assert headline in printed.err.splitlines()
    assert release.verdict.headline.upper() in document


def test_strict_releases_nothing_that_is_not_green(run: RunCommand, companies: Path) -> None:
    arguments = [
        "--columns",
        "surface",
        "--identifiers",
        "company",
        "--exclude",
        "employees",
        "-o",
        "safe.csv",
        "--strict",
    ]
    printed = run("protect", companies, "-k", "3", *arguments)
    assert printed.code == 1
    assert "error: nothing is released: the plan is strict, and the verdict would be “verified on the " in printed.err
    assert not list(Path().iterdir())


def test_the_command_that_a_question_proposes_leaves_out_what_it_has_called_an_identifier(
    run: RunCommand, companies: Path
) -> None:
    printed = run("protect", companies, "-k", "3", "--columns", "surface,employees", "-o", "safe.csv")
    assert printed.code == 2
    assert printed.err.rstrip().endswith("--columns surface,employees -o safe.csv --identifiers company")
    assert not list(Path().iterdir())
