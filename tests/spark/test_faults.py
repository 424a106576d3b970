"""Faults in tasks and files: what fails is done again, or fails as a whole and leaves nothing behind."""

import pickle
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import microagg
import microagg.spark
from corners import CORNER
from microagg import CancelledError, Plan, Run, WriteError
from microagg.model.errors import ClusterError
from microagg.soft_walls import n_sample_wanted
from microagg.spark import cluster_protect, cluster_rounds
from microagg.spark.staging import HadoopFolders
from patience import wait_until
from people_in_files import N_RECORDS, files_of, records, write_files, write_plainly

faulty_work = pytest.importorskip("faulty_work", reason="pyspark is not installed: pip install 'microagg[spark]'")
cluster_with_faults = pytest.importorskip("cluster_with_faults")

WHOLE = Plan(
    k=5, columns=["income", "age"], exclude=["id", "assets"], effort="quick"
)  # for few records: one block, one round, one task
DIVIDED = Plan(k=5, columns=["income", "age"], exclude=["id", "assets"], effort="quick", block_size=300, rounds=2)


class Outcome(NamedTuple):
    """What is compared of two runs.

    Parameters
    ----------
    groups
        Number of each record, and of its group.
    files
        What each file of the release holds, in the order of their names.
    """

    groups: pl.DataFrame
    files: list[pl.DataFrame]


def assert_same(found: Outcome, expected: Outcome) -> None:
    """Check that two runs have the same groups, and files of the same bits."""
    assert_frame_equal(found.groups, expected.groups)
    assert len(found.files) == len(expected.files)
    for one, other in zip(found.files, expected.files, strict=True):
        assert_frame_equal(one, other, check_exact=True)


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of many records."""
    return write_files(records(N_RECORDS), tmp_path_factory.mktemp("people") / "people", 3)


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """Return a folder of few records, in two files."""
    return write_files(records(1200), tmp_path / "few", 2)


@pytest.fixture
def staging(tmp_path: Path) -> Path:
    """Return an empty folder for staging folders."""
    folder = tmp_path / "staging"
    folder.mkdir()
    return folder


def run(spark: Any, people: Path, folder: Path, plan: Plan = cluster_with_faults.PLAN) -> Outcome:
    """Protect records, and return what comes out."""
    with microagg.spark.protect(spark.read.parquet(str(people)), plan=plan, staging=str(folder)) as release:
        groups = pl.from_pandas(release.groups.toPandas()).sort("row")
        release.write(str(folder / "safe"))
    assert [path.name for path in folder.iterdir()] == ["safe"]
    return Outcome(groups, files_of(folder / "safe"))


@pytest.fixture(scope="module")
def collected() -> dict[str, int]:
    """Return how many bytes came to the driver in each stage of the undisturbed run, once that was made."""
    return {}


@pytest.fixture(scope="module")
def undisturbed(
    spark: Any, people: Path, collected: dict[str, int], tmp_path_factory: pytest.TempPathFactory
) -> Outcome:
    """Return what comes out where nothing fails; what comes to the driver is counted, and all ways but one are shut."""
    frame_type = type(spark.range(1))
    collect = frame_type.collect
    stage = ""

    def counted(frame: Any) -> list[Any]:
        rows: list[Any] = collect(frame)
        assert stage, "collected outside of any stage"
        collected[stage] = collected.get(stage, 0) + len(pickle.dumps([tuple(row) for row in rows]))
        return rows

    def named(jobs: Any, name: str, *arguments: Any, **keywords: Any) -> Any:
        nonlocal stage
        stage = name
        result = carry_out(jobs, name, *arguments, **keywords)
        stage = ""
        return result

    def refused(frame: Any, *_: Any) -> None:
        raise AssertionError(f"records come to the driver: {frame}")

    folder = tmp_path_factory.mktemp("undisturbed")
    carry_out = microagg.spark.jobs.Jobs.__call__
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(microagg.spark.jobs.Jobs, "__call__", named)
        patch.setattr(frame_type, "collect", counted)
        for name in ("toLocalIterator", "toPandas", "take", "tail", "head", "first"):
            patch.setattr(frame_type, name, refused)
        release = microagg.spark.protect(spark.read.parquet(str(people)), plan=cluster_with_faults.PLAN)
    with release:
        groups = pl.from_pandas(release.groups.toPandas()).sort("row")
        release.write(str(folder / "safe"))
    return Outcome(groups, files_of(folder / "safe"))


def test_no_record_but_those_of_the_sample_comes_to_the_driver(undisturbed: Outcome, collected: dict[str, int]) -> None:
    plan = cluster_with_faults.PLAN
    n_blocks = N_RECORDS // plan.sets[0].block_size
    sample = collected.pop("sample")
    assert 0 < sample <= 1.1 * 8 * (3 + 2) * min(N_RECORDS, n_sample_wanted(n_blocks, plan.sets[0].k))
    of_blocks = collected.pop("facts")
    assert 0 < of_blocks < 5000 * n_blocks
    assert sum(collected.values()) < 30_000, collected


def test_a_release_is_the_same_on_one_machine(undisturbed: Outcome, people: Path, tmp_path: Path) -> None:
    pl.read_parquet(people).write_parquet(tmp_path / "people.parquet")
    release = microagg.protect_file(
        tmp_path / "people.parquet", tmp_path / "safe.parquet", plan=cluster_with_faults.PLAN
    )
    first = np.full(release.labels.max() + 1, N_RECORDS)
    np.minimum.at(first, release.labels, np.arange(N_RECORDS))
    assert undisturbed.groups["group"].to_list() == first[release.labels].tolist()
    assert_frame_equal(pl.concat(undisturbed.files), pl.read_parquet(tmp_path / "safe.parquet"), check_exact=True)


def test_tasks_that_are_tried_again_change_nothing(
    spark: Any, people: Path, undisturbed: Outcome, tmp_path: Path, staging: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks = [tmp_path / "failed", tmp_path / "killed"]
    faults = {0: faulty_work.Failure(marks[0]), 1: faulty_work.DeadWorker(marks[1])}
    monkeypatch.setattr(cluster_rounds, "BlockWork", partial(faulty_work.FaultyWork, faults=faults))
    assert_same(run(spark, people, staging), undisturbed)
    assert all(mark.exists() for mark in marks)


def test_a_poisoned_block_is_named(spark: Any, few: Path, staging: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_rounds, "BlockWork", partial(faulty_work.PoisonedWork, poisoned=(1, 2)))
    with pytest.raises(ClusterError) as error:
        run(spark, few, staging, DIVIDED)
    sentence = r"block 2 of round 2 \(all records, \d+ records\) could not be solved, so nothing is released: "
    error.match(f"^{sentence}ZeroDivisionError: division by zero$")
    assert not list(staging.iterdir())


@CORNER
def test_workers_that_die_again_and_again_are_an_error(
    spark: Any, few: Path, staging: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = {0: faulty_work.DeadWorker()}
    monkeypatch.setattr(cluster_rounds, "BlockWork", partial(faulty_work.FaultyWork, faults=faults))
    with pytest.raises(ClusterError, match=r"^the stage 'blocks, round 1 of 1' failed .*: Python worker exited"):
        run(spark, few, staging, WHOLE)
    assert not list(staging.iterdir())


def test_a_cancelled_run_ends_soon_and_leaves_nothing(
    spark: Any, few: Path, tmp_path: Path, staging: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "begun"
    faults = {0: faulty_work.Standstill(mark)}
    monkeypatch.setattr(cluster_rounds, "BlockWork", partial(faulty_work.FaultyWork, faults=faults))
    current = Run()

    def cancel() -> None:
        wait_until(lambda: mark.exists() and mark.read_text(), "a block is solved")
        current.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    with pytest.raises(CancelledError, match="nothing is released"):
        microagg.spark.protect(spark.read.parquet(str(few)), plan=WHOLE, staging=str(staging), run=current)
    thread.join()
    worker = int(mark.read_text())
    wait_until(lambda: b"pyspark" not in faulty_work.command_line(worker), "the worker is killed")
    assert not list(staging.iterdir())


def change_before(monkeypatch: pytest.MonkeyPatch, name: str, change: Callable[[], object]) -> None:
    """Let something happen before a step of `protect`."""
    step = getattr(cluster_protect, name)

    def changed(*arguments: Any) -> Any:
        change()
        return step(*arguments)

    monkeypatch.setattr(cluster_protect, name, changed)


def test_input_whose_records_change_places_is_noticed(
    spark: Any, few: Path, staging: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = few / "part-1.parquet"
    size = file.stat().st_size
    reverse = pl.read_parquet(file).reverse()
    change_before(monkeypatch, "store_release", lambda: write_plainly(reverse, file))
    with pytest.raises(ClusterError, match=r"the input changed .*/part-1\.parquet is another file now: nothing"):
        run(spark, few, staging, WHOLE)
    assert file.stat().st_size == size
    assert not list(staging.iterdir())


@CORNER
def test_input_that_vanishes_is_an_error(spark: Any, few: Path, staging: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change_before(monkeypatch, "summarise_columns", (few / "part-1.parquet").unlink)
    with pytest.raises(ClusterError, match=r"'summarise columns' failed .*part-1\.parquet.* does not exist"):
        run(spark, few, staging, WHOLE)
    assert not list(staging.iterdir())


def test_a_folder_that_exists_is_never_touched(
    spark: Any, few: Path, tmp_path: Path, staging: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    safe = tmp_path / "safe"
    safe.mkdir()
    (safe / "mine").write_text("as it was")
    with microagg.spark.protect(spark.read.parquet(str(few)), plan=WHOLE, staging=str(staging)) as release:
        with pytest.raises(WriteError, match="exists: choose a new folder"):
            release.write(str(safe))
        with monkeypatch.context() as patch:
            let_it_appear_late(patch, safe)
            with pytest.raises(WriteError, match="exists: choose a new folder"):
                release.write(str(safe))
        assert [path.name for path in safe.iterdir()] == ["mine"]
        release.write(str(tmp_path / "other"))
        with pytest.raises(WriteError, match="it was written already, or closed"):
            release.write(str(tmp_path / "another"))
    assert sum(file.height for file in files_of(tmp_path / "other")) == 1200
    assert (safe / "mine").read_text() == "as it was"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["few", "other", "safe", "staging"]
    assert not list(staging.iterdir())


def let_it_appear_late(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let a folder not be seen where it is looked for, as if it were made in the very moment after."""
    at = HadoopFolders._at

    class BlindSystem:
        def __init__(self, system: Any) -> None:
            self._system = system

        def __getattr__(self, name: str) -> Any:
            return getattr(self._system, name)

        def exists(self, place: Any) -> bool:
            return not str(place.toString()).endswith(folder.name) and bool(self._system.exists(place))

    def blind(folders: HadoopFolders, path: str) -> tuple[Any, Any]:
        system, place = at(folders, path)
        return BlindSystem(system), place

    patch.setattr(HadoopFolders, "_at", blind)
