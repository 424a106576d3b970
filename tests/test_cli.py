"""The command line as a user meets it."""

import hashlib
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from microagg import __version__, cli


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Run a command in an empty folder: exit code, what it printed, and what it said."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments):
        with pytest.raises(SystemExit) as stopped:
            cli.main([str(argument) for argument in arguments])
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        printed = capsys.readouterr()
        return stopped.value.code, printed.out, printed.err

    return command


def test_protect_then_verify_then_measure(run, companies):
    code, out, err = run("protect", companies, "-k", 3, "-o", "safe.csv", "--report", "report.json")
    assert code == 0
    assert "information loss: 34.0218 %" in out
    assert "method:           search, k = 3" in out
    assert "verified: every group has at least 3 records" in err
    assert "written: safe.csv, report report.json" in err
    lines = Path("safe.csv").read_text().splitlines()
    assert lines[0] == "company,surface,employees"
    assert [line.partition(",")[0] for line in lines[1:]] == [f"Com{i}" for i in range(1, 12)]
    facts = json.loads(Path("report.json").read_text())
    assert facts["sets"][0]["measures"]["k_reached"] == 3
    assert facts["output"] == {"file": "safe.csv", "sha256": hashlib.sha256(Path("safe.csv").read_bytes()).hexdigest()}
    assert sorted(path.name for path in Path().iterdir()) == ["report.json", "safe.csv"]

    code, out, _ = run("verify", "safe.csv", "-k", 3, "--columns", "surface,employees", "--original", companies)
    assert (code, out.splitlines()[0]) == (0, "PASS")
    assert run("verify", companies, "safe.csv", "-k", 3, "--columns", "surface,employees")[:2] == (code, out)
    code, _, err = run("verify", companies, "safe.csv", "more.csv", "-k", 3, "--columns", "surface")
    assert (code, "at most one file before" in err) == (2, True)
    code, out, _ = run("verify", "safe.csv", "-k", 4, "--columns", "surface, employees")
    assert (code, out.splitlines()[0]) == (1, "FAIL")
    code, out, _ = run("verify", companies, "-k", 2, "--columns", "surface", "--format", "json")
    assert (code, json.loads(out)["passed"]) == (1, False)

    code, out, _ = run("measure", companies, "safe.csv")
    assert code == 0
    assert "34.0218 %" in out
    code, out, _ = run("measure", companies, "safe.csv", "--columns", "surface", "--format", "json")
    assert json.loads(out)["columns"][0]["name"] == "surface"


def test_protect_prints_json(run, companies):
    code, out, _ = run(
        "protect",
        companies,
        "-k",
        3,
        "-o",
        "safe.csv",
        "--format",
        "json",
        "--columns",
        "surface",
        "--method",
        "univariate",
    )
    facts = json.loads(out)
    (one,) = facts["sets"]
    assert (code, one["status"], one["gap"], one["bound_kind"]) == (0, "optimal", 0.0, "sorted cut")
    assert facts["columns"] == one["columns"] == ["surface"]


def test_options_reach_the_line(run, companies):
    run("protect", companies, "-k", 3, "-o", "whole.csv", "--keep-integers")
    assert "." not in Path("whole.csv").read_text()
    run("protect", companies, "-k", 3, "-o", "a.csv", "--no-standardise")
    run("protect", companies, "-k", 3, "-o", "b.csv", "--method", "mdav+recut", "--iterations", 3, "--random-state", 1)
    assert len({Path(name).read_text() for name in ("whole.csv", "a.csv", "b.csv")}) == 3
    orders = set()
    for _ in range(4):
        run("protect", companies, "-k", 3, "-o", "c.csv", "--shuffle", "--force")
        orders.add(Path("c.csv").read_text())
    assert len(orders) > 1
    code, _, err = run("protect", companies, "-k", 3, "-o", "d.csv", "--method", "mdav", "--iterations", 5)
    assert code == 2
    assert "nothing that iterations could limit" in err
    code, _, err = run("protect", companies, "-k", 3, "-o", "d.csv", "--method", "mdav", "--effort", "quick")
    assert code == 2
    assert "method 'mdav' knows no effort" in err
    code, out, _ = run("protect", companies, "-k", 3, "-o", "d.csv", "--time-limit", 0.2)
    assert code == 0
    assert re.search(r"ended by time_limit after (\d+) iterations: not reproducible, iterations=\1 is", out)


def test_plan_reaches_the_line(run, companies):
    Path("release.toml").write_text('k = 3\ncolumns = ["surface"]\nmethod = "mdav"\ndrop = ["company"]\n')
    code, out, _ = run("protect", companies, "--plan", "release.toml", "-o", "safe.csv")
    assert code == 0
    assert "method:           mdav, k = 3" in out
    assert Path("safe.csv").read_text().splitlines()[0] == "surface,employees"
    code, _, err = run("protect", companies, "--plan", "release.toml", "-o", "b.csv", "-k", 4)
    assert (code, "k = 4 contradicts the plan, which says 3" in err) == (2, True)
    assert run("protect", companies, "--plan", "release.toml", "-o", "b.csv", "-k", 3, "--random-state", 5)[0] == 0
    Path("bad.toml").write_text("k = 3\ncolum = ['surface']\n")
    code, _, err = run("protect", companies, "--plan", "bad.toml", "-o", "c.csv")
    assert (code, err) == (2, "error: a plan has no option 'colum': did you mean 'columns'?\n")
    code, _, err = run("protect", companies, "-o", "c.csv")
    assert (code, "how large must groups be at least" in err) == (2, True)
    Path("sets.toml").write_text("k = 3\n[[sets]]\ncolumns = ['surface']\n[[sets]]\ncolumns = ['employees']\nk = 4\n")
    code, out, err = run("protect", companies, "--plan", "sets.toml", "-o", "c.csv")
    assert code == 0
    assert "column set 2: employees" in out
    assert "at least 3 records" in err
    assert "at least 4 records" in err


def test_nothing_is_averaged_on_a_guess(run):
    rows = "".join(f"{i},{1000 + 37 * (i * 7 % 23)}.5,{2.5 + i % 3}\n" for i in range(1, 25))
    Path("people.csv").write_text(f"person_id,income,weight\n{rows}")
    code, out, err = run("protect", "people.csv", "-k", 3, "-o", "safe.csv")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "'person_id'" in err
    assert "'weight'" in err
    command = err.strip().rpartition(": ")[2]
    assert command == "microagg protect people.csv -k 3 -o safe.csv --columns income"
    assert not Path("safe.csv").exists()
    assert run(*command.split()[1:])[0] == 0
    assert run("protect", "people.csv", "-k", 3, "-o", "b.csv", "--exclude", "person_id,weight")[0] == 0
    assert Path("b.csv").read_text() == Path("safe.csv").read_text()


def test_a_header_that_looks_like_a_record_is_asked_about(run):
    Path("in.csv").write_text("Smith,34.5,1200.5\nJones,41.5,900.5\nMiller,29.5,1500.5\nBaker,50.5,1100.25\n")
    code, _, err = run("protect", "in.csv", "-k", 2, "-o", "safe.csv")
    assert code == 2
    assert "--no-header" in err
    assert run("protect", "in.csv", "-k", 2, "-o", "safe.csv", "--no-header")[0] == 0
    assert len(Path("safe.csv").read_text().splitlines()) == 4
    assert Path("safe.csv").read_text().startswith("Smith,")


def test_reading_options_settle_doubts(run):
    Path("in.csv").write_text("who;x\na;10.123\nb;11.456\nc;12.789\n")
    code, _, err = run("protect", "in.csv", "-k", 3, "-o", "safe.csv")
    assert (code, "--columns" in err or "decimal" in err) == (2, True)
    assert run("protect", "in.csv", "-k", 3, "-o", "safe.csv", "--decimal", ".")[0] == 0
    assert "11.456" in Path("safe.csv").read_text()
    assert run("protect", "in.csv", "-k", 3, "-o", "t.csv", "--decimal", ".", "--delimiter", ";")[0] == 0
    code, _, err = run("protect", "in.csv", "-k", 3, "-o", "u.csv", "--encoding", "klingon")
    assert (code, "encoding must be" in err) == (2, True)


def test_an_output_that_is_there_is_not_replaced_unasked(run, companies):
    Path("safe.csv").write_text("mine")
    code, _, err = run("protect", companies, "-k", 3, "-o", "safe.csv")
    assert (code, "--force" in err) == (2, True)
    assert Path("safe.csv").read_text() == "mine"
    Path("report.json").write_text("mine")
    code, _, err = run("protect", companies, "-k", 3, "-o", "new.csv", "--report", "report.json")
    assert (code, "--force" in err) == (2, True)
    assert not Path("new.csv").exists()
    assert run("protect", companies, "-k", 3, "-o", "safe.csv", "--report", "report.json", "--force")[0] == 0
    assert Path("safe.csv").read_text() != "mine"


def test_an_option_of_another_command_is_not_suggested(run, companies):
    code, _, err = run("bound", companies, "-k", 3, "--drop", "company")
    assert code == 2
    assert "did you mean --drop" not in err
    assert "microagg bound --help" in err


def test_printed_facts_tell_the_output(run, companies):
    _, out, _ = run("protect", companies, "-k", 3, "-o", "safe.csv", "--format", "json")
    digest = hashlib.sha256(Path("safe.csv").read_bytes()).hexdigest()
    assert json.loads(out)["output"] == {"file": "safe.csv", "sha256": digest}
    code, _, err = run("protect", companies, "-k", 3, "-o", "b.csv", "--report", "-")
    assert (code, "must be a file" in err) == (2, True)


def test_k_of_one_is_refused_unless_it_is_allowed(run, companies):
    code, _, err = run("protect", companies, "-k", 1, "-o", "safe.csv")
    assert (code, "--allow-k1" in err) == (2, True)
    assert run("protect", companies, "-k", 1, "-o", "safe.csv", "--allow-k1")[0] == 0


def test_quiet_and_verbose(run, companies):
    assert run("protect", companies, "-k", 3, "-o", "a.csv", "--quiet") == (0, "", "")
    _, out, err = run("protect", companies, "-k", 3, "-o", "b.csv", "--verbose")
    assert "information loss" in out
    assert "iteration 0: loss" in err
    assert "11 records, 3 columns" in err
    assert run("verify", "a.csv", "-k", 4, "--columns", "surface", "-q") == (1, "", "")
    code, _, err = run("protect", companies, "-k", 3, "-o", "c.csv", "-q", "-v")
    assert (code, "not allowed with" in err) == (2, True)


def test_files_of_one_kind_become_files_of_another(run, companies):
    assert run("protect", companies, "-k", 3, "-o", "safe.parquet")[0] == 0
    frame = pl.read_parquet("safe.parquet")
    assert frame.schema == {"company": pl.String, "surface": pl.Float64, "employees": pl.Float64}
    arguments = ["-k", 3, "--columns", "surface,employees", "--method", "mdav"]
    assert run("protect", "safe.parquet", "-o", "again.csv", *arguments)[0] == 0
    assert run("protect", "again.csv", "-o", "again.arrow", *arguments)[0] == 0
    assert pl.read_ipc("again.arrow")["surface"].to_list() == pl.read_csv("again.csv")["surface"].to_list()


def test_alone_it_prints_help(run):
    code, out, err = run()
    assert (code, err) == (0, "")
    assert "examples:" in out
    for command in ("protect", "bound", "verify", "certify", "measure", "methods"):
        code, out, _ = run(command, "--help")
        assert code == 0
        assert f"examples:\n  microagg {command}" in out


def test_standard_input_and_output(companies, tmp_path):
    arguments = ["protect", "-", "-k", 3, "-o", "-", "--method", "mdav"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = _start(arguments, cwd=tmp_path, **pipes)
    out, err = process.communicate(companies.read_bytes())
    assert process.returncode == 0
    assert out.decode().splitlines()[0] == "company,surface,employees"
    assert len(out.decode().splitlines()) == 12
    assert b"information loss" in err
    assert list(tmp_path.iterdir()) == []


def test_completion_into_a_pipe_that_is_closed(tmp_path):
    for arguments in (["--print-completion", "bash"], ["--help"], ["methods"]):
        reader, writer = os.pipe()
        os.close(reader)
        process = _start(arguments, stdout=writer, stderr=subprocess.PIPE, text=True)
        os.close(writer)
        assert process.communicate()[1] == ""
        assert process.returncode == 0


def test_bound_prints_what_is_proved(run, companies):
    code, out, err = run("bound", companies, "-k", 3)
    assert (code, err) == (0, "")
    assert re.search(r"^bound: +(no grouping loses less than|proved optimal)", out, re.MULTILINE)
    code, out, _ = run("bound", companies, "-k", 3, "--columns", "surface", "--format", "json")
    facts = json.loads(out)
    assert (code, facts["status"], facts["bound_converged"], facts["gap"]) == (0, "optimal", True, 0.0)
    code, out, _ = run("protect", companies, "-k", 3, "-o", "e.csv", "--bound", "--target-gap", 0.9, "--format", "json")
    (facts,) = json.loads(out)["sets"]
    assert code == 0
    assert 0.0 < facts["lower_bound"] <= facts["sse"]
    assert facts["bound_kind"] in ("neighbours", "column generation")
    code, _, err = run("protect", companies, "-k", 3, "-o", "f.csv", "--target-gap", 0.9)
    assert code == 2
    assert "ask for a bound" in err


def test_columns_split_at_commas_but_not_inside_a_name(run):
    Path("in.csv").write_text('"a,b",c,d\n1,2,3\n4,5,6\n7,8,9\n')
    _, out, _ = run(
        "protect", "in.csv", "-k", 3, "-o", "out.csv", "--columns", "a,b", "--columns", "c,d", "--format", "json"
    )
    assert json.loads(out)["columns"] == ["a,b", "c", "d"]


def test_text_report(run, companies):
    run("protect", companies, "-k", 3, "-o", "safe.csv", "--report", "report.txt")
    assert "surface        595.455     595.455" in Path("report.txt").read_text()


def test_methods_and_version(run):
    code, out, _ = run("methods")
    assert code == 0
    assert re.search(r"^v-mdav +.*Parameters: gamma\. \[Solanas", out, re.MULTILINE)
    assert re.search(r"^mdav +Start a group .* \[Domingo-Ferrer & Torra 2005\]$", out, re.MULTILINE)
    listed = json.loads(run("methods", "--format", "json")[1])["methods"]
    assert {"name", "summary", "reference", "parameters"} == set(listed[0])
    assert run("--version")[:2] == (0, f"microagg {__version__}\n")


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion_script_is_one(run, shell, tmp_path):
    code, out, _ = run("--print-completion", shell)
    assert code == 0
    assert "--random-state" in out
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=out.encode(), check=True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-k", "0"], "k must be at least 1"),
        (["-k", "x"], "-k: must be a whole number, found 'x'"),
        (["-k", "2.5"], "-k: must be a whole number, found '2.5'"),
        (["-k", "12"], "k = 12 is more than the 11 records"),
        (["-k", "3", "--columns", "nope"], "there is no column 'nope'"),
        (["-k", "3", "--columns", "Surface"], "there is no column 'Surface': did you mean 'surface'?"),
        (["-k", "3", "--drop", "Company"], "there is no column 'Company': did you mean 'company'?"),
        (["-k", "3", "--colums", "surface"], "unrecognized arguments: --colums surface: did you mean --columns?"),
        (["-k", "3", "--columns", "surface,surface"], "'surface' is named 2 times in columns"),
        (["-k", "3", "--columns", "company"], "row 1 is 'Com1'"),
        (["-k", "3", "--method", "mdva"], "did you mean 'mdav'?"),
        (["-k", "3", "--random-state", "-1"], "random_state must be"),
        (["-k", "3", "--format", "xml"], "invalid choice: 'xml'"),
        (["-k", "3", "--report", "none/report.txt"], "the folder none of the output is not there"),
        (["-k", "3", "--report", "report.pdf"], "must end in .txt or .json"),
        (["-k", "3", "--report", "safe.txt", "-o", "safe.txt"], "is the file safe.txt itself"),
        (["-k", "3", "-o", "none/safe.csv"], "the folder none of the output is not there"),
        (["-k", "3", "-o", "."], "is a folder"),
        (["-k", "3", "-o", "safe.xlsx"], "safe.xlsx"),
        (["-k", "3", "--nope"], "unrecognized arguments: --nope"),
        ([], "how large must groups be at least"),
    ],
)
def test_bad_arguments_get_one_sentence_and_write_nothing(run, companies, arguments, words):
    output = [] if "-o" in arguments else ["-o", "safe.csv"]
    code, out, err = run("protect", companies, *output, *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert list(Path().iterdir()) == []


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
def test_bad_files_get_one_sentence_and_write_nothing(run, content, words):
    if content is not None:
        Path("in.csv").write_text(content)
    code, out, err = run("protect", "in.csv", "-k", 2, "-o", "out.csv")
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
    assert not Path("out.csv").exists()


def test_output_equal_to_input_is_refused(run, companies):
    shutil.copy(companies, "in.csv")
    code, _, err = run("protect", "in.csv", "-k", 3, "-o", "./in.csv")
    assert code == 2
    assert "is the input itself" in err
    assert Path("in.csv").read_text() == companies.read_text()


def test_verify_wants_to_know_the_columns(run, companies):
    code, _, err = run("verify", companies, "-k", 3)
    assert code == 2
    assert "the following arguments are required: --columns" in err


@pytest.mark.parametrize(("target", "code"), [("/dev/full", 74), ("pipe", 0)])
def test_release_stands_where_the_report_cannot_be_printed(companies, tmp_path, target, code):
    reader, writer = os.pipe()
    os.close(reader)
    stdout = writer if target == "pipe" else os.open(target, os.O_WRONLY)
    arguments = ["protect", companies, "-k", 3, "-o", tmp_path / "safe.csv"]
    process = _start(arguments, stdout=stdout, stderr=subprocess.PIPE, text=True)
    said = process.communicate()[1]
    assert process.returncode == code
    assert "Traceback" not in said
    assert (tmp_path / "safe.csv").exists()


def test_terminal_that_knows_no_accents(tmp_path):
    (tmp_path / "in.csv").write_text("é,c\n1,5\n2,5\n")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    arguments = ["protect", tmp_path / "in.csv", "-k", 2, "-o", tmp_path / "safe.csv"]
    process = _start(arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert "?" in process.communicate()[0]
    assert process.returncode == 0


def test_links_in_a_circle(run, companies):
    Path("loop.csv").symlink_to("loop.csv")
    code, _, err = run("protect", companies, "-k", 3, "-o", "loop.csv")
    assert (code, err.count("\n")) == (2, 1)


def test_report_that_cannot_be_written_holds_back_the_release(run, companies):
    code, _, err = run("protect", companies, "-k", 3, "-o", "safe.csv", "--report", "r" * 300 + ".json")
    assert (code, err.count("\n")) == (2, 1)
    assert "File name too long" in err
    assert list(Path().iterdir()) == []


def test_parquet_in_parquet_out(run):
    pl.DataFrame({"x": [1.0, 2.0, 8.0, 9.0], "who": list("abcd")}).write_parquet("in.parquet")
    assert run("protect", "in.parquet", "-k", 2, "-o", "out.parquet")[0] == 0
    assert pl.read_parquet("out.parquet")["x"].to_list() == [1.5, 1.5, 8.5, 8.5]


def _start(arguments, **options):
    return subprocess.Popen([sys.executable, "-m", "microagg", *map(str, arguments)], **options)


def test_first_run_says_that_kernels_are_compiled_and_the_second_does_not(companies, tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    said = []
    for _ in range(2):
        arguments = ["protect", companies, "-k", 3, "-o", tmp_path / "safe.csv", "--method", "mdav", "--force"]
        process = _start(arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        said.append(process.communicate()[1])
        assert process.returncode == 0
    assert said[0].startswith("compiling kernels: this happens on the first use of a method only")
    assert said[1] == f"verified: every group has at least 3 records\nwritten: {tmp_path / 'safe.csv'}\n"


@pytest.fixture
def long_run(tmp_path):
    """Start a run that takes a minute, on a terminal, and give it time to be under way."""
    path = tmp_path / "big.csv"
    pl.DataFrame(
        {f"c{j}": pl.int_range(400_000, eager=True).hash(seed=j).cast(pl.Float64) for j in range(3)}
    ).write_csv(path)
    terminal, stderr = pty.openpty()
    process = _start(["protect", path, "-k", 3, "-o", tmp_path / "safe.csv"], stdout=subprocess.PIPE, stderr=stderr)
    os.close(stderr)
    seen = b""
    while b"mdav" not in seen:
        seen += os.read(terminal, 4096)
    yield process
    process.kill()
    process.communicate()
    os.close(terminal)


def _interrupted(arguments, word):
    """Run a command, press Ctrl-C when a word is seen on the terminal, and give what it printed."""
    terminal, stderr = pty.openpty()
    process = _start(arguments, stdout=subprocess.PIPE, stderr=stderr)
    os.close(stderr)
    seen = b""
    while word not in seen:
        seen += os.read(terminal, 4096)
    process.send_signal(signal.SIGINT)
    out = process.communicate()[0].decode()
    os.close(terminal)
    assert process.returncode == 0
    return out


@pytest.fixture(name="some")
def _some(tmp_path):
    path = tmp_path / "some.csv"
    columns = {f"c{j}": pl.int_range(3000, eager=True).hash(seed=j).cast(pl.Float64) for j in range(3)}
    pl.DataFrame(columns).write_csv(path)
    return path


def test_interruption_of_the_search_writes_the_best_so_far(some, tmp_path):
    arguments = ["protect", some, "-k", 3, "-o", tmp_path / "safe.csv", "--effort", "thorough"]
    out = _interrupted(arguments, b"below the start")
    assert "ended by cancelled" in out
    assert "every group has at least 3 records (k reached: 3)" in out
    assert (tmp_path / "safe.csv").exists()


def test_interruption_of_the_bound_prints_what_is_proved(some):
    facts = json.loads(_interrupted(["bound", some, "-k", 9, "--method", "mdav", "--format", "json"], b"round 2"))
    assert facts["bound_ended_by"] == "cancelled"
    assert 0.0 < facts["lower_bound"] < facts["sse"]


def test_killing_leaves_nothing(long_run, tmp_path):
    long_run.send_signal(signal.SIGTERM)
    assert long_run.wait(timeout=60) == 130
    assert [path.name for path in tmp_path.iterdir()] == ["big.csv"]


def test_interruption_of_the_constructor_writes_what_it_has(long_run, tmp_path):
    long_run.send_signal(signal.SIGINT)
    out = long_run.communicate(timeout=120)[0].decode()
    assert long_run.returncode == 0
    assert re.search(r"ended by cancelled: \d+% of the records were grouped by the fallback", out)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["big.csv", "safe.csv"]
