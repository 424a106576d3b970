"""Killed processes of a cluster: executors change nothing, and a driver leaves no release."""

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import microagg
from patience import PATIENCE, wait_until
from people_in_files import N_RECORDS, files_of, records, write_files

faulty_work = pytest.importorskip("faulty_work", reason="pyspark is not installed: pip install 'microagg[spark]'")
cluster_with_faults = pytest.importorskip("cluster_with_faults")


@pytest.fixture(scope="module")
def after_death(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a session whose executors were killed while they worked, and then the driver."""
    people = write_files(records(N_RECORDS), tmp_path_factory.mktemp("people") / "people", 3)
    folder = tmp_path_factory.mktemp("cluster")
    script = Path(cluster_with_faults.__file__)
    done = subprocess.run(
        [sys.executable, script, people, folder], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    left = [int(process) for process in (folder / "left").read_text().split()]
    assert len(left) == 2
    wait_until(lambda: not any(map(is_executor, left)), "executors end as the driver is gone")
    return folder


def is_executor(process: int) -> bool:
    """Check whether a process is an executor; a number may be that of another process by now."""
    return faulty_work.EXECUTOR in faulty_work.command_line(process)


def test_executors_that_are_killed_in_any_round_change_nothing(after_death: Path, tmp_path: Path) -> None:
    killed = [int(mark.read_text()) for mark in after_death.glob("killed-*")]
    assert len(set(killed)) == cluster_with_faults.N_ROUNDS == 2
    assert not any(map(is_executor, killed))
    records(N_RECORDS).write_parquet(tmp_path / "people.parquet")
    plan = cluster_with_faults.PLAN
    release = microagg.protect_file(tmp_path / "people.parquet", tmp_path / "safe.parquet", plan=plan)
    first = np.full(release.labels.max() + 1, N_RECORDS)
    np.minimum.at(first, release.labels, np.arange(N_RECORDS))
    assert pl.read_parquet(after_death / "groups.parquet")["group"].to_list() == first[release.labels].tolist()
    released = pl.concat(files_of(after_death / "safe"))
    assert_frame_equal(released, pl.read_parquet(tmp_path / "safe.parquet"), check_exact=True)


def test_a_driver_that_is_killed_while_it_writes_leaves_no_release(after_death: Path) -> None:
    assert not (after_death / "never").exists()
    left = sorted(path.name.rpartition("-")[0] for path in after_death.iterdir() if path.name.startswith("."))
    assert left == [".microagg", ".never"]  # hidden: no reader takes them for a table


def test_staging_folders_are_private(after_death: Path) -> None:
    (folder,) = after_death.glob(".microagg-*")
    assert folder.stat().st_mode & 0o777 == 0o700
