"""A sample of a file has its first records and the number of all, of a long text file nearly so."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.model.errors import ReadError
from microagg.model.reading import Reading
from microagg.model.table import Table
from microagg.read import read
from microagg.source import file_sample
from microagg.source.file_sample import sample_file


def _frame(n_records: int) -> pl.DataFrame:
    numbers = pl.int_range(n_records, eager=True)
    return pl.DataFrame({"n": numbers, "x": numbers.hash(seed=1).cast(pl.Float64), "who": numbers.cast(pl.String)})


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
@pytest.mark.parametrize("n_records", [0, 7, 5000])
def test_typed_files_are_counted(tmp_path: Path, ending: str, n_records: int) -> None:
    path = tmp_path / f"in.{ending}"
    frame = _frame(n_records)
    (frame.write_parquet if ending == "parquet" else frame.write_ipc)(path)
    sample = sample_file(path, Reading())
    assert (sample.n_records, sample.is_counted) == (n_records, True)
    first = Table(sample.first_records)
    assert first.n_records == min(n_records, 1000)
    assert [first.kind(name) for name in first.names] == [read(path).kind(name) for name in first.names]


def test_a_short_text_file_is_read_whole(tmp_path: Path) -> None:
    _frame(50).write_csv(tmp_path / "in.csv")
    sample = sample_file(tmp_path / "in.csv", Reading())
    assert (sample.n_records, sample.is_counted) == (50, True)
    assert sample.first_records.n_records == 50


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-32"])
def test_the_records_of_a_long_text_file_are_estimated(
    tmp_path: Path, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_sample, "_BEGINNING", 5000)
    lines = [f"{number};{number % 97},5;Jürgen" for number in range(20_000)]
    path = tmp_path / "in.csv"
    path.write_bytes("\n".join(["nr;größe;wer", *lines, ""]).encode(encoding))
    sample = sample_file(path, Reading(encoding=encoding if encoding == "cp1252" else None))
    assert not sample.is_counted
    assert sample.n_records == pytest.approx(20_000, rel=0.02)
    first = Table(sample.first_records)
    assert first.names == ("nr", "größe", "wer")
    assert first.numbers("größe")[:2].tolist() == [0.5, 1.5]


def test_lines_that_grow_longer_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_sample, "_BEGINNING", 5000)
    path = tmp_path / "in.csv"
    path.write_text("\n".join(["a,b", *("1,2" for _ in range(50_000)), *(f"{10**40},2" for _ in range(50_000)), ""]))
    assert sample_file(path, Reading()).n_records == pytest.approx(100_000, rel=0.1)


def test_line_ends_within_quotes_are_not_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_sample, "_BEGINNING", 5000)
    path = tmp_path / "in.csv"
    path.write_text("a,b\n" + '"one\nand two",2\n' * 20_000)
    assert sample_file(path, Reading()).n_records == pytest.approx(20_000, rel=0.02)


@given(st.text('ab",\n\r', min_size=1, max_size=40))
def test_a_text_is_cut_at_the_last_line_end_outside_quotes(text: str) -> None:
    cut = file_sample._up_to_last_line_end(text)
    ends = [end + 1 for end, letter in enumerate(text) if letter in "\n\r" and text.count('"', 0, end) % 2 == 0]
    assert cut == text[: max(ends)] if ends else cut == text


def test_a_file_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="cannot read"):
        sample_file(tmp_path / "none.csv", Reading())
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(ReadError, match="damaged Parquet"):
        sample_file(tmp_path / "bad.parquet", Reading())
