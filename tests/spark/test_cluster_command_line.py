"""Commands on Spark do what the others do: the same release, the same sentences, the same exit codes."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microagg
from command_line import Printed, RunCommand, run_here, start
from corners import CORNER
from microagg.spark import executor_warm_up

ROOT = Path(__file__).parents[2]
N = 400


@pytest.fixture
def run(spark: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunCommand:
    """Run a command in this process, with the session of the tests."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: object) -> Printed:
        return Printed(run_here(arguments), *capsys.readouterr())

    return command


@pytest.fixture
def people() -> pl.DataFrame:
    """Return people of two regions."""
    rng = np.random.default_rng(5)
    numbers = {"income": rng.lognormal(8.0, 0.5, N), "assets": rng.normal(0.0, 9.0, N)}
    return pl.DataFrame({**numbers, "region": rng.choice(["north", "south"], N), "name": [f"n{i}" for i in range(N)]})


@pytest.fixture
def folder(people: pl.DataFrame, write_parquet_folder: Callable[..., Path]) -> Path:
    """Return a folder of these people."""
    return write_parquet_folder(people, name="people")


def environment_of_a_new_session() -> dict[str, str]:
    """Return an environment that says nothing of Spark, and lets Java start quickly."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYSPARK", "SPARK"))}
    return {**kept, "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}


OPTIONS = ["-k", "4", "--columns", "income,assets", "--strata", "region", "--identifiers", "name", "--effort", "quick"]


def test_release_is_that_of_one_machine_and_is_verified(run: RunCommand, folder: Path, people: pl.DataFrame) -> None:
    safe = folder.parent / "safe"  # the whole path: Java is in another folder
    written = ["--report", "report.json", "--save-plan", "done.toml"]
    code, out, err = run("spark", "protect", folder, "-o", safe, *OPTIONS, *written)
    assert code == 0, err
    assert "verified: every group has at least 4 records" in err
    assert f"written: {safe}, report report.json, plan done.toml" in err
    assert "information loss" in out
    assert (safe / "_SUCCESS").exists()
    assert sorted(path.name for path in Path().iterdir()) == ["done.toml", "people", "report.json", "safe"]
    plan = microagg.Plan.from_toml(Path("done.toml"))
    released = pl.concat([pl.read_parquet(file) for file in sorted(safe.glob("*.parquet"))])
    assert released.equals(microagg.protect(people, plan=plan).data)
    assert json.loads(Path("report.json").read_text())["sets"][0]["k"] == 4

    code, out, err = run("spark", "verify", folder, safe, "--plan", "done.toml")
    assert (code, out.splitlines()[0][:4]) == (0, "PASS"), err
    code, out, err = run("spark", "measure", folder, safe, "--plan", "done.toml")
    assert code == 0, err
    assert "information loss" in out


def test_output_that_exists_is_not_touched(run: RunCommand, folder: Path) -> None:
    safe = folder.parent / "safe"
    safe.mkdir()
    (safe / "kept").touch()
    code, out, err = run("spark", "protect", folder, "-o", safe, *OPTIONS)
    assert (code, out) == (2, "")
    assert f"error: the output {safe} exists: choose a new folder" in err
    assert [path.name for path in safe.iterdir()] == ["kept"]


def test_what_is_refused_leaves_nothing(run: RunCommand, folder: Path) -> None:
    Path("release.toml").write_text('k = 3\ncolumns = ["income"]\nshuffle = true\n')
    code, out, err = run("spark", "protect", folder, "-o", folder.parent / "safe", "--plan", "release.toml")
    assert (code, out) == (2, "")
    assert "error: the plan has shuffle" in err
    assert sorted(path.name for path in Path().iterdir()) == ["people", "release.toml"]


@CORNER
def test_release_that_is_none_fails(run: RunCommand, folder: Path) -> None:
    code, out, err = run("spark", "verify", folder, "-k", "4", "--columns", "income,assets")
    assert code == 1, err
    assert out.startswith("FAIL")


def test_starter_plan_is_written(run: RunCommand, folder: Path) -> None:
    code, out, err = run("spark", "inspect", folder, "--plan", "starter.toml")
    assert code == 0, err
    assert "income" in out
    assert f"microagg spark protect {folder} --plan starter.toml -o safe/" in err
    assert "income" in Path("starter.toml").read_text()


def test_warm_up_reaches_every_machine(run: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    def tell_of_two(methods: Sequence[str], batches: Iterable[Any]) -> Iterator[str]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield ("one machine", "the other machine")[number]

    monkeypatch.setattr(executor_warm_up, "_compile", tell_of_two)
    monkeypatch.setattr(executor_warm_up, "warmed_methods", lambda: ("mdav", "auto", "search", "mondrian"))
    code, out, err = run("spark", "warm-up")
    assert (code, out) == (0, ""), err
    assert "compiled: every kernel is on the disk of one machine, the other machine" in err
    stages = [line.partition(" ")[2] for line in err.splitlines() if "warm-up" in line]
    assert stages == ["warm-up, default method", "warm-up, methods 4 to 4 of 4"]


@CORNER
def test_warm_up_compiles_the_kernels(run: RunCommand) -> None:
    code, _, err = run("spark", "warm-up")
    assert code == 0, err
    assert f"compiled: every kernel is on the disk of {socket.gethostname()}\n" in err


def test_interrupted_command_writes_nothing(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyspark")
    staging = tmp_path / "staging"
    staging.mkdir()
    command = ["spark", "protect", folder, "-o", tmp_path / "safe", *OPTIONS, "--block-size", 50, "--staging", staging]
    environment = environment_of_a_new_session()
    process = start([*command, "--master", "local[2]"], env=environment, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not list(staging.glob(".microagg-*/*")):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    printed = process.communicate()[1]
    assert process.returncode == 130, printed
    assert " WARN " not in printed, "what Spark logs is not printed"
    assert printed.endswith(
        "cancelled: the jobs on Spark are ended, and nothing is written\ninterrupted: nothing was written\n"
    )
    assert list(staging.iterdir()) == []
    assert not (tmp_path / "safe").exists()


@CORNER
def test_submitted_command_uses_the_session_of_spark_submit(folder: Path, tmp_path: Path) -> None:
    pyspark = pytest.importorskip("pyspark")
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    environment = environment_of_a_new_session()
    environment |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    options = ["--master", "local[2]", "--conf", "spark.ui.enabled=false"]
    command = ["spark", "protect", folder, "-o", tmp_path / "safe", *OPTIONS]
    script = ROOT / "examples" / "spark" / "submit.py"
    done = subprocess.run(
        list(map(str, [submit, *options, script, *command])),
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    printed = done.stdout + done.stderr  # spark-submit prints both to stdout
    assert "at local[2], 2 tasks at a time" in printed
    assert "verified: every group has at least 4 records" in printed
    assert (tmp_path / "safe" / "_SUCCESS").exists()
