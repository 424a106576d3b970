"""A full disk, a folder that cannot be written, or an input that vanishes leave input and earlier output untouched."""

import os
import resource
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import polars as pl
import pytest

from killed_run import protect_in_blocks, start_run
from microagg import ReadError, WriteError, protect_file

EARLIER = b"an earlier output"


def _write(path: Path, n_records: int) -> Path:
    numbers = pl.int_range(n_records, eager=True)
    frame = pl.DataFrame({name: numbers.hash(seed=seed).cast(pl.Float64) for seed, name in enumerate("xyz")})
    frame.write_parquet(path)
    return path


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture(name="small_disk")
def _small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte; only the superuser may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], check=False, capture_output=True
    )
    if mounted.returncode != 0:
        pytest.skip("a small file system cannot be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("ending", ["parquet", "csv", "arrow"])
def test_a_full_disk_in_memory(small_disk: Path, tmp_path: Path, ending: str) -> None:
    source = _write(tmp_path / "in.parquet", 200_000)
    before = source.read_bytes()
    target = small_disk / f"safe.{ending}"
    target.write_bytes(EARLIER)
    with pytest.raises(WriteError, match="No space left on device"):
        protect_file(source, target, 5, method="zscore-fixed", force=True)
    assert (source.read_bytes(), target.read_bytes(), _names(small_disk)) == (before, EARLIER, [target.name])


def test_a_full_disk_out_of_core(small_disk: Path, tmp_path: Path) -> None:
    source = _write(tmp_path / "in.parquet", 20_000)
    before = source.read_bytes()
    target = small_disk / "safe.parquet"
    target.write_bytes(EARLIER)
    ended = start_run(source, target, "never")
    assert ended.returncode == 1
    assert "WriteError" in ended.stderr
    assert (source.read_bytes(), target.read_bytes(), _names(small_disk)) == (before, EARLIER, [target.name])


def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    """Where no small file system can be mounted, this is what comes nearest to a full disk."""
    source = _write(tmp_path / "in.parquet", 20_000)
    before = source.read_bytes()
    target = tmp_path / "safe.parquet"
    target.write_bytes(EARLIER)
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (100_000, 100_000))
    ended = start_run(source, target, "never", preexec_fn=limit)
    assert ended.returncode != 0
    assert (source.read_bytes(), target.read_bytes()) == (before, EARLIER)
    protect_in_blocks(source, target)
    assert _names(tmp_path) == ["in.parquet", "safe.parquet"]


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = _write(tmp_path / "in.parquet", 400)
    folder = tmp_path / "protected"
    folder.mkdir()
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != folder and access(path, mode))
    with pytest.raises(WriteError, match="write-protected"):
        protect_file(source, folder / "safe.parquet", 5, method="zscore-fixed")
    assert _names(folder) == []


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    source = _write(tmp_path / "in.parquet", 400)
    with pytest.raises(WriteError, match="is not there"):
        protect_file(source, tmp_path / "nowhere" / "safe.parquet", 5, method="zscore-fixed")


def test_an_input_that_vanishes(tmp_path: Path) -> None:
    source = _write(tmp_path / "in.parquet", 400)
    target = tmp_path / "safe.parquet"
    target.write_bytes(EARLIER)
    ended = start_run(source, target, "the input vanishes")
    assert ended.returncode == 1
    assert "can no longer be read" in ended.stderr
    assert (target.read_bytes(), _names(tmp_path)) == (EARLIER, ["safe.parquet"])
    with pytest.raises(ReadError, match="cannot read"):
        protect_file(source, target, 5, force=True)
