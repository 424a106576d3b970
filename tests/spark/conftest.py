"""Fixtures of tests on Spark; these tests are skipped, with the reason, where there is no Spark or no Java."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

LEAST_JAVA = 17
CORES = 2
TRIES = 4  # of each task
QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmn400m -XX:MetaspaceSize=256m"  # collects garbage seldom
LONGEST_FIRST = (
    "test_dead_executors.py",
    "test_cluster_protect.py",
    "test_cluster_verify.py",
    "test_faults.py",
    "test_cluster_command_line.py",
)

# Of Spark, and of the sockets between it and Python; not of this package.
FOREIGN_WARNINGS = (
    "ignore:::pyspark",
    "ignore:::py4j",
    "ignore::ResourceWarning",
    "ignore::pytest.PytestUnraisableExceptionWarning",
)


def pytest_configure(config: pytest.Config) -> None:
    """Let warnings of Spark pass: all others are errors, as in the other tests."""
    for line in FOREIGN_WARNINGS:
        config.addinivalue_line("filterwarnings", line)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest, so that no session is left alone with one of them in the end."""
    places = {name: place for place, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Return a session of Spark on this machine: two tasks at a time, each of which is tried again where it fails."""
    pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'microagg[spark]'")
    version = java_version()
    if version is None or version < LEAST_JAVA:
        found = "none" if version is None else str(version)
        pytest.skip(f"Spark needs Java {LEAST_JAVA} or later in JAVA_HOME or in the PATH, found {found}")
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("spark")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON"):
            patch.setenv(name, sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        builder = SparkSession.builder.master(f"local[{CORES},{TRIES}]").appName("tests of microagg")
        for name, value in _options(folder).items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        yield session
        session.stop()


def _options(folder: Path) -> dict[str, str]:
    """Return options of a session that starts quickly, tells nobody, and writes nowhere but in a folder."""
    return {
        "spark.driver.extraJavaOptions": f"{QUICK_JAVA} -Dderby.system.home={folder}",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.local.dir": str(folder / "local"),
        "spark.python.daemon.module": "microagg.spark.worker_daemon",
        "spark.sql.files.openCostInBytes": "0",  # else all small files are one partition
        "spark.sql.adaptive.enabled": "false",  # planning anew and compiling take longer than so few records
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }


def java_version() -> int | None:
    """Return the version of Java that Spark would find; None where there is none."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java") if home is None else shutil.which(Path(home) / "bin" / "java")
    if java is None:
        return None
    told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(\d+)', told)
    return None if found is None else int(found[1])


@pytest.fixture
def write_parquet_folder(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a frame as a folder of Parquet files, each larger than the one before."""

    def written(frame: pl.DataFrame, n_files: int = 3, name: str = "table") -> Path:
        folder = tmp_path / name
        folder.mkdir()
        ends = [frame.height * (number + 1) ** 2 // n_files**2 for number in range(n_files)]
        for number, (start, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
            frame[start:end].write_parquet(folder / f"part-{number:05}.parquet", row_group_size=max(1, end // 3))
        return folder

    return written
