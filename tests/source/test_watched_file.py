"""A file that is changed, or gone, while it is read is refused: nothing of it is mixed with what was read before."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import polars as pl
import pytest

from files import write_bytes
from large_sources import large_table, small_batches
from microagg import ReadError
from microagg.source import large_text
from microagg.source.text_records import parse_chunks
from microagg.source.watched_file import WatchedFile


def _parquet(folder: Path, *numbers: float) -> Path:
    path = folder / "in.parquet"
    pl.DataFrame({"a": numbers, "b": numbers}).write_parquet(path)
    return path


def test_beginning_ending_and_checksum(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "in", b"0123456789")
    file = WatchedFile.opened(path, "in")
    assert (file.beginning(3), file.beginning(99)) == (b"012", b"0123456789")
    assert (file.ending(3), file.ending(99)) == (b"789", b"0123456789")
    assert file.sha256() == hashlib.sha256(b"0123456789").hexdigest()


@pytest.mark.parametrize("name", ["none.csv", ".", "a\0b"])
def test_file_that_cannot_be_read(name: str, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="cannot read the file: "):
        WatchedFile.opened(tmp_path / name, "the file")


def test_file_that_changes_between_two_columns(tmp_path: Path) -> None:
    table = large_table(_parquet(tmp_path, 1.0, 2.0), tmp_path)
    assert table.numbers("a").tolist() == [1.0, 2.0]
    _parquet(tmp_path, 3.0, 4.0, 5.0)
    with pytest.raises(ReadError, match=r"in.parquet was changed while it was read"):
        table.numbers("b")
    with pytest.raises(ReadError, match="was changed"):
        table.source.save(table.changes, tmp_path / "out.csv", "CSV")
    assert not (tmp_path / "out.csv").exists()


def test_file_of_the_same_size_that_is_newer(tmp_path: Path) -> None:
    path = _parquet(tmp_path, 1.0, 2.0)
    table = large_table(path, tmp_path)
    os.utime(path, ns=(0, 0))
    with pytest.raises(ReadError, match="was changed"):
        table.numbers("a")


def test_file_that_vanishes(tmp_path: Path) -> None:
    path = _parquet(tmp_path, 1.0, 2.0)
    table = large_table(path, tmp_path)
    path.unlink()
    with pytest.raises(ReadError, match=r"can no longer be read \(No such file"):
        table.numbers("a")


def test_file_that_is_damaged_while_it_is_read_was_changed(tmp_path: Path) -> None:
    path = _parquet(tmp_path, 1.0, 2.0)
    file = WatchedFile.opened(path, "in.parquet")
    reading = file.unchanged()
    reading.__enter__()
    write_bytes(path, b"")
    damaged = ReadError("in.parquet is a damaged Parquet file")
    with pytest.raises(ReadError, match="was changed"):
        reading.__exit__(ReadError, damaged, None)


def test_text_file_that_grows_while_it_is_read(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "in.csv", "a,b\n" + "1,2\n" * 9)

    def growing(chunks: Iterator[bytes], *arguments: object) -> Iterator[pl.DataFrame]:
        for frame in parse_chunks(chunks, *arguments):  # type: ignore[arg-type]
            write_bytes(path, path.read_bytes() + b"3\n")
            yield frame

    with (
        small_batches(),
        mock.patch.object(large_text, "parse_chunks", growing),
        pytest.raises(ReadError, match="changed"),
    ):
        large_table(path, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["in.csv"]
