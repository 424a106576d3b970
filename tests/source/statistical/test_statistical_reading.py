"""Statistical files that are damaged, empty, misnamed or too large, and readers that are not installed."""

import io
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyreadstat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from files import Stream, write_bytes
from microagg import ReadError, WriteError, protect_file, read, write
from microagg.estimate import estimate
from microagg.model.plan import Plan
from microagg.model.reading import Reading
from microagg.source.file_reading import read_file_within
from microagg.source.file_sample import sample_file
from microagg.source.memory_estimate import estimated_memory
from microagg.source.statistical.byte_cursor import LayoutError
from microagg.source.statistical.spss_parsing import parse_spss
from microagg.source.statistical.stata_parsing import parse_stata
from statistical_cases import N, spss_survey, stata_survey


def _portable(path: Path) -> Path:
    frame = pd.DataFrame({"X": [1.0, 2.5, np.nan], "T": ["a", "b", ""]})
    pyreadstat.write_por(frame, path, column_labels={"X": "A number"})
    return path


def _transport(path: Path) -> Path:
    frame = pd.DataFrame({"X": [1.0, 2.0, np.nan], "D": [0.0, 366.0, 731.0], "T": ["a", "b", ""]})
    pyreadstat.write_xport(frame, path, file_format_version=5, table_name="T", variable_format={"D": "DATE9"})
    return path


def test_portable_and_transport_files(tmp_path: Path) -> None:
    portable = read(_portable(tmp_path / "in.por"))
    assert (portable.source.file_kind, portable.values("X"), portable.values("T")) == (
        "SPSS",
        [1.0, 2.5, None],
        ["a", "b", None],
    )
    transport = read(_transport(tmp_path / "in.xpt"))
    assert (transport.source.file_kind, transport.values("X")) == ("SAS", [1, 2, None])
    assert [str(day) for day in transport.values("D")] == ["1960-01-01", "1961-01-01", "1962-01-01"]
    write(portable, tmp_path / "out.sav")
    assert read(tmp_path / "out.sav").source.label("X") == "A number"  # type: ignore[attr-defined]
    for ending in ("por", "xpt", "sas7bdat"):
        with pytest.raises(WriteError, match=rf"a file that ends in \.{ending} can be read, but not written: .*\.sav"):
            write(transport, tmp_path / f"out.{ending}")
    for table, path in ((portable, tmp_path / "in.por"), (transport, tmp_path / "in.xpt")):
        assert estimated_memory(path) > path.stat().st_size
        sample = sample_file(path, Reading())
        assert sample.n_records == table.n_records
    with pytest.raises(ReadError, match="portable file"):
        read(tmp_path / "in.por", encoding="utf-8")


def test_sas_files_by_a_stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = pyreadstat.metadata_container(
        column_names=["x", "when"],
        column_names_to_labels={"x": "A number", "when": None},
        original_variable_types={"x": "BEST12.", "when": "DATETIME20."},
        readstat_variable_types={"x": "double", "when": "double"},
        missing_user_values={"x": ["A", "_"]},
        number_rows=3,
    )
    values = {"x": ["A", "_", 3.0], "when": [0.0, 1.5, None]}

    def read_sas7bdat(file: Any, **options: Any) -> Any:
        assert options["user_missing"]
        assert isinstance(file, io.BytesIO)
        return values, found

    monkeypatch.setattr(pyreadstat, "read_sas7bdat", read_sas7bdat)
    head = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
    table = read(write_bytes(tmp_path / "in.sas7bdat", head + bytes(500)))
    assert (table.kind("x"), table.kind("when")) == ("integer", "datetime")
    assert table.marks("x") == [".A", "._", None]
    assert [str(time) for time in table.values("when")] == ["1960-01-01 00:00:00", "1960-01-01 00:00:01.500000", "None"]
    monkeypatch.undo()
    with pytest.raises(ReadError, match="is a damaged SAS file: "):
        read(tmp_path / "in.sas7bdat")


@pytest.mark.parametrize("ending", ["dta", "sav", "zsav", "por", "sas7bdat", "xpt"])
def test_files_that_are_not_what_their_ending_says(ending: str, tmp_path: Path) -> None:
    for data in (b"", b"a,b\n1,2\n", bytes(3000)):
        with pytest.raises(ReadError, match=r"is a damaged (Stata|SPSS|SAS) file, or none: it does not begin as one$"):
            read(write_bytes(tmp_path / f"in.{ending}", data))
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / f"in.{ending}")
    with pytest.raises(ReadError, match=r"ends like an? (Stata|SPSS|SAS) file, but is a Parquet file: rename it$"):
        read(tmp_path / f"in.{ending}")


def test_a_wrong_ending_of_a_statistical_file_is_said(tmp_path: Path) -> None:
    path = stata_survey(tmp_path / "in.dta").rename(tmp_path / "in.sav")
    with pytest.raises(ReadError, match="ends like an SPSS file, but is a Stata file: rename it"):
        read(path)
    assert read(path.rename(tmp_path / "in.data")).source.file_kind == "Stata"


@pytest.mark.parametrize("make", [stata_survey, spss_survey])
def test_truncated_files_are_damaged(make: Any, tmp_path: Path) -> None:
    whole = make(tmp_path / "whole").read_bytes()
    ending = "dta" if make is stata_survey else "sav"
    for length in (60, 200, 700, len(whole) // 2, len(whole) - 9):
        path = write_bytes(tmp_path / f"in.{ending}", whole[:length])
        with pytest.raises(ReadError, match=r"is a damaged (Stata|SPSS) file: .+"):
            read(path)


def test_empty_tables(tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": pd.Series([], dtype=float), "t": pd.Series([], dtype=str)})
    for name, save in (("in.dta", pyreadstat.write_dta), ("in.sav", pyreadstat.write_sav)):
        save(frame, tmp_path / name)
        table = read(tmp_path / name)
        assert (table.n_records, table.names) == (0, ("x", "t"))
        write(table, tmp_path / f"out-{name}")
        assert read(tmp_path / f"out-{name}").n_records == 0


def test_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Stream(stata_survey(tmp_path / "in.dta").read_bytes()))
    table = read("-")
    assert (table.source.file_kind, table.n_records, table.path) == ("Stata", N, None)
    assert repr(table.source) == "StatisticalSource(standard input, Stata, 24 records, 9 columns)"


def test_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = stata_survey(tmp_path / "in.dta")
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    for reading in (read, estimated_memory):
        with pytest.raises(ReadError) as caught:
            reading(path)
        needed = "needs the package pyreadstat: pip install 'microagg[statfiles]'"
        assert str(caught.value) == f"the Stata file {path} {needed}"
    with pytest.raises(WriteError, match=r"^the SPSS file out\.sav needs the package pyreadstat: pip install"):
        write(read([[1.0]]), tmp_path / "out.sav")
    assert not (tmp_path / "out.sav").exists()


def test_options_of_reading(tmp_path: Path) -> None:
    path = stata_survey(tmp_path / "in.dta", 12)
    frame = pd.DataFrame({"t": ["Ж"], "x": [1.0]})
    pyreadstat.write_dta(frame, path, version=12)
    assert read(path, encoding="utf-8").values("t") == ["Ж"]
    assert read(path, encoding="cp1252").values("t") != ["Ж"]
    for option in ({"delimiter": ";"}, {"decimal": ","}, {"header": True}):
        with pytest.raises(ReadError, match=r"tells how a text file is read, found the Stata file .*: leave it out"):
            read(path, **option)


def test_memory_and_samples(tmp_path: Path) -> None:
    for path in (stata_survey(tmp_path / "in.dta"), spss_survey(tmp_path / "in.zsav", compress=True)):
        size = path.stat().st_size
        assert estimated_memory(path) > size + 8 * N * len(read(path).names)
        with pytest.raises(ReadError, match=r"may take .* is read as a whole: convert it to Parquet first"):
            read_file_within(size, path, Reading(), tmp_path)
        assert read_file_within(10**9, path, Reading(), tmp_path).n_records == N
        sample = sample_file(path, Reading())
        assert (sample.n_records, sample.is_counted, sample.first_records.n_records) == (N, True, N)
        assert estimate(path, plan=Plan(k=3, columns=["sex", "weight"])).n_records == N


def test_tables_larger_than_memory_are_not_written_as_statistical_files(tmp_path: Path) -> None:
    pl.DataFrame({"a": np.arange(50.0)}).write_parquet(tmp_path / "in.parquet")
    table = read(tmp_path / "in.parquet", memory=0, folder=tmp_path)
    for ending in ("dta", "sav"):
        with pytest.raises(WriteError, match="is written from memory, and the table is larger: write a Parquet file"):
            write(table, tmp_path / f"out.{ending}")


def test_a_csv_file_becomes_a_statistical_one(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("age,town\n" + "".join(f"{20 + row},t{row % 2}\n" for row in range(9)))
    for ending in ("dta", "sav", "zsav"):
        target = tmp_path / f"out.{ending}"
        release = protect_file(tmp_path / "in.csv", target, 3, columns=["age"])
        assert read(target).numbers("age").tolist() == release.data["age"].to_list()
        assert read(target).values("town") == read(tmp_path / "in.csv").values("town")


@pytest.fixture(scope="module")
def whole_files(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Any, bytes]]:
    folder = tmp_path_factory.mktemp("whole")
    stata = [stata_survey(folder / "in.dta", version).read_bytes() for version in (12, 14)]
    spss = [
        spss_survey(folder / "in.sav", **kind).read_bytes() for kind in ({"row_compress": True}, {"compress": True})
    ]
    return [*((parse_stata, data) for data in stata), *((parse_spss, data) for data in spss)]


@given(data=st.data())
def test_damaged_bytes_are_parsed_or_refused(whole_files: list[tuple[Any, bytes]], data: st.DataObject) -> None:
    parse, raw = data.draw(st.sampled_from(whole_files))
    damaged = bytearray(raw)
    for place in data.draw(st.lists(st.integers(0, len(raw) - 1), min_size=1, max_size=4)):
        damaged[place] = data.draw(st.integers(0, 255))
    with suppress(LayoutError):
        parse(bytes(damaged))
