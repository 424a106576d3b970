"""The command that describes a file, and writes a plan to start with."""

import json
from pathlib import Path

import pytest

from command_line import RunCommand
from microagg import Plan


def test_inspect_prints_what_the_columns_are(run: RunCommand, companies: Path) -> None:
    code, out, err = run("inspect", companies)
    assert (code, err) == (0, "")
    assert out.startswith("This report shows ranges and values of the ORIGINAL data")
    assert "surface    integer        10        –  50 to 950  protect, as numbers\n" in out
    assert list(Path().iterdir()) == []


def test_inspect_then_protect(run: RunCommand, companies: Path) -> None:
    code, _, err = run("inspect", companies, "--plan", "release.toml")
    assert code == 0
    assert err == (
        "written: plan release.toml; answer its questions, then run: "
        f"microagg protect {companies} --plan release.toml -o safe.csv\n"
    )
    text = Path("release.toml").read_text(encoding="utf-8")
    assert text.endswith("]\n")
    plan = Plan.from_toml("release.toml")
    assert (plan.sets[0].columns, plan.roles.identifiers) == (("surface", "employees"), ("company",))
    assert run("protect", companies, "--plan", "release.toml", "-o", "safe.csv").code == 0
    assert Path("safe.csv").read_text().splitlines()[0] == "surface,employees"


def test_a_plan_names_its_own_file(run: RunCommand, companies: Path) -> None:
    assert run("inspect", companies, "--plan", "other.toml").code == 0
    words = f"#   microagg protect {companies} --plan other.toml -o safe.csv\n"
    assert words in Path("other.toml").read_text(), "with the path that was typed"


def test_long_tables_are_cut_unless_all_is_wanted(run: RunCommand) -> None:
    names = [f"x{number:02}" for number in range(31)]
    rows = [",".join(f"{number * record + 0.5}" for number in range(1, 32)) for record in (3, 1, 7)]
    Path("in.csv").write_text("\n".join([",".join(names), *rows, ""]))
    cut, whole = run("inspect", "in.csv").out, run("inspect", "in.csv", "--verbose").out
    assert "… and 1 more line: --verbose prints all" in cut
    assert ("x30 " in cut, "x30 " in whole, "--verbose" in whole) == (False, True, False)


def test_a_plan_is_replaced_only_by_force(run: RunCommand, companies: Path) -> None:
    Path("release.toml").write_text("k = 3\n")
    code, out, err = run("inspect", companies, "--plan", "release.toml")
    assert (code, out) == (2, "")
    assert "release.toml is already there" in err
    assert Path("release.toml").read_text() == "k = 3\n"
    assert run("inspect", companies, "--plan", "release.toml", "--force").code == 0
    assert Path("release.toml").read_text() != "k = 3\n"


def test_the_plan_is_not_the_file_itself(run: RunCommand) -> None:
    Path("in.csv").write_text("x,y\n1,2\n3,4\n")
    code, _, err = run("inspect", "in.csv", "--plan", "in.csv", "--force")
    assert code == 2
    assert "the plan in.csv is the file in.csv itself" in err
    code, _, err = run("inspect", "in.csv", "--plan", "-")
    assert (code, "the plan must be a file, found -" in err) == (2, True)


def test_force_needs_a_plan(run: RunCommand, companies: Path) -> None:
    code, _, err = run("inspect", companies, "--force")
    assert code == 2
    assert "found no --plan" in err


def test_facts_for_programs(run: RunCommand, companies: Path) -> None:
    facts = json.loads(run("inspect", companies, "--format", "json").out)
    assert (facts["facts"], facts["file"], facts["n_records"]) == ("inspection", "companies.csv", 11)
    assert [column["role"] for column in facts["columns"]] == ["identifier", "amount", "amount"]


def test_quiet_writes_the_plan_only(run: RunCommand, companies: Path) -> None:
    assert run("inspect", companies, "--plan", "release.toml", "--quiet") == (0, "", "")
    assert Path("release.toml").exists()


def test_options_of_reading_go_into_the_plan(run: RunCommand) -> None:
    Path("in.csv").write_text("x;y\n1,250;2\n3,125;4\n5,500;7\n")
    assert run("inspect", "in.csv", "--decimal", ",", "--plan", "release.toml").code == 0
    assert Plan.from_toml("release.toml").reading.decimal == ","


@pytest.mark.parametrize(("content", "words"), [("a,b\n", "no records"), ("", "is empty"), (None, "No such file")])
def test_bad_file_gets_one_sentence(run: RunCommand, content: str | None, words: str) -> None:
    if content is not None:
        Path("in.csv").write_text(content)
    code, out, err = run("inspect", "in.csv", "--plan", "release.toml")
    assert (code, out) == (2, "")
    assert words in err
    assert not Path("release.toml").exists()
