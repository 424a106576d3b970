"""Data frames of R files: every kind of vector, the choice among several objects, and what is refused."""

import datetime as dt
import logging
import sys
from importlib import import_module
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest
import rdata

from files import write_bytes
from microagg import Plan, ReadError, WriteError, changes, protect, protect_file, read, write
from microagg.data_size import first_records
from microagg.model.reading import Reading
from microagg.source.memory_estimate import estimated_memory
from microagg.source.r import r_objects
from microagg.source.r.r_objects import begins_as_r
from r_file_writing import RWriter

NA = np.uint64(0x7FF00000000007A2).view(np.float64)
TAGGED = np.uint64(0x7FF00061000007A2).view(np.float64)  # NA(a) of haven


def _frame(path: Path, compression: Any = "gzip") -> Path:
    """Write a data frame with a vector of each kind."""
    make = RWriter()
    codes = make.vector(np.array([1.0, 2.0, TAGGED]), names=["male", "female", "refused"])
    columns = {
        "income": make.vector(np.array([1.5, NA, np.nan, 4.0]), label="Monthly income"),
        "children": make.with_missing([1, None, 3, 0]),
        "member": make.with_missing([True, None, False, True]),
        "name": make.vector(["Anna", None, "Jürgen", ""]),
        "town": make.with_missing([2, 1, None, 2], levels=["Bonn", "Ulm"], **{"class": "factor"}),
        "level": make.with_missing([3, 1, None, 1], levels=["low", "mid", "high"], **{"class": ["ordered", "factor"]}),
        "born": make.vector(np.array([3653.0, NA, -1.0, 0.5]), **{"class": "Date"}),
        "seen": make.vector(
            np.array([1577872800.25, NA, 0.0, -0.5]), tzone="Europe/Berlin", **{"class": ["POSIXct", "POSIXt"]}
        ),
        "sex": make.vector(np.array([1.0, 2.0, TAGGED, 1.0]), labels=codes, **{"class": "haven_labelled"}),
        "key": make.vector(np.array([1, 2**60, -(2**63), 5]).view(np.float64), **{"class": "integer64"}),
        "wait": make.vector(np.array([1.0, 2.0, NA, 4.0]), units="mins", **{"class": "difftime"}),
    }
    return make.save(make.frame(columns), path, compression)


EXPECTED: dict[str, tuple[str, list[Any]]] = {
    "income": ("number", [1.5, None, None, 4.0]),
    "children": ("integer", [1, None, 3, 0]),
    "member": ("boolean", [True, None, False, True]),
    "name": ("text", ["Anna", None, "Jürgen", ""]),
    "town": ("category", ["Ulm", "Bonn", None, "Ulm"]),
    "level": ("category", ["high", "low", None, "low"]),
    "born": ("date", [dt.date(1980, 1, 2), None, dt.date(1969, 12, 31), dt.date(1970, 1, 1)]),
    "sex": ("category", [1, 2, None, 1]),
    "key": ("integer", [1, 2**60, None, 5]),
    "wait": ("number", [1.0, 2.0, None, 4.0]),
}


@pytest.mark.parametrize("compression", ["gzip", "bzip2", "xz", None])
def test_every_kind_of_vector_is_read(compression: str | None, tmp_path: Path) -> None:
    table = read(_frame(tmp_path / "in.rds", compression))
    assert table.source.file_kind == "R"
    found = {name: (table.kind(name), table.values(name)) for name in EXPECTED}
    assert found == EXPECTED
    berlin = ZoneInfo("Europe/Berlin")
    instants = [dt.datetime(2020, 1, 1, 11, 0, 0, 250_000, berlin), None, dt.datetime(1970, 1, 1, 1, tzinfo=berlin)]
    assert table.values("seen")[:3] == instants
    assert table.values("seen")[3].timestamp() == -0.5
    assert table.kind("seen") == "datetime"


def test_factors_have_levels_in_order_only_if_they_are_ordered(tmp_path: Path) -> None:
    table = read(_frame(tmp_path / "in.rds"))
    level = table.column("level")
    assert (level.categories, level.ordered) == (("low", "mid", "high"), True)
    assert not table.column("town").ordered


def test_labels_of_haven_are_known(tmp_path: Path) -> None:
    table = read(_frame(tmp_path / "in.rds"))
    source: Any = table.source
    assert source.description("income")["label"] == "Monthly income"
    assert source.description("sex")["value_labels"] == {1.0: "male", 2.0: "female", "a": "refused"}
    assert source.marks("sex") == [None, None, ".a", None]
    assert source.description("seen")["format"] == "Europe/Berlin"
    assert source.description("wait")["format"] == "mins"


def test_codes_of_missing_values_from_spss_are_missing(tmp_path: Path) -> None:
    make = RWriter()
    classes = ["haven_labelled_spss", "haven_labelled"]
    labels = make.vector(np.array([-9.0]), names=["refused"])
    columns = {
        "age": make.vector(np.array([31.0, -9.0, 99.0, 45.0]), labels=labels, na_values=[-9.0], **{"class": classes}),
        "pay": make.vector(np.array([5.5, 97.0, 99.0, 4.5]), na_range=[97.0, np.inf], **{"class": classes}),
    }
    table = read(make.save(make.frame(columns), tmp_path / "in.rds"))
    assert (table.kind("age"), table.values("age")) == ("integer", [31, None, 99, 45]), "labels of missing codes only"
    assert (table.kind("pay"), table.values("pay")) == ("number", [5.5, None, None, 4.5])


def test_files_that_r_itself_has_written() -> None:
    """The library brings a few, and in later versions one of each format and version."""
    folder = Path(str(rdata.TESTDATA_PATH))
    files = [*folder.glob("test_dataframe.rd*"), *folder.glob("generated/test_dataframe__*.rd*")]
    assert len(files) >= 2
    for path in files:
        table = read(path)
        assert table.names == ("class", "value")
        assert (table.values("class"), table.values("value")) == (["a", "b", "b"], [1, 2, 3])
        assert (table.kind("class"), table.kind("value")) == ("category", "integer")


def test_one_of_several_data_frames_is_named(tmp_path: Path) -> None:
    make = RWriter()
    one = make.frame({"a": make.vector([1.0, 2.0])})
    other = make.frame({"b": make.vector([1.0])}, **{"class": ["tbl_df", "tbl", "data.frame"]})
    path = make.save({"x": make.vector([1.0]), "people": one, "firms": other}, tmp_path / "in.RData")
    assert read(path, table_name="people").names == ("a",)
    assert read(path, table_name="firms").names == ("b",)
    with pytest.raises(ReadError) as caught:
        read(path)
    expected = "has 2 data frames, 'people', 'firms': name one of them, as in table_name='people'"
    assert str(caught.value) == f"{path} {expected}"
    with pytest.raises(ReadError, match="has no data frame 'x': it has 'people', 'firms'"):
        read(path, table_name="x")
    single = make.save({"x": make.vector([1.0]), "people": one}, tmp_path / "single.rda")
    assert read(single).names == ("a",)


def test_an_rds_file_has_one_object_without_a_name(tmp_path: Path) -> None:
    path = _frame(tmp_path / "in.rds")
    with pytest.raises(ReadError, match=r"'table_name' names one of several objects, found .*: leave it out"):
        read(path, table_name="people")
    make = RWriter()
    vector = make.save(make.vector([1.0]), tmp_path / "vector.rds")
    with pytest.raises(ReadError, match=r"vector\.rds holds one object, and no data frame: make one in R"):
        read(vector)
    vectors = make.save({"x": make.vector([1.0]), "y": make.vector([1.0])}, tmp_path / "vectors.rda")
    with pytest.raises(ReadError, match=r"vectors\.rda holds 'x', 'y', and no data frame"):
        read(vectors)


def test_what_is_no_column_is_refused(tmp_path: Path) -> None:
    make = RWriter()
    cases = {
        "a list": make.vector([make.vector([1.0]), make.vector([2.0])]),
        "a matrix": make.vector(np.array([1.0, 2.0]), dim=np.array([1, 2], dtype=np.int32)),
    }
    for what, vector in cases.items():
        path = make.save(make.frame({"x": vector}), tmp_path / "in.rds")
        with pytest.raises(ReadError, match=f"column 'x' of .* is {what}: expected a vector of numbers, texts, dates"):
            read(path)
    twice = make.frame({"x": make.vector([1.0]), "y": make.vector([1.0])}, names=["x", "x"])
    with pytest.raises(ReadError, match="has columns of the name 'x': give each a name of its own"):
        read(make.save(twice, tmp_path / "twice.rds"))


def test_row_names_are_left_out_and_that_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    make = RWriter()
    frame = make.frame({"x": make.vector([1.0, 2.0])}, **{"row.names": ["Anna", "Ben"]})
    path = make.save(frame, tmp_path / "in.rds")
    with caplog.at_level(logging.WARNING, "microagg"):
        table = read(path)
    assert table.names == ("x",)
    assert caplog.messages == [f"the row names of {path} are left out: they are no column"]
    caplog.clear()
    read(_frame(tmp_path / "numbered.rds"))
    assert caplog.messages == []


def test_r_files_are_not_written(tmp_path: Path) -> None:
    table = read(_frame(tmp_path / "in.rds"))
    for name in ("out.rds", "out.rda", "out.RData"):
        with pytest.raises(WriteError, match=r"can be read, but not written: write one that ends in one of \.csv"):
            write(table, tmp_path / name)
    assert not (tmp_path / "out.rds").exists()


def test_a_data_frame_is_protected_into_another_file(tmp_path: Path) -> None:
    path = _frame(tmp_path / "in.rds")
    protect_file(path, tmp_path / "out.parquet", 2, columns=["wait"], missing="available", method="mdav")
    found = changes(path, tmp_path / "out.parquet")
    assert found.changed == ("wait",)
    release = protect(read(path), 2, columns=["sex", "level"], missing="available", method="mdav")
    assert release.n_groups >= 1


def test_the_options_of_reading_may_be_those_of_a_plan(tmp_path: Path) -> None:
    make = RWriter()
    frames = {name: make.frame({"a": make.vector([1.0, 2.0, 8.0, 9.0])}) for name in ("one", "two")}
    path = make.save(frames, tmp_path / "in.rda")
    release = protect(read(path, table_name="two"), plan=Plan(k=2, columns=["a"], table_name="two"))
    assert release.data["a"].to_list() == [1.5, 1.5, 8.5, 8.5]
    protect_file(path, tmp_path / "out.csv", plan=Plan(k=2, columns=["a"], table_name="two"))


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    whole = _frame(tmp_path / "in.rds", None).read_bytes()
    cut = write_bytes(tmp_path / "cut.rds", whole[: len(whole) // 2])
    with pytest.raises(ReadError, match=r"cut\.rds is a damaged R file: "):
        read(cut)
    text = write_bytes(tmp_path / "text.rds", "a,b\n1,2\n")
    with pytest.raises(ReadError, match=r"text\.rds is a damaged R file, or none: it does not begin as one"):
        read(text)
    other = write_bytes(tmp_path / "other.rda", b"BZh" + b"x" * 50)
    with pytest.raises(ReadError, match=r"other\.rda is a damaged R file: "):
        read(other)


def test_compressed_text_is_no_r_file() -> None:
    import gzip
    import lzma

    assert not begins_as_r(gzip.compress(b"a,b\n1,2\n"))
    assert not begins_as_r(lzma.compress(b"a,b\n1,2\n"))
    assert begins_as_r(gzip.compress(b"X\n\0\0\0\3"))
    assert begins_as_r(lzma.compress(b"RDX3\nX\n\0\0\0\3"))
    assert begins_as_r(b"A\n3\n262657\n")
    assert not begins_as_r(b"\x1f\x8b")


def test_size_is_known_before(tmp_path: Path) -> None:
    path = _frame(tmp_path / "in.rds")
    raw = len(_frame(tmp_path / "raw.rds", None).read_bytes())
    assert estimated_memory(path) >= 10 * raw
    first = first_records(path, Reading())
    assert (first.n_records, first.table.n_records) == (4, 4)


def test_a_missing_extra_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _frame(tmp_path / "in.rds")
    monkeypatch.setitem(sys.modules, "rdata", None)
    with pytest.raises(ReadError, match=r"the R file .* needs the package rdata: pip install 'microagg\[r\]'"):
        read(path)


@pytest.mark.parametrize("module", ["gzip", "bz2", "lzma"])
def test_a_file_that_would_fill_the_memory_is_refused_before_it_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    monkeypatch.setattr(r_objects, "_MOST_UNTOLD", 1000)
    monkeypatch.setattr(r_objects, "_PIECE", 1000)
    bomb = import_module(module).compress(b"RDX3\nX\n\0\0\0\3" + bytes(10**7))
    if module == "gzip":
        bomb = bomb[:-4] + bytes(4)  # it says that it is empty
    path = tmp_path / "in.rda"
    path.write_bytes(bomb)
    with pytest.raises(ReadError, match="when it is decompressed, as its size says, found more"):
        read(path)
