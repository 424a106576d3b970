"""Reports go to stdout, messages to stderr; a release stands even if its report cannot be printed."""

import os
import subprocess
from pathlib import Path

import pytest

from command_line import WITHOUT_NAMES, RunCommand, start


def test_quiet_prints_nothing(run: RunCommand, companies: Path) -> None:
    assert run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "a.csv", "--quiet") == (0, "", "")
    assert run("verify", "a.csv", "-k", 4, "--columns", "surface", "-q") == (1, "", "")
    code, out, err = run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "a.csv", "--quiet")
    assert (code, out, err.startswith("error: ")) == (2, "", True)


def test_verbose_prints_how_files_were_read_and_how_the_loss_decreased(run: RunCommand, companies: Path) -> None:
    _, out, err = run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "b.csv", "--verbose")
    assert "information loss" in out
    assert "iteration 0: loss" in err
    assert "11 records, 3 columns, delimiter ','" in err


@pytest.mark.parametrize(
    "arguments", [["verify", "-k", 1, "--columns", "surface"], ["measure", "--columns", "surface"]]
)
def test_verbose_is_heeded_by_every_command_that_reads(
    run: RunCommand, companies: Path, arguments: list[object]
) -> None:
    command, *options = arguments
    _, out, err = run(command, companies, companies, *options, "-v")
    assert err.count("read: ") == 2
    assert "read: " not in out


def test_details_show_no_value(run: RunCommand, companies: Path) -> None:
    _, out, err = run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "b.csv", "--verbose")
    for line in companies.read_text().splitlines()[1:]:
        assert line.partition(",")[2] not in out + err
        assert line.partition(",")[0] not in out + err


@pytest.mark.parametrize(("target", "code"), [("/dev/full", 74), ("pipe", 0)])
def test_release_stands_if_the_report_cannot_be_printed(
    companies: Path, tmp_path: Path, target: str, code: int
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    stdout = writer if target == "pipe" else os.open(target, os.O_WRONLY)
    arguments = ["protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", tmp_path / "safe.csv", "--method", "mdav"]
    process = start(arguments, stdout=stdout, stderr=subprocess.PIPE, text=True)
    err = process.communicate()[1]
    assert process.returncode == code
    assert "Traceback" not in err
    assert "written: " in err
    assert (tmp_path / "safe.csv").exists()


def test_compilation_is_announced_and_nothing_where_all_is_compiled(
    run: RunCommand, companies: Path, tmp_path: Path
) -> None:
    options = ["--columns", "surface", "--drop", "employees", "--method", "univariate", "--force"]
    arguments = ["protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", tmp_path / "safe.csv", *options]
    assert run(*arguments).code == 0  # compiles, for other processes too
    process = start(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.communicate()[1] == (
        f"verified: every group has at least 3 records (k reached: 3)\nwritten: {tmp_path / 'safe.csv'}\n"
    )
    assert process.returncode == 0

    without_cache = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    with start(arguments, env=without_cache, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        first_line = process.stderr.readline()
        process.kill()
    assert first_line.startswith("compiling kernels: this happens on the first use of a method only")
