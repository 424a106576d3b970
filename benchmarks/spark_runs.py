"""Runs of the measurements on Spark: whole commands, each in a process of its own with all of its descendants."""

import hashlib
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import dataset

from event_log import SETTINGS, read_event_log
from scale_runs import K
from spark_data import COLUMNS, STRATUM, write_file, write_folder
from tree_meter import run_tree

Result = dict[str, Any]

MASTER = "local[2]"
ENGINES = {"memory": "one machine, in memory", "file": "one machine, out of core", "spark": f"Spark, `{MASTER}`"}
"""What people call each way to do the work."""

_LEAST_MEMORY = 500  # megabytes that out of core may use
_MEGABYTES_A_MILLION = 220  # records: what stays in memory of each, and Python itself
_STAGE = re.compile(r"^\s*([\d.]+) s  (.+?)(?:, (\d+) tasks)?$", re.MULTILINE)


def run_engine(folder: Path, engine: str, n: int) -> Result:
    """Protect plain records in one of three ways; the release stays in the folder.

    Parameters
    ----------
    folder
        Where the records, the releases and what is temporary are.
    engine
        Name in `ENGINES`.
    n
        Number of records.

    Returns
    -------
    dict
        Time, memory and loss; of Spark the times of its stages and the figures of its tasks, too.
    """
    folder.mkdir(parents=True, exist_ok=True)
    release = release_of(folder, engine, n)
    if engine == "spark":
        return _protect_on_spark(write_folder(folder / f"plain-{n}", n, "plain"), release, [])
    original = write_file(folder / f"plain-{n}.parquet", n)
    limit = ["--memory", f"{memory_limit(n)}M"] if engine == "file" else []
    return _protected(["protect", str(original), *limit, "--force"], release)


def run_shape(folder: Path, shape: str, n: int) -> Result:
    """Protect records of a shape on Spark; their release is removed."""
    release = folder / f"release-{shape}-{n}"
    strata = ["--strata", STRATUM] if shape == "strata" else []
    try:
        return _protect_on_spark(write_folder(folder / f"{shape}-{n}", n, shape), release, strata)
    finally:
        shutil.rmtree(release, ignore_errors=True)


def run_sameness(folder: Path, n: int) -> Result:
    """Compare the three releases of plain records, bit by bit."""
    releases = [dataset.dataset(_files(release_of(folder, engine, n)), format="parquet") for engine in ENGINES]
    same = all(len({_bits(release, name) for release in releases}) == 1 for name in COLUMNS)
    return {"same": same, "n_groups": len(np.unique(_column(releases[0], COLUMNS[0])))}


def release_of(folder: Path, engine: str, n: int) -> Path:
    """Return where the release of an engine is."""
    return folder / (f"release-{engine}-{n}" if engine == "spark" else f"release-{engine}-{n}.parquet")


def memory_limit(n: int) -> int:
    """Return the memory that out of core may use, in megabytes."""
    return max(_LEAST_MEMORY, round(_MEGABYTES_A_MILLION * n / 10**6))


def _protect_on_spark(original: Path, release: Path, options: list[str]) -> Result:
    """Protect a folder by the command line, with a log of all that its tasks do."""
    log = release.with_suffix(".events")
    for left in (release, log):
        shutil.rmtree(left, ignore_errors=True)
    log.mkdir(parents=True)
    settings = [*SETTINGS, "--conf", f"spark.eventLog.dir={log.as_uri()}", "--conf", "spark.driver.memory=2g"]
    command = ["spark", "protect", str(original), "--master", MASTER, "--verbose", *settings, *options]
    result = _protected(command, release)
    result["tasks"] = read_event_log(log)._asdict()
    shutil.rmtree(log)
    return result


def _protected(command: list[str], release: Path) -> Result:
    """Run a command that protects; one that fails is an error with the end of what it said."""
    report = release.with_suffix(".json")
    report.unlink(missing_ok=True)
    wanted = ["-k", str(K), "--columns", ",".join(COLUMNS), "--effort", "quick"]
    done, reading = run_tree(
        [sys.executable, "-m", "microagg", *command, *wanted, "-o", str(release), "--report", str(report)]
    )
    if done.code:
        raise RuntimeError(f"microagg {command[0]} ended with {done.code}: {done.errors.strip()[-800:]}")
    (grouped,) = json.loads(report.read_text())["sets"]
    stages = [(name, float(seconds), int(tasks or 0)) for seconds, name, tasks in _STAGE.findall(done.errors)]
    return {**reading._asdict(), "loss": grouped["information_loss"], "stages": stages}


def _files(release: Path) -> list[str]:
    """Return the files of a release in the order of their records."""
    return [str(release)] if release.is_file() else [str(file) for file in sorted(release.glob("*.parquet"))]


def _column(release: Any, name: str) -> Any:
    return np.asarray(release.to_table(columns=[name]).column(name).combine_chunks())


def _bits(release: Any, name: str) -> bytes:
    """Return a digest of a column, to the last bit of every number."""
    assert release.schema.field(name).type == pa.float64()
    return hashlib.sha256(np.ascontiguousarray(_column(release, name)).tobytes()).digest()
