"""A run that is killed leaves input and earlier output as they were; the next one leaves no stray file, or resumes."""

import json
import signal
from pathlib import Path

import polars as pl
import pytest

from killed_run import MOMENTS, N_BLOCKS, SOLVED, protect_in_blocks, start_run

SOLVED_BEFORE = {"encoding": 0, "first block": 0, "third block": 2}


@pytest.fixture(name="source")
def _source(tmp_path: Path) -> Path:
    numbers = pl.int_range(400, eager=True)
    frame = pl.DataFrame({"x": numbers.hash(seed=1).cast(pl.Float64), "y": numbers.hash(seed=2).cast(pl.Float64)})
    frame.write_parquet(tmp_path / "in.parquet")
    (tmp_path / "safe.parquet").write_bytes(b"an earlier output")
    return tmp_path / "in.parquet"


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_killed_run_changes_nothing_and_is_resumed(
    source: Path, moment: str, capsys: pytest.CaptureFixture[str]
) -> None:
    target = source.with_name("safe.parquet")
    before = source.read_bytes()
    killed = start_run(source, target, moment)
    assert killed.returncode == -signal.SIGKILL
    assert source.read_bytes() == before
    assert target.read_bytes() == b"an earlier output"
    assert len(_names(source.parent)) > 2
    protect_in_blocks(source, target, resume=True)
    assert _names(source.parent) == ["in.parquet", "safe.parquet"]
    assert source.read_bytes() == before
    assert capsys.readouterr().out.count(SOLVED) == N_BLOCKS - SOLVED_BEFORE.get(moment, N_BLOCKS)
    assert len(pl.read_parquet(target)) == 400


@pytest.mark.parametrize("moment", ["third block", "last block", "writing"])
def test_a_resumed_run_gives_what_the_killed_one_would_have(source: Path, moment: str) -> None:
    """The random state is drawn anew in each run, but for one that is resumed."""
    target = source.with_name("safe.parquet")
    start_run(source, target, moment)
    beginning = json.loads((source.with_name(".safe.parquet.microagg-work") / "checkpoint/beginning.json").read_text())
    protect_in_blocks(source, target, resume=True)
    undisturbed = source.with_name("undisturbed.parquet")
    protect_in_blocks(source, undisturbed, random_state=beginning["random_state"])
    assert target.read_bytes() == undisturbed.read_bytes()


def test_a_run_without_resume_sweeps_what_the_killed_one_has_left(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = source.with_name("safe.parquet")
    start_run(source, target, "third block")
    protect_in_blocks(source, target)
    assert capsys.readouterr().out.count(SOLVED) == N_BLOCKS
    assert _names(source.parent) == ["in.parquet", "safe.parquet"]


def test_a_killed_run_with_another_output_keeps_its_checkpoint_only(source: Path) -> None:
    target = source.with_name("safe.parquet")
    other = source.with_name("other.parquet")
    start_run(source, target, "third block")
    start_run(source, other, "writing")
    protect_in_blocks(source, source.with_name("third.parquet"))
    for name in ("safe", "other"):
        left = source.with_name(f".{name}.parquet.microagg-work")
        assert _names(left) == ["checkpoint", "lock-of-microagg"]
        protect_in_blocks(source, source.with_name(f"{name}.parquet"), resume=True)
    assert _names(source.parent) == ["in.parquet", "other.parquet", "safe.parquet", "third.parquet"]
