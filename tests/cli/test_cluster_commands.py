"""Commands on Spark say in one sentence what is missing or wrong, before Spark is started."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import RunCommand, start

PROTECT = ["spark", "protect", "people/", "-o", "safe/"]
COLUMNS = ["-k", "3", "--columns", "income,age"]
WITH_UNITS = [*COLUMNS, "--strata", "town", "--unit", "house", "--identifiers", "house"]


@pytest.fixture
def without_pyspark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Python find no pyspark."""
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)


def test_group_alone_prints_its_help(run: RunCommand) -> None:
    code, out, err = run("spark")
    assert (code, err) == (0, "")
    assert out.startswith("usage: microagg spark COMMAND")
    assert "warm-up" in out


@pytest.mark.usefixtures("without_pyspark")
@pytest.mark.parametrize(
    "arguments",
    [
        [*PROTECT, "-k", "3", "--columns", "a"],
        ["spark", "verify", "safe/", "-k", "3", "--columns", "a"],
        ["spark", "measure", "people/", "safe/"],
        ["spark", "inspect", "people/"],
        ["spark", "warm-up"],
    ],
)
def test_without_pyspark_it_says_how_to_install_it(run: RunCommand, arguments: list[str]) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: Spark needs the package pyspark")
    assert err.endswith("pip install 'microagg[spark]'\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([*PROTECT, "--plan", "none.toml"], "none.toml"),
        ([*PROTECT, "-k", "3", "--report", "none/report.txt"], "the folder none of the output is not there"),
        ([*PROTECT, "-k", "3", "--report", "report.pdf"], "must end in .txt, .json or .html"),
        ([*PROTECT, "-k", "3", "--edition", "public"], "--edition is about a report that ends in .html"),
        ([*PROTECT, "-k", "3", "--report", "a.txt", "--save-plan", "a.txt"], "is the file a.txt itself"),
        ([*PROTECT, "-k", "3", "--conf", "a=1", "--conf", "a=2"], "--conf has a setting twice"),
        (["spark", "verify", "a/", "b/", "c/"], "at most the original ones before them"),
        (["spark", "verify", "a/", "b/"], "verify needs -k and --columns, or --plan"),
        (["spark", "verify", "a/", "-k", "3"], "verify needs --columns, or --plan"),
        (["spark", "verify", "a/", "--plan", "release.toml", "-k", "3"], "-k or --columns is given besides --plan"),
        (["spark", "inspect", "a/", "--force"], "--force replaces an existing plan, found no --plan"),
        (["spark", "inspect", "a/", "--plan", "release.toml"], "release.toml"),
        ([*PROTECT, "--plan", "shuffled.toml"], "the plan has shuffle, but a random order of all records is made in"),
        ([*PROTECT, "-k", "3"], "name the columns to protect, as in --columns income,age"),
        ([*PROTECT, "--columns", "a"], "how large must groups be at least?"),
        (
            [*PROTECT, *WITH_UNITS, "--small-strata", "merge"],
            "leave --small-strata out, choose coarser strata (--strata)",
        ),
        ([*PROTECT, "-k", "3", "--columns", "a", "--method", "individual-ranking"], "(--method auto)"),
        (["spark", "protect", "people/", "-o", "old/", *COLUMNS], "the output old/ exists: choose a new folder"),
        (["spark", "protect", "people/", "-o", "none/safe", *COLUMNS], "the folder none of the output is not there"),
        (["spark", "protect", "people/", "-o", "release.toml/safe", *COLUMNS], "the folder release.toml of the output"),
        ([*PROTECT, *COLUMNS, "--staging", "none"], "the folder none for temporary files (--staging) is not there"),
    ],
)
@pytest.mark.usefixtures("without_pyspark")
def test_what_is_wrong_is_said_before_spark_is_started(run: RunCommand, arguments: list[str], words: str) -> None:
    Path("release.toml").write_text('k = 3\ncolumns = ["a"]\n')
    Path("shuffled.toml").write_text('k = 3\ncolumns = ["a"]\nshuffle = true\n')
    Path("old").mkdir()
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert words in err
    assert "pyspark" not in err
    assert err.count("\n") == 1


def test_other_commands_do_not_load_spark() -> None:
    loaded = "import sys, microagg.cli; print([name for name in ('pyspark', 'pyarrow') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_without_java_it_says_so(tmp_path: Path) -> None:
    pytest.importorskip("pyspark")
    environment = {**os.environ, "JAVA_HOME": str(tmp_path)}
    process = start(["spark", "warm-up"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, err = process.communicate()
    assert (process.returncode, out) == (2, "")
    assert err == (
        f"error: Spark needs Java 17 or later, found none under JAVA_HOME={tmp_path}: install one, or set JAVA_HOME\n"
    )
