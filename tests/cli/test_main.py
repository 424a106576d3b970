"""Arguments are parsed, errors are one sentence with a remedy, and the exit code tells what happened."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import WITHOUT_NAMES, RunCommand, start
from microagg import CancelledError, VerificationError, cli
from microagg.cli.commands import COMMANDS
from microagg.terminal.interruption import Interruption


def test_alone_it_prints_help(run: RunCommand) -> None:
    code, out, err = run()
    assert (code, err) == (0, "")
    assert "examples:" in out


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command_has_examples(run: RunCommand, command: str) -> None:
    code, out, err = run(*command.split(), "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"usage: microagg {command} ")
    assert f"examples:\n  microagg {command}" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-k", "0"], "k must be at least 1"),
        (["-k", "x"], "-k: must be a whole number, found 'x'"),
        (["-k", "2.5"], "-k: must be a whole number, found '2.5'"),
        (["-k", "12", *WITHOUT_NAMES], "k = 12 is more than the 11 records"),
        (["-k", "3", "--columns", "nope"], "there is no column 'nope'"),
        (["-k", "3", "--columns", "Surface"], "there is no column 'Surface': did you mean 'surface'?"),
        (["-k", "3", "--drop", "Company"], "there is no column 'Company': did you mean 'company'?"),
        (["-k", "3", "--colums", "surface"], "unrecognized arguments: --colums surface: did you mean --columns?"),
        (["-k", "3", "--columns", "surface,surface"], "'surface' is named 2 times in columns"),
        (
            ["-k", "3", "--columns", "company", "--exclude", "surface,employees"],
            "column 'company' is text that differs in every record",
        ),
        (["-k", "3", "--method", "mdva"], "did you mean 'mdav'?"),
        (["-k", "3", "--random-state", "-1"], "--random-state must be at least 0, found -1"),
        (["-k", "3", "--time-limit", "soon"], "--time-limit: must be a number, found 'soon'"),
        (["-k", "3", "--format", "xml"], "invalid choice: 'xml'"),
        (["-k", "3", "--effort", "qick"], "invalid choice: 'qick': did you mean 'quick'?"),
        (["-k", "3", "--report", "none/report.txt"], "the folder none of the output is not there"),
        (["-k", "3", "--report", "report.pdf"], "must end in .txt, .json or .html"),
        (["-k", "3", "--report", "-"], "must be a file"),
        (["-k", "3", "--report", "safe.txt", "-o", "safe.txt"], "is the file safe.txt itself"),
        (["-k", "3", "--method", "mdav", "--certificate", "proof.json"], "method 'mdav' writes no certificate"),
        (["-k", "3", "-o", "none/safe.csv"], "the folder none of the output is not there"),
        (["-k", "3", "-o", "."], "is a folder"),
        (["-k", "3", "-o", "safe.ods"], "safe.ods"),
        (["-k", "3", "--nope"], "unrecognized arguments: --nope"),
        (["-k", "3", "-q", "-v"], "not allowed with"),
        ([], "how large must groups be at least"),
    ],
)
def test_bad_arguments_get_one_sentence_and_write_nothing(
    run: RunCommand, companies: Path, arguments: list[str], words: str
) -> None:
    output = [] if "-o" in arguments else ["-o", "safe.csv"]
    code, out, err = run("protect", companies, *output, *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert list(Path().iterdir()) == []


def test_nothing_is_averaged_on_a_guess(run: RunCommand) -> None:
    rows = "".join(f"{i},{1000 + 37 * (i * 7 % 23)}.5,{2.5 + i % 3}\n" for i in range(1, 25))
    Path("people.csv").write_text(f"person_id,income,weight\n{rows}")
    code, out, err = run("protect", "people.csv", "-k", 3, "-o", "safe.csv")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "'person_id'" in err
    assert "'weight'" in err
    command = err.strip().rpartition(": ")[2]
    assert command == "microagg protect people.csv -k 3 -o safe.csv --columns income --identifiers person_id"
    assert not Path("safe.csv").exists()
    assert run(*command.split()[1:]).code == 0
    assert run("protect", "people.csv", "-k", 3, "-o", "b.csv", "--exclude", "person_id,weight").code == 0
    after = [line.partition(",")[2] for line in Path("b.csv").read_text().splitlines()]
    assert after == Path("safe.csv").read_text().splitlines(), "without the identifier"


def test_suggested_command_keeps_commas_inside_names(run: RunCommand) -> None:
    rows = "".join(f"{i},{1000 + 37 * (i * 7 % 23)}.5\n" for i in range(1, 25))
    Path("people.csv").write_text(f'person_id,"income, net"\n{rows}')
    err = run("protect", "people.csv", "-k", 3, "-o", "safe.csv").err
    assert err.endswith(
        "microagg protect people.csv -k 3 -o safe.csv --columns 'income, net' --identifiers person_id\n"
    )


def test_header_that_looks_like_a_record_is_asked_about(run: RunCommand) -> None:
    Path("in.csv").write_text("Smith,34.5,1200.5\nJones,41.5,900.5\nMiller,29.5,1500.5\nBaker,50.5,1100.25\n")
    code, _, err = run("protect", "in.csv", "-k", 2, "-o", "safe.csv")
    assert code == 2
    assert "--no-header" in err
    assert run("protect", "in.csv", "-k", 2, "-o", "safe.csv", "--no-header").code == 0
    assert len(Path("safe.csv").read_text().splitlines()) == 4
    assert Path("safe.csv").read_text().startswith("Smith,")


def test_defect_of_the_package_is_no_bad_input(
    run: RunCommand, companies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise VerificationError("the release reaches only k = 2, not 3: nothing is released")

    monkeypatch.setattr(cli.commands, "protect", fail)
    code, out, err = run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "safe.csv")
    assert (code, out) == (1, "")
    assert err == "error: the release reaches only k = 2, not 3: nothing is released\n"
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion_script_is_valid(run: RunCommand, shell: str) -> None:
    code, out, _ = run("--print-completion", shell)
    assert code == 0
    assert "--random-state" in out
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=out.encode(), check=True)


COMPANIES = Path(__file__).parents[2] / "examples" / "companies.csv"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--print-completion", "bash"],
        ["--help"],
        ["methods"],
        ["protect", COMPANIES, *WITHOUT_NAMES, "-k", 3, "-o", "-", "--method", "mdav", "--quiet"],
    ],
)
def test_reader_that_closes_the_pipe_is_no_error(arguments: list[object]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = start(arguments, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert process.communicate()[1] == ""
    assert process.returncode == 0


def test_a_command_that_is_cancelled_without_a_result_is_interrupted(
    run: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cancelled(options: object) -> int:
        raise CancelledError("cancelled: nothing is reported")

    monkeypatch.setitem(COMMANDS, "methods", cancelled)
    monkeypatch.setattr(Interruption, "exit", lambda self: sys.exit(130))
    assert run("methods").code == 130


def test_terminal_without_accents(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("é,c\n1,5\n2,5\n")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    arguments = ["protect", tmp_path / "in.csv", "-k", 2, "-o", tmp_path / "safe.csv"]
    process = start(arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert "?" in process.communicate()[0]
    assert process.returncode == 0
