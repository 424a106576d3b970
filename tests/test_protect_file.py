"""Files protected out of core: the same files and measures as in memory, whatever the plan; nothing left behind."""

import runpy
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import polars as pl
import pytest

import microagg
from microagg import InputError, Plan, ReadError, Release, Run, VerificationError, WriteError, protect_file, workspace
from microagg import written_file as written
from microagg.model import row_slices
from microagg.report import report
from microagg.write import table_writer

pytestmark = pytest.mark.usefixtures("released_unasked")  # which is asked about in test_select.py

EXAMPLES = Path(__file__).parents[1] / "examples"
N = 400
MDAV: dict[str, Any] = {"method": "mdav", "k": 3}

WRITERS: dict[str, Callable[[pl.DataFrame, Path], Any]] = {
    ".parquet": pl.DataFrame.write_parquet,
    ".arrow": pl.DataFrame.write_ipc,
    ".csv": pl.DataFrame.write_csv,
}

PLANS: dict[str, dict[str, Any]] = {
    "numbers": {"columns": ["income", "age"]},
    "auto": {"columns": ["income", "age"], "method": "auto", "effort": "quick"},
    "one column": {"columns": ["income"], "method": "auto"},
    "bound": {"columns": ["income", "age"], "bound": True},
    "categories": {"columns": ["income", "job", "town"]},
    "ordinal": {"columns": ["age", "level"], "ordinal": {"level": ["low", "mid", "high"]}},
    "dates": {"columns": ["born", "income"]},
    "strata": {"columns": ["income", "age"], "strata": ["town"]},
    "merged strata": {"columns": ["income", "age"], "strata": ["town", "job"], "small_strata": "merge"},
    "suppressed strata": {"columns": ["income", "age"], "strata": ["town", "job"], "small_strata": "suppress"},
    "weights": {"columns": ["income", "age"], "weight": "weight", "weighted_loss": True},
    "pattern": {"columns": ["income", "gap"], "missing": "pattern", "small_strata": "merge"},
    "available": {"columns": ["income", "gap", "job"], "missing": "available"},
    "drop": {"columns": ["income", "gap"], "missing": "drop"},
    "marks": {
        "columns": ["income", "age"],
        "missing": "pattern",
        "missing_values": {"age": [30]},
        "aggregate": "median",
    },
    "integers": {"columns": ["age", "income"], "keep_integers": True, "rounding": "total"},
    "medians": {"columns": ["income", "age"], "aggregate": "median"},
    "medoids": {"columns": ["income", "gap", "job"], "aggregate": "medoid", "missing": "available"},
    "trimmed means": {"columns": ["income"], "aggregate": {"income": "trimmed"}},
    "sets of categories": {"columns": ["income", "job"], "aggregate": {"job": "set"}},
    "ranks": {"columns": ["income", "age"], "scale": "rank"},
    "robust scale": {"columns": ["income", "age"], "scale": "mad", "transform": {"income": "log"}},
    "roles": {"columns": ["income"], "identifiers": ["person"], "renumber": ["house"], "drop": ["note"]},
    "units": {"columns": ["income", "age"], "unit": "house"},
    "diversity": {"columns": ["age"], "confidential": ["job"], "l_diversity": 2},
    "closeness": {"columns": ["age"], "confidential": ["income"], "t_closeness": 0.3},
    "dominance": {"columns": ["age"], "confidential": ["income"], "dominance": [1, 0.7], "p_percent": 5},
    "two sets": {"sets": [{"columns": ["income"]}, {"columns": ["age", "job"]}]},
    "blocks": {"columns": ["income", "age"], "method": "auto", "effort": "quick", "block_size": 60, "rounds": 2},
    "blocks of strata": {"columns": ["income", "job"], "strata": ["town"], "block_size": 60, "small_strata": "merge"},
    "blocks with gaps": {"columns": ["income", "gap"], "missing": "available", "block_size": 60},
    "blocks with rules": {"columns": ["age"], "confidential": ["job"], "l_diversity": 2, "block_size": 60},
    "shuffled": {"columns": ["income", "age"], "drop": ["person"], "shuffle": True},
}


@pytest.fixture(autouse=True, name="same_randomness")
def _same_randomness(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shuffle and renumber alike each time."""
    make = np.random.default_rng
    monkeypatch.setattr(np.random, "default_rng", lambda seed=0: make(seed))


@pytest.fixture(name="people")
def _people(tmp_path: Path) -> pl.DataFrame:
    rng = np.random.default_rng(7)
    income = rng.lognormal(8.0, 0.6, N).round(2)
    born = np.datetime64("1950-01-01") + rng.integers(0, 18_000, N)
    frame = pl.DataFrame(
        {
            "person": [f"p{number:04d}" for number in rng.permutation(N)],
            "house": rng.integers(1, 160, N),
            "town": rng.choice(["Ulm", "Bonn", "Kiel, North"], N, p=[0.5, 0.4, 0.1]),
            "weight": rng.uniform(1.0, 4.0, N).round(2),
            "income": income,
            "age": rng.integers(18, 90, N),
            "job": rng.choice(["cook", "nurse", "smith", "judge"], N, p=[0.5, 0.3, 0.19, 0.01]),
            "level": rng.choice(["low", "mid", "high"], N),
            "born": born,
            "gap": np.where(rng.random(N) < 0.2, np.nan, rng.normal(size=N).round(3)),
            "note": [f"note {number % 37}" for number in range(N)],
        }
    )
    return frame.with_columns(pl.col("gap").fill_nan(None))


def _go_out_of_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no file fit in memory."""
    monkeypatch.setattr(workspace, "_COPIES", 10**18)


def _both_ways(
    source: Path, kind: str, monkeypatch: pytest.MonkeyPatch, plan: Plan
) -> tuple[tuple[Path, Release], tuple[Path, Release]]:
    """Protect a file in memory and out of core; return the files and the releases."""
    monkeypatch.setattr(row_slices, "ROWS_PER_SLICE", 96)
    inside = source.with_name(f"inside{kind}")
    outside = source.with_name(f"outside{kind}")
    first = protect_file(source, inside, plan=plan)
    _go_out_of_core(monkeypatch)
    second = protect_file(source, outside, plan=plan, memory="500M")
    assert first.native is not None
    assert second.native is None
    return (inside, first), (outside, second)


def _facts(release: Release) -> str:
    """Return the report without what differs from run to run."""
    text = report(release, "json")
    return "\n".join(line for line in text.splitlines() if '"made"' not in line and '"seconds"' not in line)


@pytest.mark.parametrize("name", PLANS)
def test_text_file_out_of_core_equals_that_from_memory(
    name: str, people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "people.csv"
    people.write_csv(source)
    (inside, first), (outside, second) = _both_ways(source, ".csv", monkeypatch, Plan(**{**MDAV, **PLANS[name]}))
    assert inside.read_bytes() == outside.read_bytes()
    assert _facts(first) == _facts(second)
    assert {path.name for path in tmp_path.iterdir()} == {"people.csv", "inside.csv", "outside.csv"}


@pytest.mark.parametrize("name", ["categories", "dates", "available", "suppressed strata", "integers", "shuffled"])
@pytest.mark.parametrize(("before", "after"), [(".parquet", ".parquet"), (".arrow", ".csv"), (".csv", ".arrow")])
def test_other_kinds_of_files(
    name: str, before: str, after: str, people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / f"people{before}"
    WRITERS[before](people, source)
    (inside, first), (outside, second) = _both_ways(source, after, monkeypatch, Plan(**{**MDAV, **PLANS[name]}))
    if after == ".csv":
        assert inside.read_bytes() == outside.read_bytes()
    else:
        read = pl.read_parquet if after == ".parquet" else pl.read_ipc
        assert read(inside).equals(read(outside))
    assert _facts(first) == _facts(second)


@pytest.mark.parametrize("after", [".parquet", ".arrow", ".csv"])
def test_columns_of_single_precision(after: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(0).normal(size=40).astype(np.float32)
    source = tmp_path / "people.parquet"
    pl.DataFrame({"income": values}).write_parquet(source)
    (inside, _), (outside, _) = _both_ways(source, after, monkeypatch, Plan(k=3, columns=["income"], method="mdav"))
    assert inside.read_bytes() == outside.read_bytes() or after != ".csv"


def test_a_mean_that_is_a_mark_of_a_missing_value_is_refused(
    people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people.write_csv(tmp_path / "people.csv")
    plan = Plan(k=3, method="mdav", columns=["income", "age"], missing="pattern", missing_values={"age": [30]})
    for name in ("inside", "outside"):
        with pytest.raises(InputError, match="in column 'age' is one of 30, which stand for a missing value"):
            protect_file(tmp_path / "people.csv", tmp_path / f"{name}.csv", plan=plan)
        _go_out_of_core(monkeypatch)


@pytest.mark.parametrize("example", ["survey", "business"])
def test_plans_of_the_examples(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = runpy.run_path(str(EXAMPLES / example / f"make_{example}.py"))
    source = tmp_path / f"{example}.csv"
    module[f"make_{example}"](600).write_csv(source, quote_style="never")
    plan = Plan.from_toml(EXAMPLES / example / f"{example}.toml")
    (inside, first), (outside, second) = _both_ways(source, ".csv", monkeypatch, plan)
    assert inside.read_bytes() == outside.read_bytes()
    assert _facts(first) == _facts(second)


def test_data_are_in_the_file_only(people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    people.write_parquet(tmp_path / "people.parquet")
    _go_out_of_core(monkeypatch)
    target = tmp_path / "safe.parquet"
    release = protect_file(tmp_path / "people.parquet", target, columns=["income"], **MDAV)
    with pytest.raises(InputError, match=r"does not fit in memory: it is in the file .*safe.parquet"):
        _ = release.data
    assert release.path == target
    assert release.measures.k_reached >= 3
    assert release.information_loss > 0.0
    assert np.bincount(release.labels).min() >= 3


def test_protect_takes_the_table_of_a_large_file(people: pl.DataFrame, tmp_path: Path) -> None:
    people.write_parquet(tmp_path / "people.parquet")
    table = microagg.read(tmp_path / "people.parquet", memory=0, folder=tmp_path)
    release = microagg.protect(table, columns=["income", "age"], **MDAV)
    microagg.write(release, tmp_path / "safe.parquet")
    expected = microagg.protect(people, columns=["income", "age"], **MDAV)
    assert pl.read_parquet(tmp_path / "safe.parquet").equals(expected.data)


def test_targets_are_checked_as_ever(people: pl.DataFrame, tmp_path: Path) -> None:
    source = tmp_path / "people.csv"
    people.write_csv(source)
    with pytest.raises(WriteError, match="is the input itself"):
        protect_file(source, source, columns=["income"], **MDAV)
    (tmp_path / "safe.csv").write_text("earlier")
    with pytest.raises(WriteError, match="is already there"):
        protect_file(source, tmp_path / "safe.csv", columns=["income"], **MDAV)
    protect_file(source, tmp_path / "safe.csv", columns=["income"], force=True, **MDAV)
    with pytest.raises(InputError, match="memory must be at least 400M"):
        protect_file(source, tmp_path / "other.csv", columns=["income"], memory="1M", **MDAV)
    with pytest.raises(InputError, match="cannot be resumed"):
        protect_file(source, "-", columns=["income"], resume=True, **MDAV)


def test_the_budget_may_come_with_the_run(people: pl.DataFrame, tmp_path: Path) -> None:
    people.write_csv(tmp_path / "people.csv")
    run = Run(memory="2G")
    protect_file(tmp_path / "people.csv", tmp_path / "safe.csv", columns=["income"], run=run, **MDAV)
    assert run.memory == 2 * 10**9
    assert run.arrays is None


def test_a_run_out_of_core_says_why(
    people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    people.write_csv(tmp_path / "people.csv")
    _go_out_of_core(monkeypatch)
    protect_file(tmp_path / "people.csv", tmp_path / "safe.csv", columns=["income"], memory="2G", **MDAV)
    assert "out of core: what is made of" in caplog.text


def test_standard_output(
    people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    people.write_csv(tmp_path / "people.csv")
    protect_file(tmp_path / "people.csv", tmp_path / "safe.csv", columns=["income"], **MDAV)
    _go_out_of_core(monkeypatch)
    protect_file(tmp_path / "people.csv", "-", columns=["income"], **MDAV)
    assert capfdbinary.readouterr().out == (tmp_path / "safe.csv").read_bytes()


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda frame: frame.with_columns(income=pl.int_range(pl.len()) * 1.0), "reaches only k = 1, not 3"),
        (lambda frame: frame.with_columns(income=pl.col("income") + 1.0), "'income' is not what was to be written"),
        (lambda frame: frame.head(-1), "other columns or records"),
        (lambda frame: frame.drop("note"), "other columns or records"),
    ],
)
def test_a_file_that_is_not_as_it_should_be_is_refused(
    damage: Any, words: str, people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was written is counted, and not what was meant."""
    people.write_parquet(tmp_path / "people.parquet")
    _go_out_of_core(monkeypatch)
    make = table_writer

    def damaging_writer(table: Any, target: Path) -> Any:
        def write(temporary: Path, finished: Any) -> None:
            make(table, target)(temporary, finished)
            damage(pl.read_parquet(temporary.read_bytes())).write_parquet(temporary)

        return write

    monkeypatch.setattr(written, "table_writer", damaging_writer)
    (tmp_path / "safe.parquet").write_text("earlier")
    with pytest.raises(VerificationError, match=words):
        protect_file(tmp_path / "people.parquet", tmp_path / "safe.parquet", columns=["income"], force=True, **MDAV)
    assert (tmp_path / "safe.parquet").read_text() == "earlier"
    assert {path.name for path in tmp_path.iterdir()} == {"people.parquet", "safe.parquet"}


def test_an_error_leaves_nothing(people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> NoReturn:
        raise OSError(28, "No space left on device")

    people.write_parquet(tmp_path / "people.parquet")
    _go_out_of_core(monkeypatch)
    monkeypatch.setattr("microagg.source.large_file.ColumnSpool.append_batches", fail)
    with pytest.raises(WriteError, match="No space left on device"):
        protect_file(tmp_path / "people.parquet", tmp_path / "safe.parquet", columns=["income"], **MDAV)
    assert [path.name for path in tmp_path.iterdir()] == ["people.parquet"]


def test_release_in_memory_keeps_its_data(people: pl.DataFrame, tmp_path: Path) -> None:
    people.write_csv(tmp_path / "people.csv")
    release = protect_file(tmp_path / "people.csv", tmp_path / "safe.csv", columns=["income"], **MDAV)
    assert release.data.height == N
    assert replace(release, native=None).path == tmp_path / "safe.csv"


def test_what_cannot_be_read_again_is_refused_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(path: Path, *_: object, **__: object) -> NoReturn:
        raise ReadError(f"{path} is a damaged Excel file")

    monkeypatch.setattr(written, "read", damaged)
    with pytest.raises(
        VerificationError, match=r"^\S*/safe\.xlsx was written, but cannot be read again: nothing is"
    ) as told:
        protect_file(EXAMPLES / "companies.csv", tmp_path / "safe.xlsx", 3, drop=["company"], method="mdav")
    assert str(tmp_path / "safe.xlsx") in str(told.value)
    assert [*tmp_path.iterdir()] == []
