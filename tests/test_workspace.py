"""Files read within a memory budget, and what is computed of large ones: all as from memory."""

import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from microagg import InputError, Plan, Run, Table, inspect, measure, protect, read, verify, workspace
from microagg.control.left_folders import MARKER
from microagg.control.work_folder import WorkFolder
from microagg.model import memory_budget, row_slices
from microagg.model.reading import Reading
from microagg.report import report
from microagg.source.large_file import LargeSource
from microagg.workspace import Workspace

N = 300
PLANS: list[dict[str, Any]] = [
    {"columns": ["income", "job"]},
    {"columns": ["income", "day"], "strata": ["town"]},
    {"columns": ["income", "gap"], "missing": "pattern", "missing_values": {"gap": [-9]}, "small_strata": "merge"},
    {"columns": ["income", "gap"], "missing": "drop"},
    {"columns": ["age"], "keep_integers": True, "weight": "weight", "confidential": ["job"], "l_diversity": 2},
    {"columns": ["income"], "renumber": ["house"], "unit": "house", "identifiers": ["who"]},
    {"columns": ["income", "level"], "ordinal": {"level": ["low", "high"]}, "aggregate": {"income": "median"}},
    {"columns": ["income"], "shuffle": True, "drop": ["who", "house"]},
    {"columns": ["job"], "aggregate": {"job": "set"}, "nominal": ["job"]},
]


@pytest.fixture(name="people")
def _people() -> pl.DataFrame:
    rng = np.random.default_rng(3)
    gap = [None if draw < 0.1 else -9.0 if draw < 0.2 else round(draw, 3) for draw in rng.random(N)]
    return pl.DataFrame(
        {
            "who": [f"person {number}" for number in rng.permutation(N)],
            "house": rng.integers(1, 150, N),
            "town": rng.choice(["Ulm", "Bonn"], N),
            "weight": rng.uniform(1, 3, N).round(2),
            "income": rng.lognormal(8, 0.5, N).round(1),
            "age": rng.integers(18, 90, N),
            "job": rng.choice(["cook", "nurse", "smith"], N),
            "level": rng.choice(["low", "high"], N),
            "day": np.datetime64("2020-01-01") + rng.integers(0, 900, N),
            "gap": gap,
        }
    )


@pytest.fixture(name="small_batches", autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_slices, "ROWS_PER_SLICE", 64)


def _large(path: Path) -> Table:
    table = read(path, memory=0, folder=path.parent)
    assert isinstance(table.source, LargeSource)
    return table


@pytest.mark.parametrize("kind", [".csv", ".parquet"])
@pytest.mark.parametrize("options", PLANS, ids=lambda options: ",".join(options))
def test_checks_and_measures_of_large_files(
    options: dict[str, Any], kind: str, people: pl.DataFrame, tmp_path: Path
) -> None:
    source = tmp_path / f"people{kind}"
    target = tmp_path / f"safe{kind}"
    people.write_csv(source) if kind == ".csv" else people.write_parquet(source)
    named = (*options["columns"], *options.get("drop", ()), *options.get("identifiers", ()))
    exclude = [name for name in ("who", "income") if name not in named]
    release = protect(source, plan=Plan(k=3, method="mdav", exclude=exclude, **options))
    release.write(target)
    plan = release.plan
    expected = verify(source, target, plan=plan)
    found = verify(_large(source), _large(target), plan=plan)
    assert report(found, "json") == report(expected, "json")
    assert found.passed
    alone = verify(None, _large(target), k=3, columns=plan.sets[0].columns)
    assert report(alone, "json") == report(verify(None, target, k=3, columns=plan.sets[0].columns), "json")
    both = verify(_large(source), _large(target), k=2, columns=["income", "job"])
    assert report(both, "json") == report(verify(source, target, k=2, columns=["income", "job"]), "json")
    if not plan.shuffle:
        measures = measure(_large(source), _large(target), plan=plan)
        assert report(measures, "json") == report(measure(source, target, plan=plan), "json")


@pytest.mark.parametrize("kind", [".csv", ".parquet"])
def test_inspection_of_a_large_file(kind: str, people: pl.DataFrame, tmp_path: Path) -> None:
    source = tmp_path / f"people{kind}"
    people.write_csv(source) if kind == ".csv" else people.write_parquet(source)
    assert report(inspect(_large(source)), "json") == report(inspect(source), "json")


@pytest.mark.parametrize("kind", [".csv", ".parquet"])
def test_values_of_some_records_of_a_large_file(kind: str, people: pl.DataFrame, tmp_path: Path) -> None:
    source = tmp_path / f"people{kind}"
    people.write_csv(source) if kind == ".csv" else people.write_parquet(source)
    large = _large(source)
    small = read(source)
    rng = np.random.default_rng(5)
    for records in (np.arange(N), np.arange(0, N, 7), rng.permutation(N), rng.integers(0, N, 40), np.arange(0)):
        for name in people.columns:
            expected = small.in_order(records).values(name)
            assert large.in_order(records).values(name) == expected
            assert list(large.in_order(records).each_value(name)) == expected
            assert list(small.in_order(records).each_value(name)) == expected
    assert large.values("who") == small.values("who")
    assert list(large.each_value("gap")) == small.values("gap")


def test_a_file_that_fits_is_read_into_memory(people: pl.DataFrame, tmp_path: Path) -> None:
    people.write_csv(tmp_path / "people.csv")
    with Workspace("2G", tmp_path / "safe.csv") as space:
        table = space.read(tmp_path / "people.csv", Reading(delimiter=","))
        run = Run()
        space.equip(run)
        assert not isinstance(table.source, LargeSource)
        assert not space.out_of_core
        assert run.memory == 2 * 10**9
        assert run.arrays is None
        assert run.folder is None
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_a_file_that_does_not_fit_is_not(
    people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    people.write_csv(tmp_path / "people.csv")
    monkeypatch.setattr(workspace, "free_bytes", lambda: 1000)
    with Workspace(None, tmp_path / "safe.csv") as space:
        table = space.read(tmp_path / "people.csv")
        run = Run()
        space.equip(run)
        assert isinstance(table.source, LargeSource)
        assert run.arrays is not None
        assert run.folder is not None
        assert run.folder.path.parent == tmp_path
    assert "may take more than half of the free memory" in caplog.text
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_without_a_budget_and_a_known_memory_everything_is_read(
    people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people.write_csv(tmp_path / "people.csv")
    monkeypatch.setattr(workspace, "free_bytes", lambda: None)
    with Workspace() as space:
        assert space.budget is None
        assert not isinstance(space.read(tmp_path / "people.csv").source, LargeSource)


def test_a_budget_that_cannot_hold_the_records_is_refused(
    people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people.write_csv(tmp_path / "people.csv")
    monkeypatch.setattr(workspace, "_COPIES", 10**9)
    monkeypatch.setattr(memory_budget, "BYTES_PER_RECORD", 10**9)
    output = tmp_path / "safe.csv"
    with Workspace("400M", output) as space, pytest.raises(InputError, match="memory must be at least"):
        space.read(tmp_path / "people.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]
    left = WorkFolder.beside(output).path / "checkpoint"
    left.mkdir(parents=True)
    (left.parent / MARKER).touch()
    (left / "labels.npz").touch()
    with Workspace("400M", output, resume=True) as space, pytest.raises(InputError, match="memory must be at least"):
        space.read(tmp_path / "people.csv")
    assert (left / "labels.npz").exists(), "it can be resumed with more memory"


@pytest.mark.parametrize(("error", "is_kept"), [(KeyboardInterrupt, True), (InputError, False), (None, False)])
def test_what_an_interrupted_run_has_found_is_kept(
    error: type[BaseException] | None, is_kept: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    space = Workspace("2G", tmp_path / "safe.csv")
    with suppress(KeyboardInterrupt, InputError), space:
        found = space.folder.path / "checkpoint"
        found.mkdir()
        (found / "labels.npz").touch()
        space.folder.new_file("points.bin").touch()
        if error is not None:
            raise error
    assert found.exists() == is_kept
    assert ("--resume goes on from there" in caplog.text) == is_kept
    left = sorted(path.name for path in found.parent.iterdir()) if is_kept else []
    assert left == (["checkpoint", MARKER] if is_kept else [])


def test_impossible_budgets() -> None:
    with pytest.raises(InputError, match="memory must be at least 400M"):
        Workspace("1M")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_read_into_memory(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("age\n31\n33\n",))
    writer.start()
    with Workspace(None, tmp_path / "safe.csv") as workspace:
        assert workspace.read(pipe).n_records == 2
    writer.join()
