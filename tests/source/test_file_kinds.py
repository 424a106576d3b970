"""The kind of a file is told by its first bytes and by its ending, and a contradiction is said."""

from pathlib import Path

import polars as pl
import pytest

from files import write_bytes
from microagg import ReadError, read
from microagg.source.file_kinds import FORMATS, kind_of, kind_of_ending, written_suffixes
from microagg.source.memory_estimate import estimated_memory


def test_every_ending_is_that_of_one_kind() -> None:
    suffixes = [suffix for one in FORMATS.values() for suffix in one.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    assert set(written_suffixes()) <= set(suffixes)
    for kind, one in FORMATS.items():
        for suffix in one.suffixes:
            assert kind_of_ending(Path(f"in{suffix.upper()}")) == kind


def test_a_file_without_a_known_ending_is_told_by_its_first_bytes() -> None:
    assert kind_of(b"PAR1", None, "standard input") == "Parquet"
    assert kind_of(b"ARROW1", Path("in.data"), "in.data") == "Arrow"
    assert kind_of(b"ARROW1", Path("in.csv"), "in.csv") == "Arrow"
    assert kind_of(b"a,b", Path("in"), "in") == "CSV"


@pytest.mark.parametrize("data", [b"", b"PA", b"a,b\n1,2\n", b"\0\0\0\0"])
def test_a_file_that_does_not_begin_as_its_ending_says_is_damaged(data: bytes, tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "in.parquet", data)
    for reading in (read, estimated_memory):
        with pytest.raises(ReadError) as caught:
            reading(path)
        assert str(caught.value) == f"{path} is a damaged Parquet file, or none: it does not begin as one"


def test_a_wrong_ending_is_said(tmp_path: Path) -> None:
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "in.arrow")
    with pytest.raises(ReadError, match=r"in\.arrow ends like an Arrow file, but is a Parquet file: rename it$"):
        read(tmp_path / "in.arrow")
