"""The command that compares several k and methods, and recommends one."""

import hashlib
import json
from pathlib import Path

import polars as pl
import pytest

from command_line import WITHOUT_NAMES, RunCommand
from microagg import Plan

METHODS = ("--methods", "mdav,mondrian")
COLUMNS = ("--columns", "surface,employees")


def test_a_table_and_a_recommendation_are_printed(run: RunCommand, companies: Path) -> None:
    code, out, err = run("compare", companies, *WITHOUT_NAMES, "-k", "2,3", *METHODS, *COLUMNS)
    assert (code, err) == (0, "")
    assert out.startswith("k = ")
    assert "file:             companies.csv\nrecords:          11\nrecommended:      k = " in out
    assert "record linkage by distance in % (less is better)\n" in out
    assert list(Path().iterdir()) == []


def test_json(run: RunCommand, companies: Path) -> None:
    code, out, _ = run("compare", companies, *WITHOUT_NAMES, "-k", "2, 3", *METHODS, *COLUMNS, "--format", "json")
    assert code == 0
    facts = json.loads(out)
    assert [(one["k"], one["method"]) for one in facts["candidates"]] == [
        (2, "mdav"),
        (2, "mondrian"),
        (3, "mdav"),
        (3, "mondrian"),
    ]
    assert facts["plan"]["sets"][0]["columns"] == ["surface", "employees"]


def test_what_is_recommended_can_be_protected(run: RunCommand, companies: Path) -> None:
    options = ["--save-plan", "chosen.toml", "-o", "table.csv", "--report", "report.json", "--keep-integers"]
    code, _, err = run("compare", companies, *WITHOUT_NAMES, "-k", "2,3", *METHODS, *COLUMNS, *options)
    assert code == 0
    assert err == (
        "written: table.csv, report.json, chosen.toml; to protect so, run: microagg protect "
        f"{companies} --plan chosen.toml -o safe.csv\n"
    )
    recommended = json.loads(Path("report.json").read_text())["recommended"]
    plan = Plan.from_toml("chosen.toml")
    assert plan.sets[0].k == recommended["k"]
    assert plan.sets[0].keep_integers
    table = pl.read_csv("table.csv")
    assert table.filter(pl.col("recommended"))["k"].to_list() == [recommended["k"]]
    code, out, _ = run("protect", companies, "--plan", "chosen.toml", "-o", "safe.csv", "--format", "json")
    assert code == 0
    (found,) = [one for one in table.to_dicts() if one["recommended"]]
    assert json.loads(out)["sets"][0]["measures"]["information_loss"] == pytest.approx(found["information_loss"])


def test_a_report_as_text_is_what_is_printed(run: RunCommand, companies: Path) -> None:
    _, out, _ = run("compare", companies, *WITHOUT_NAMES, "-k", "2,3", *METHODS, *COLUMNS, "--report", "report.txt")
    assert Path("report.txt").read_text(encoding="utf-8") == out


def test_a_report_as_a_document_has_the_map_and_what_led_to_it(run: RunCommand, companies: Path) -> None:
    command = ["compare", companies, *WITHOUT_NAMES, "-k", "2,3,99", *METHODS, *COLUMNS, "--report", "map.html"]
    code, _, err = run(*command)
    assert (code, err) == (0, "written: map.html\n")
    page = Path("map.html").read_text(encoding="utf-8")
    assert "RECOMMENDED: k = " in page
    assert "<svg" in page
    assert "k = 99 is more than the 11 records there are" in page
    assert hashlib.sha256(companies.read_bytes()).hexdigest() in page
    assert "microagg compare" in page
    assert "<script" not in page


def test_a_checkpoint_is_taken_over(run: RunCommand, companies: Path) -> None:
    options = [*METHODS, *COLUMNS, "--checkpoint", "candidates.jsonl", "--format", "json"]
    first = json.loads(run("compare", companies, *WITHOUT_NAMES, "-k", "2,3", *options).out)
    again = json.loads(run("compare", companies, *WITHOUT_NAMES, "-k", "2,3", *options).out)
    assert again == first  # the seconds, too
    more = json.loads(run("compare", companies, *WITHOUT_NAMES, "-k", "3,4", *options).out)
    assert more["candidates"][0]["seconds"] == first["candidates"][2]["seconds"]
    assert len(Path("candidates.jsonl").read_text().splitlines()) == 1 + 6


def test_limits_that_nothing_stays_within(run: RunCommand, companies: Path) -> None:
    options = ["--max-risk", "0.001", "--save-plan", "chosen.toml"]
    code, out, err = run("compare", companies, *WITHOUT_NAMES, "-k", "2,3", *METHODS, *COLUMNS, *options)
    assert code == 1
    assert out.startswith("Nothing is recommended: no candidate has record linkage by distance of at most 0.001 %.")
    assert err == "no plan is written, as nothing is recommended\n"
    assert not Path("chosen.toml").exists()


def test_methods_may_have_parameters(run: RunCommand, companies: Path) -> None:
    methods = "v-mdav(gamma=1.1),igd , cbfs-nc"
    _, out, _ = run("compare", companies, *WITHOUT_NAMES, "-k", "3", "--methods", methods, *COLUMNS, "--format", "json")
    assert [one["method"] for one in json.loads(out)["candidates"]] == ["v-mdav(gamma=1.1)", "mdav+igd", "cbfs-nc"]


def test_a_plan_is_the_frame(run: RunCommand, companies: Path) -> None:
    Path("plan.toml").write_text('k = 9\nmethod = "exact"\ncolumns = ["surface"]\ndrop = ["company", "employees"]\n')
    options = ["--plan", "plan.toml", "-k", "2,3", "--methods", "univariate", "--save-plan", "chosen.toml"]
    assert run("compare", companies, *options).code == 0
    plan = Plan.from_toml("chosen.toml")
    assert (plan.sets[0].columns, plan.drop, plan.sets[0].method) == (
        ("surface",),
        ("company", "employees"),
        "univariate",
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-k", "2,x"], "argument -k: must be a whole number, found 'x'"),
        (["-k", "3", "--methods", "mdvav"], "there is no method 'mdvav': did you mean 'mdav'?"),
        (["--report", "report.pdf"], "the report report.pdf must end in"),
        (["-o", "table.xyz"], "must end in one of"),
        (["--save-plan", "companies.csv", "--report", "companies.csv"], "itself: choose another name"),
        (["--checkpoint", "report.txt", "--report", "report.txt"], "the checkpoint report.txt is the file report.txt"),
        (["--max-risk", "-1"], "max_risk must be a positive number"),
        (["--risk", "dldd"], "did you mean 'dld'?"),
        (["--effort", "quick", "--methods", "mdav"], "none of the methods has an effort"),
        (["--method", "mdav"], "unrecognized arguments: --method mdav: did you mean --methods?"),
    ],
)
def test_errors_are_one_sentence(run: RunCommand, companies: Path, options: list[str], message: str) -> None:
    code, out, err = run("compare", companies, *WITHOUT_NAMES, *COLUMNS, *options)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert message in err
    assert err.count("\n") == 1


def test_a_checkpoint_that_is_something_else_stays(run: RunCommand, companies: Path) -> None:
    Path("notes.txt").write_text("my notes\n")
    code, _, err = run("compare", companies, *COLUMNS, "-k", "3", *METHODS, "--checkpoint", "notes.txt")
    assert (code, "holds something else: name another file" in err) == (2, True)
    assert Path("notes.txt").read_text() == "my notes\n"


def test_existing_files_are_replaced_only_by_force(run: RunCommand, companies: Path) -> None:
    Path("table.csv").write_text("old\n")
    command = ["compare", companies, *WITHOUT_NAMES, "-k", "3", *METHODS, *COLUMNS, "-o", "table.csv"]
    code, _, err = run(*command)
    assert (code, "table.csv is already there" in err) == (2, True)
    assert run(*command, "--force").code == 0
    assert Path("table.csv").read_text().startswith("k,method,")


def test_doubtful_columns_are_asked_about(run: RunCommand) -> None:
    lines = "\n".join(f"{number},{number * number % 17}.5" for number in range(1, 30))
    Path("in.csv").write_text(f"person_id,income\n{lines}\n")
    code, _, err = run("compare", "in.csv", "-k", "3", "--methods", "mdav")
    assert code == 2
    assert "microagg compare in.csv -k 3 --methods mdav --columns income" in err


def test_quiet(run: RunCommand, companies: Path) -> None:
    assert run("compare", companies, *WITHOUT_NAMES, "-k", "3", *METHODS, *COLUMNS, "--quiet") == (0, "", "")
