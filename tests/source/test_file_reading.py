"""A file is read into memory if it fits there, and column by column otherwise."""

import sys
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import polars as pl
import pytest

from files import Stream, write_bytes
from large_sources import assert_same_source
from microagg import InputError, ReadError, read, write
from microagg.source import column_spool
from microagg.source.large_file import LargeSource
from microagg.source.memory_estimate import estimated_memory
from microagg.source.polars_files import save_frame
from source_tables import FILES, SOURCES

every_file = pytest.mark.parametrize("source", ["csv", "parquet", "arrow"])


@every_file
def test_file_that_fits_is_read_into_memory(source: str, tmp_path: Path) -> None:
    path = SOURCES[source]("number", tmp_path)
    needed = estimated_memory(path)
    fitting = read(path, memory=needed, folder=tmp_path)
    large = read(path, memory=needed - 1, folder=tmp_path)
    assert not isinstance(fitting.source, LargeSource)
    assert isinstance(large.source, LargeSource)
    assert_same_source(read(path), fitting)
    assert_same_source(fitting, large)


@every_file
def test_large_table_is_written(source: str, tmp_path: Path) -> None:
    path = SOURCES[source]("number", tmp_path)
    write(read(path, memory=0, folder=tmp_path), tmp_path / "out.csv")
    write(read(path), tmp_path / "expected.csv")
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "expected.csv").read_bytes()


def test_standard_input_is_spooled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for memory in (0, 10**9):
        monkeypatch.setattr(sys, "stdin", Stream(b"a,b\n1,2\n3,4\n"))
        table = read("-", memory=memory, folder=tmp_path)
        assert isinstance(table.source, LargeSource) == (memory == 0)
        assert table.path is None
        assert table.numbers("b").tolist() == [2, 4]
    monkeypatch.setattr(sys, "stdin", Stream(b"1,2\n3,4\n"))
    with pytest.raises(ReadError, match="first line of standard input holds only numbers"):
        read("-", memory=0, folder=tmp_path)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"memory": 1}, "memory is given without folder"),
        ({"folder": Path()}, "folder is given without memory"),
        ({"memory": -1, "folder": Path()}, "memory must be at least 0"),
        ({"memory": "2G", "folder": Path()}, "memory must be a whole number"),
        ({"memory": 1, "folder": Path("none")}, "found none: make it first"),
    ],
)
def test_impossible_limits(options: dict[str, Any], words: str, companies: Path) -> None:
    with pytest.raises(InputError, match=words):
        read(companies, **options)


def test_limits_are_for_files(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="memory limits how a file is read, found a ndarray"):
        read(np.ones((2, 2)), memory=1, folder=tmp_path)


def test_format_of_text_is_refused_for_a_typed_file(tmp_path: Path) -> None:
    path = SOURCES["parquet"]("number", tmp_path)
    with pytest.raises(ReadError, match="'delimiter' tells how a text file is read, found the Parquet file"):
        read(path, delimiter=";", memory=0, folder=tmp_path)


def test_full_disk_is_a_clear_error(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "in.csv", "a,b\n1,2\n")
    full = mock.patch.object(column_spool.ColumnSpool, "append", side_effect=OSError(28, "No space left on device"))
    with full, pytest.raises(ReadError, match=r"cannot read .*in.csv by way of the folder .*: No space left on device"):
        read(path, memory=0, folder=tmp_path)


@pytest.mark.parametrize("suffix", FILES)
def test_estimate_is_at_least_the_size_of_the_table(suffix: str, tmp_path: Path) -> None:
    n = 20_000
    numbers = np.random.default_rng(0).normal(size=n)
    frame = pl.DataFrame(
        {"x": numbers, "y": numbers.round(1), "town": ["Oldenburg", "Freiburg im Breisgau"] * (n // 2)}
    )
    path = tmp_path / f"in{suffix}"
    save_frame(frame, path, FILES[path.suffix])
    stored = read(path).source.frame.estimated_size()  # type: ignore[attr-defined]
    assert stored + path.stat().st_size <= 1.1 * estimated_memory(path)
    assert estimated_memory(path) <= 8 * stored


def test_estimate_of_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="cannot read"):
        estimated_memory(tmp_path / "none.csv")
    assert estimated_memory(write_bytes(tmp_path / "empty.csv", "")) == 0
