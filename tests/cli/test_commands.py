"""Every command does what the library does, and exits with the code of its verdict."""

import json
import re
from pathlib import Path

import polars as pl
import pytest

from command_line import WITHOUT_NAMES, RunCommand
from microagg import __version__


def test_protect_then_verify_then_measure(run: RunCommand, companies: Path) -> None:
    code, out, err = run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "safe.csv", "--report", "report.json")
    assert code == 0
    assert "information loss: 34.0218 %" in out
    assert "method:           search, k = 3" in out
    assert "verified: every group has at least 3 records" in err
    assert "written: safe.csv, report report.json" in err
    lines = Path("safe.csv").read_text().splitlines()
    assert (lines[0], len(lines)) == ("surface,employees", 12)
    assert sorted(path.name for path in Path().iterdir()) == ["report.json", "safe.csv"]

    code, out, _ = run("verify", "safe.csv", "-k", 3, "--columns", "surface,employees", "--original", companies)
    assert (code, out.splitlines()[0]) == (0, "PASS")
    assert run("verify", companies, "safe.csv", "-k", 3, "--columns", "surface,employees")[:2] == (code, out)
    code, out, _ = run("verify", "safe.csv", "-k", 4, "--columns", "surface, employees")
    assert (code, out.splitlines()[0]) == (1, "FAIL")

    code, out, _ = run("measure", companies, "safe.csv")
    assert code == 0
    assert "34.0218 %" in out
    code, out, _ = run("measure", companies, "safe.csv", "--columns", "surface", "--format", "json")
    assert json.loads(out)["columns"][0]["name"] == "surface"


def test_verify_takes_one_original_at_most(run: RunCommand, companies: Path) -> None:
    for files in ([companies, companies, companies], [companies, companies, "--original", companies]):
        code, _, err = run("verify", *files, "-k", 3, "--columns", "surface")
        assert (code, "at most one original" in err) == (2, True)


def test_verify_needs_the_columns(run: RunCommand, companies: Path) -> None:
    code, _, err = run("verify", companies, "-k", 3)
    assert (code, err) == (2, "error: verify needs --columns, or --plan with the plan of the release\n")
    code, _, err = run("verify", companies)
    assert (code, err) == (2, "error: verify needs -k and --columns, or --plan with the plan of the release\n")


def test_verify_by_plan(run: RunCommand, companies: Path) -> None:
    Path("release.toml").write_text(
        "k = 3\ncolumns = ['surface', 'employees']\nexclude = ['company']\nmethod = 'mdav'\n"
    )
    assert run("protect", companies, "--plan", "release.toml", "-o", "safe.csv").code == 0
    code, out, err = run("verify", "safe.csv", "--plan", "release.toml", "--original", companies, "--verbose")
    assert (code, out.splitlines()[0]) == (0, "PASS of what was checked, not of the whole file")
    assert "pass  untouched columns: unchanged: 'company'" in out
    assert err.count("read: DelimitedSource") == 2
    assert run("verify", companies, "safe.csv", "--plan", "release.toml")[:2] == (0, out)
    code, out, _ = run("verify", companies, "--plan", "release.toml")
    assert (code, out.splitlines()[0]) == (1, "FAIL")
    for options in (["-k", 3], ["--columns", "surface"]):
        code, _, err = run("verify", "safe.csv", "--plan", "release.toml", *options)
        assert (code, "-k or --columns is given besides --plan" in err) == (2, True)


def test_verdict_in_json_has_the_same_exit_code(run: RunCommand, companies: Path) -> None:
    code, out, _ = run("verify", companies, "-k", 2, "--columns", "surface", "--format", "json")
    assert (code, json.loads(out)["passed"]) == (1, False)


def test_protect_prints_json(run: RunCommand, companies: Path) -> None:
    options = ["--format", "json", "--columns", "surface", "--exclude", "employees", "--method", "univariate"]
    code, out, _ = run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "safe.csv", *options)
    facts = json.loads(out)
    (one,) = facts["sets"]
    assert (code, one["status"], one["gap"], one["bound_kind"]) == (0, "optimal", 0.0, "sorted cut")
    assert facts["columns"] == one["columns"] == ["surface"]


def test_options_reach_the_library(run: RunCommand, companies: Path) -> None:
    run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "whole.csv", "--keep-integers")
    assert "." not in Path("whole.csv").read_text()
    run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "a.csv", "--no-standardise")
    run(
        "protect",
        companies,
        *WITHOUT_NAMES,
        "-k",
        3,
        "-o",
        "b.csv",
        "--method",
        "mdav+recut",
        "--iterations",
        3,
        "--random-state",
        1,
    )
    assert len({Path(name).read_text() for name in ("whole.csv", "a.csv", "b.csv")}) == 3
    code, _, err = run(
        "protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "d.csv", "--method", "mdav", "--iterations", 5
    )
    assert code == 2
    assert "nothing that iterations could limit" in err
    code, _, err = run(
        "protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "d.csv", "--method", "mdav", "--effort", "quick"
    )
    assert code == 2
    assert "method 'mdav' has no effort" in err


def test_shuffled_records_come_in_another_order_each_time(run: RunCommand, companies: Path) -> None:
    orders = set()
    for _ in range(4):
        run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "c.csv", "--shuffle", "--force", "--method", "mdav")
        orders.add(Path("c.csv").read_text())
    assert len(orders) > 1


def test_time_limit_is_reported(run: RunCommand, companies: Path) -> None:
    code, out, _ = run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "d.csv", "--time-limit", 0.2)
    assert code == 0
    assert "ended by time_limit" in out


def test_plan_reaches_the_library(run: RunCommand, companies: Path) -> None:
    Path("release.toml").write_text(
        'k = 3\ncolumns = ["surface"]\nmethod = "mdav"\ndrop = ["company"]\nexclude = ["employees"]\n'
    )
    code, out, _ = run("protect", companies, "--plan", "release.toml", "-o", "safe.csv")
    assert code == 0
    assert "method:           mdav, k = 3" in out
    assert Path("safe.csv").read_text().splitlines()[0] == "surface,employees"
    code, _, err = run("protect", companies, "--plan", "release.toml", "-o", "b.csv", "-k", 4)
    assert (code, "k = 4 contradicts the plan, which says 3" in err) == (2, True)
    assert run("protect", companies, "--plan", "release.toml", "-o", "b.csv", "-k", 3, "--random-state", 5).code == 0
    Path("bad.toml").write_text("k = 3\ncolum = ['surface']\n")
    code, _, err = run("protect", companies, "--plan", "bad.toml", "-o", "c.csv")
    assert (code, err) == (2, "error: a plan has no option 'colum': did you mean 'columns'?\n")
    code, _, err = run("protect", companies, *WITHOUT_NAMES, "-o", "c.csv")
    assert (code, "how large must groups be at least" in err) == (2, True)


def test_plan_of_several_column_sets(run: RunCommand, companies: Path) -> None:
    Path("sets.toml").write_text(
        "k = 3\nidentifiers = ['company']\n[[sets]]\ncolumns = ['surface']\n[[sets]]\ncolumns = ['employees']\nk = 4\n"
    )
    code, out, err = run("protect", companies, "--plan", "sets.toml", "-o", "c.csv")
    assert code == 0
    assert "column set 2: employees" in out
    assert err.startswith("verified on each column set alone: k = 1 on all protected columns together, not 3")
    assert "the 2 column sets, each taken alone, reach k = 3, " in err
    certificate = ["--certificate", "proof.json"]
    code, _, err = run("protect", companies, "--plan", "sets.toml", "-o", "d.csv", *certificate)
    assert (code, "one column set" in err) == (2, True)


def test_individual_ranking_warns_that_the_columns_together_are_not_protected(run: RunCommand, companies: Path) -> None:
    code, out, err = run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "e.csv", "--method", "individual-ranking")
    assert code == 0
    assert "column set 2: employees" in out
    warning = (
        "warning: each of the 2 column sets is 3-anonymous on its own columns only; on all protected columns together"
    )
    assert warning in err
    assert err.startswith("verified on each column set alone: k = 1 on all protected columns together")
    code, _, err = run("verify", "e.csv", "-k", 3, "--columns", "surface,employees")
    assert code == 1
    code, _, err = run("bound", companies, "-k", 3, "--method", "individual-ranking")
    assert (code, "only protect can use it" in err) == (2, True)
    code, _, err = run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "f.csv", "--columns", "surface")
    assert "warning" not in err


def test_options_of_reading_settle_doubts(run: RunCommand) -> None:
    Path("in.csv").write_text("who;x\na;10.123\nb;11.456\nc;12.789\n")
    code, _, err = run("protect", "in.csv", "-k", 3, "-o", "safe.csv")
    assert (code, "--columns" in err or "decimal" in err) == (2, True)
    assert run("protect", "in.csv", "-k", 3, "-o", "safe.csv", "--decimal", ".").code == 0
    assert "11.456" in Path("safe.csv").read_text()
    assert run("protect", "in.csv", "-k", 3, "-o", "t.csv", "--decimal", ".", "--delimiter", ";").code == 0
    code, _, err = run("protect", "in.csv", "-k", 3, "-o", "u.csv", "--encoding", "klingon")
    assert (code, "encoding must be" in err) == (2, True)


def test_tab_can_be_given_as_a_delimiter(run: RunCommand) -> None:
    Path("in.txt").write_text("who\tx;y\na\t1\nb\t2\nc\t3\n")
    for command in (["protect", "-o", "safe.csv"], ["bound"]):
        code, out, _ = run(*command, "in.txt", "-k", 3, "--delimiter", r"\t", "--format", "json")
        assert code == 0
        assert json.loads(out)["columns"] == ["x;y"]


def test_k_of_one_is_refused_unless_it_is_allowed(run: RunCommand, companies: Path) -> None:
    code, _, err = run("protect", companies, *WITHOUT_NAMES, "-k", 1, "-o", "safe.csv")
    assert (code, "--allow-k1" in err) == (2, True)
    assert run("protect", companies, *WITHOUT_NAMES, "-k", 1, "-o", "safe.csv", "--allow-k1").code == 0


def test_files_of_one_kind_become_files_of_another(run: RunCommand, companies: Path) -> None:
    assert run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "safe.parquet").code == 0
    frame = pl.read_parquet("safe.parquet")
    assert frame.schema == {"surface": pl.Float64, "employees": pl.Float64}
    arguments = ["-k", 3, "--columns", "surface,employees", "--method", "mdav"]
    assert run("protect", "safe.parquet", "-o", "again.csv", *arguments).code == 0
    assert run("protect", "again.csv", "-o", "again.arrow", *arguments).code == 0
    assert pl.read_ipc("again.arrow")["surface"].to_list() == pl.read_csv("again.csv")["surface"].to_list()


def test_parquet_in_parquet_out(run: RunCommand) -> None:
    pl.DataFrame({"x": [1.0, 2.0, 8.0, 9.0], "who": list("abcd")}).write_parquet("in.parquet")
    assert run("protect", "in.parquet", "-k", 2, "-o", "out.parquet").code == 0
    assert pl.read_parquet("out.parquet")["x"].to_list() == [1.5, 1.5, 8.5, 8.5]


def test_a_file_is_not_taken_as_the_name_of_a_bound(run: RunCommand, companies: Path) -> None:
    code, _, err = run("protect", "--bound", companies, "-k", 3, "-o", "safe.csv")
    assert (code, "found the file" in err) == (2, True)


def test_bound_prints_what_is_proved(run: RunCommand, companies: Path) -> None:
    code, out, err = run("bound", companies, "-k", 3)
    assert (code, err) == (0, "")
    assert re.search(r"^bound: +(no partition loses less than|proved optimal)", out, re.MULTILINE)
    code, out, _ = run("bound", companies, "-k", 3, "--columns", "surface", "--format", "json")
    facts = json.loads(out)
    assert (code, facts["status"], facts["bound_converged"], facts["gap"]) == (0, "optimal", True, 0.0)
    code, out, _ = run(
        "protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "e.csv", "--bound", "--target-gap", 0.9, "--format", "json"
    )
    (facts,) = json.loads(out)["sets"]
    assert code == 0
    assert 0.0 < facts["lower_bound"] <= facts["sse"]
    assert facts["bound_kind"] in ("neighbours", "column generation")
    options = ["-k", 3, "-o", "g.csv", "--method", "mdav", "--bound", "neighbours", "--format", "json"]
    code, out, _ = run("protect", companies, *WITHOUT_NAMES, *options)
    (facts,) = json.loads(out)["sets"]
    assert (code, facts["bound_kind"], facts["improved"]) == (0, "neighbours", None)
    code, out, _ = run("bound", companies, "-k", 3, "--bound", "neighbours", "--format", "json")
    assert (code, json.loads(out)["bound_kind"]) == (0, "neighbours")
    code, _, err = run("bound", companies, "-k", 3, "--bound", "neighbour")
    assert (code, err) == (2, "error: there is no bound 'neighbour': did you mean 'neighbours'?\n")
    code, _, err = run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "f.csv", "--target-gap", 0.9)
    assert code == 2
    assert "ask for a bound" in err


def test_columns_split_at_commas_but_not_inside_a_name(run: RunCommand) -> None:
    Path("in.csv").write_text('"a,b",c,d\n1,2,3\n4,5,6\n7,8,9\n')
    options = ["--columns", "a,b", "--columns", "c,d", "--format", "json"]
    _, out, _ = run("protect", "in.csv", "-k", 3, "-o", "out.csv", *options)
    assert json.loads(out)["columns"] == ["a,b", "c", "d"]


def test_methods_and_version(run: RunCommand) -> None:
    code, out, _ = run("methods")
    assert code == 0
    assert re.search(r"^v-mdav +.*Parameters: gamma\. \[Solanas", out, re.MULTILINE)
    assert re.search(r"^mdav +.*\. \[Domingo-Ferrer & Torra 2005\]$", out, re.MULTILINE)
    listed = json.loads(run("methods", "--format", "json").out)["methods"]
    fields = {"name", "summary", "reference", "parameters", "aliases", "full_reference", "parameter_list"}
    assert fields == set(listed[0])
    assert run("--version")[:2] == (0, f"microagg {__version__}\n")


def test_methods_with_a_word(run: RunCommand) -> None:
    code, out, _ = run("methods", "GSMS")
    assert code == 0
    assert re.search(r"^gsms-t2: +gsms-nn\+tfrp2 \[Panagiotakis", out, re.MULTILINE)
    assert "cbfs" not in out
    (listed,) = json.loads(run("methods", "gsms", "--format", "json").out)["methods"]
    assert {"name": "gsms", "method": "gsms-nn", "reference": "Panagiotakis & Tziritas 2013"} in listed["aliases"]
    code, out, err = run("methods", "gmss")
    assert (code, out) == (2, "")
    assert "did you mean 'gsms'?" in err
    assert "published names" not in run("methods", "v-mdav").out


def test_methods_describes_a_method_of_this_name_in_full(run: RunCommand) -> None:
    _, out, _ = run("methods", "ICSM")
    assert out.startswith("icsm  Maximum distance")
    assert "\n+icsm  Optimal cut" in out
    assert re.search(
        r"^reference: +R\. Mortazavi, S\. Jalili\. A novel local search .* 7\(1\):15–26, 2015", out, re.MULTILINE
    )
    assert re.search(r"^pairs: +once, both; default once\. How often two records", out, re.MULTILINE)
    (listed,) = json.loads(run("methods", "v-mdav", "--format", "json").out)["methods"]
    assert listed["parameter_list"][0]["default"] == "not set"
    assert "reference: " not in run("methods", "mdav-").out


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty"),
        ("a,b\n", "no records"),
        ("who\nx\ny\nz\n", "no numeric column"),
        ("a,a\n1,2\n3,4\n5,6\n", "2 columns named 'a'"),
        ("a,b\n1,2\n3\n5,6\n", "has 1 field where"),
        ("a\n1\nx\n3\n4\n", "row 2 is 'x'"),
        ("a,b\n1,2\n,4\n5,6\n", "1 missing value (row 2)"),
        ("a,b\n1,2\ninf,4\n5,6\n", "1 infinite value (row 2)"),
        ("a,b\n1,2\nNA,4\nnan,6\n", "2 missing values (rows 2, 3)"),
        (None, "No such file"),
    ],
)
def test_bad_file_gets_one_sentence_and_writes_nothing(run: RunCommand, content: str | None, words: str) -> None:
    if content is not None:
        Path("in.csv").write_text(content)
    code, out, err = run("protect", "in.csv", "-k", 2, "-o", "out.csv")
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
    assert not Path("out.csv").exists()
