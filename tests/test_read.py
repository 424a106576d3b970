"""Files, dataframes and arrays as tables; what cannot be read."""

import codecs
import hashlib
import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from files import Stream, write_bytes
from microagg import InputError, ReadError, protect, read, write
from microagg.model.reading import Reading
from microagg.read import read_back
from microagg.source import DelimitedSource


@pytest.mark.parametrize(
    ("text", "delimiter", "numbers"),
    [
        ("a;b\n1,5;2\n", ";", [[1.5], [2]]),
        ("a;b\n1.5;2\n", ";", [[1.5], [2]]),
        ("a,b\n1.5,2\n", ",", [[1.5], [2]]),
        ("a\tb\n-0,5\t1e3\n", "\t", [[-0.5], [1000]]),
        ('a;b\n"1,5";"2,5"\n', ";", [[1.5], [2.5]]),
        ("words, many;b\nred, green;1,5\nblue, grey;2,5\n", ";", [None, [1.5, 2.5]]),
        ("name;income, EUR\nSmith;1234,5\nJones;2345,6\n", ";", [None, [1234.5, 2345.6]]),
        ("Turnover, EUR;Profit, EUR\n1,5;2,5\n3,5;4,5\n", ";", [[1.5, 3.5], [2.5, 4.5]]),
        ("a\n1.5\n2.5\n", ",", [[1.5, 2.5]]),
        ("a,b\n1,x;y\n2,u;v\n", ",", [[1, 2], None]),
        ('age,"height; weight"\n30,"180; 80"\n31,"170; 60"\n', ",", [[30, 31], None]),
        ('"name","age","remark|size"\n"A","30","x|y"\n"B","31","u|v"\n', ",", [None, [30, 31], None]),
    ],
)
def test_delimiter_and_decimal_are_found(text: str, delimiter: str, numbers: Any, tmp_path: Path) -> None:
    table = read(write_bytes(tmp_path / "in.csv", text))
    assert isinstance(table.source, DelimitedSource)
    assert table.source.dialect.delimiter == delimiter
    for name, expected in zip(table.names, numbers, strict=True):
        if expected is None:
            assert table.kind(name) == "text"
        else:
            assert table.numbers(name).tolist() == expected


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "2"], "integer"),
        (["1", "-2", "+3", "NA", ""], "integer"),
        (["1", "2.5"], "number"),
        (["1e3", ".5", "NaN"], "number"),
        (["x", "y"], "text"),
        (["007", "042"], "text"),
        (["0", "10", "0.5"], "number"),
        (["1", "2", "x"], "mixed"),
        (["x", "y", "1"], "text"),
        (["", "NA"], "text"),
        (["1 000", "2 000"], "mixed"),
        (["1", "x"], "mixed"),
    ],
)
def test_kind_of_a_text_column(values: Any, kind: str, tmp_path: Path) -> None:
    text = "a,b\n" + "".join(f"{value},z\n" for value in values)
    assert read(write_bytes(tmp_path / "in.csv", text)).kind("a") == kind


def test_point_in_a_decimal_comma_file_is_no_number(tmp_path: Path) -> None:
    source = write_bytes(tmp_path / "in.csv", "a;b\n1,5;2,5\n1.234;3,5\n2,5;4,5\n")
    with pytest.raises(ReadError, match=r"row 2 is '1\.234', which is no number"):
        read(source).numbers("a")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("a,a\n1,2\n", "2 columns named 'a'"),
        ("1,2\n3,4\n", "holds only numbers"),
        ("a,b\n1,2\n3\n", r"row 2 of .* \(line 3\) has 1 field where the first line names 2 columns"),
        ("a,b\n1,2\n3,4,5\n", r"row 2 of .* has 3 fields"),
        ("a,b\n1,2\n\n3,4\n", "row 2 of .* has 0 fields"),
        ('a,b\n1,"2\n', "line 2 of .* a quote that is never closed"),
        ('t,u,x\n"z",5",7001\n"z",5",7002\nk,"a,b",7003\n', "line 2 of .* has a quote"),
        ('"id" "x"\n"1" 5\n', "line 1 of .* taken to be separated by ','"),
        ("a,b\n1,\r,\n", "line 2 of .* a carriage return inside a field"),
        (b"\x00\x01\x02\x00\x03", "no text file"),
        (codecs.BOM_UTF16_LE + b"\x00\xd8\x00", "not valid utf-16"),
        (b"PAR1 and no more", "damaged Parquet"),
        (b"ARROW1 and no more", "damaged Arrow"),
    ],
)
def test_bad_file_gets_one_clear_sentence(content: Any, words: str, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=words) as caught:
        read(write_bytes(tmp_path / "in.csv", content))
    assert "\n" not in str(caught.value)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="No such file"):
        read(tmp_path / "none.csv")
    with pytest.raises(ReadError, match="directory"):
        read(tmp_path)


def test_array_of_one_dimension_is_one_column() -> None:
    assert protect(np.array([1.0, 9.0, 2.0, 8.0]), 2).data.tolist() == [1.5, 8.5, 1.5, 8.5]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (pl.LazyFrame({"a": [1]}), "LazyFrame"),
        (pd.Series([1.0]), "Series"),
        (3, "found int"),
        (None, "found NoneType"),
        (np.zeros((2, 2, 2)), r"shape \(2, 2, 2\)"),
        (np.ma.masked_array([1.0, 2.0], mask=[False, True]), "mask"),
        ([[1, 2], [3]], "rows of equal length"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "same name"),
        (pd.DataFrame([[1, 2]], columns=[0, "0"]), "read alike"),
    ],
)
def test_unreadable_objects(source: Any, words: str) -> None:
    with pytest.raises(ReadError, match=words):
        read(source)


def test_keywords_and_reading_are_the_same(tmp_path: Path) -> None:
    source = write_bytes(tmp_path / "in.csv", "a;b\n1,5;2\n")
    options: dict[str, Any] = {"delimiter": ";", "decimal": ",", "encoding": "utf-8", "header": True}
    one = read(source, **options)
    other = read(source, Reading(**options))
    for table in (one, other):
        assert isinstance(table.source, DelimitedSource)
        assert table.source.reading == Reading(**options)
    assert one.numbers("a").tolist() == other.numbers("a").tolist() == [1.5]
    with pytest.raises(InputError, match="'decimal' is given besides reading"):
        read(source, Reading(delimiter=";"), decimal=",")
    with pytest.raises(InputError, match="reading must be a Reading, found dict"):
        read(source, options)  # type: ignore[arg-type]


@pytest.mark.parametrize("option", [{"delimiter": ";"}, {"decimal": "."}, {"encoding": "utf-8"}, {"header": False}])
def test_reading_of_what_is_no_text_file_is_refused(option: dict[str, Any], tmp_path: Path) -> None:
    pl.DataFrame({"a": [1.0]}).write_parquet(tmp_path / "in.parquet")
    table = read(pl.DataFrame({"a": [1.0]}))
    for source in (tmp_path / "in.parquet", pl.DataFrame({"a": [1.0]}), np.ones((2, 1)), [[1.0]], table):
        with pytest.raises(ReadError, match=f"'{next(iter(option))}' tells how a text file is read, found"):
            read(source, **option)
    assert read(table, Reading()) is table


def test_table_that_was_read_so_is_given_back(tmp_path: Path) -> None:
    table = read(write_bytes(tmp_path / "in.csv", "a;b\n1.234;x\n"), decimal=".")
    assert read(table) is table
    assert read(table, decimal=".") is table
    with pytest.raises(ReadError, match="found a Table"):
        read(table, decimal=",")


@pytest.mark.parametrize(
    ("text", "decimal", "numbers"),
    [
        ("a;b\n10.123;x\n20.456;y\n", ".", [10.123, 20.456]),
        ("a;b\n10,123;x\n20,456;y\n", ",", [10.123, 20.456]),
        ("a;b\n1.5;2,5\n2.5;3,5\n", ".", [1.5, 2.5]),
        ('a,b\n"1,5",x\n"2,5",y\n', ",", [1.5, 2.5]),
        ("a\n1,5\n2,5\n", ",", [1.5, 2.5]),
    ],
)
def test_decimal_settles_doubts(text: str, decimal: str, numbers: Any, tmp_path: Path) -> None:
    source = write_bytes(tmp_path / "in.csv", text)
    table = read(source, decimal=decimal)
    assert table.kind("a") == "number"
    assert table.numbers("a").tolist() == numbers


@pytest.mark.parametrize(("number", "decimal"), [("10.123", ","), ("10,123", "."), ("1.5", ","), ("1,5", ".")])
def test_other_sign_than_the_decimal_makes_no_number(number: str, decimal: str, tmp_path: Path) -> None:
    table = read(write_bytes(tmp_path / "in.csv", f"a;b\n{number};1\n7;2\n"), decimal=decimal)
    assert table.kind("a") == "mixed"
    with pytest.raises(ReadError, match=f"row 1 is '{number}', which is no number"):
        table.numbers("a")


@pytest.mark.parametrize("text", ["a;b\n10.123;x\n20.456;y\n", "a;b\n1.5;2,5\n2.5;3,5\n"])
def test_sign_that_may_be_none_is_doubtful(text: str, tmp_path: Path) -> None:
    table = read(write_bytes(tmp_path / "in.csv", text))
    assert table.kind("a") == "mixed"
    if "x" in text:
        with pytest.raises(ReadError, match=r"thousands separators.*decimal='\.'"):
            table.numbers("a")


def test_delimiter_is_obeyed(tmp_path: Path) -> None:
    source = write_bytes(tmp_path / "in.csv", "a b,c d\n1 2,3 4\n")
    assert read(source).names == ("a b", "c d")
    assert read(source, delimiter=" ").names == ("a", "b,c", "d")
    assert read(source, delimiter=";").names == ("a b,c d",)


def test_encoding_is_obeyed(tmp_path: Path) -> None:
    source = write_bytes(tmp_path / "in.csv", "näme;b\nÅ;1\n".encode("cp850"))
    assert read(source, encoding="cp850").values("näme") == ["Å"]
    write(read(source, encoding="cp850"), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()
    with pytest.raises(ReadError, match="is not valid utf-8: say its real encoding"):
        read(source, encoding="utf-8")
    with pytest.raises(InputError, match="encoding must be a name such as"):
        read(source, encoding="base64")


def test_header_of_numbers_is_one_if_it_is_said(tmp_path: Path) -> None:
    source = write_bytes(tmp_path / "in.csv", "2019,2020\n1.5,2.5\n")
    with pytest.raises(ReadError, match=r"header=False.*header=True"):
        read(source)
    assert read(source, header=True).numbers("2020").tolist() == [2.5]


@pytest.mark.parametrize("text", ['a,b\n"x,y"\n', 'a,b\n1,"2,3"\n"4,5"\n', 'a,b,c\n"1,1,1",2\n'])
def test_delimiters_in_quotes_do_not_fill_up_a_record(text: str, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"has \d field"):
        read(write_bytes(tmp_path / "in.csv", text))


def test_bad_standard_input_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Stream(b""))
    with pytest.raises(ReadError, match="standard input is empty"):
        read("-")


def test_what_is_read_is_known(tmp_path: Path, companies: Path) -> None:
    table = read(companies)
    assert isinstance(table.source, DelimitedSource)
    assert (table.path, table.source.file_kind) == (companies, "CSV")
    assert table.source.sha256 == hashlib.sha256(companies.read_bytes()).hexdigest()
    assert read(str(companies)).path == companies

    class Encoded(os.PathLike[bytes]):
        def __fspath__(self) -> bytes:
            return os.fsencode(companies)

    assert read(Encoded()).path == companies
    frame = pl.DataFrame({"a": [1.5, 2.5]})
    for name, kind in (("in.parquet", "Parquet"), ("in.arrow", "Arrow")):
        path = tmp_path / name
        writer: Any = frame.write_parquet if kind == "Parquet" else frame.write_ipc
        writer(path)
        typed = read(path)
        assert (typed.path, typed.source.file_kind, typed.n_records) == (path, kind, 2)
        assert typed.source.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
        with pytest.raises(ReadError) as caught:
            read(path, decimal=",")
        found = f"found the {kind} file {path}: leave it out"
        assert str(caught.value) == f"'decimal' tells how a text file is read, {found}"
    assert (read([[1.0]]).path, read([[1.0]]).source.file_kind) == (None, None)


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(ReadError) as caught:
        read(tmp_path / "none.csv")
    assert str(caught.value) == f"cannot read {tmp_path / 'none.csv'}: No such file or directory"
    with pytest.raises(ReadError, match=r"cannot read a.b: .*null"):
        read("a\0b")
    damaged = write_bytes(tmp_path / "in.parquet", b"PAR1 and no more")
    with pytest.raises(ReadError, match=rf"^{damaged} is a damaged Parquet file: .+"):
        read(damaged)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ([[[1.0]]], "expected records by columns, found an array of shape (1, 1, 1), type float64"),
        (5.0, "expected a path, a dataframe in memory or an array, found float: collect a lazy frame"),
        (np.array(5.0), "expected records by columns, found an array of shape (), type float64"),
        (np.zeros(2, dtype=[("a", float)]), "found an array of shape (2,), type [('a', '<f8')]"),
        (np.ma.masked_array([1.0]), "expected an array without a mask: fill in or remove the masked records first"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "has columns of the same name: give each a name of its own"),
        (pd.DataFrame([[1, 2]], columns=[0, "0"]), "has columns whose names read alike: give each a name of its own"),
    ],
)
def test_objects_that_cannot_be_read_are_described(source: Any, words: str) -> None:
    with pytest.raises(ReadError) as caught:
        read(source)
    assert words in str(caught.value)


def test_rows_and_columns_of_arrays() -> None:
    assert read([1.0, 2.0]).names == ("0",)
    assert read(((1.0, 2.0), (3.0, 4.0))).names == ("0", "1")
    assert read(np.array([[1.0, 2.0]])).n_records == 1


def test_labels_of_pandas_are_names() -> None:
    table = read(pd.DataFrame({0: [1.0], "a": [2.0]}))
    assert table.names == ("0", "a")
    assert table.numbers("0").tolist() == [1.0]


def test_released_data_are_read_back_with_their_names() -> None:
    assert read_back(np.array([[1.0, 2.0]]), ("x", "y")).names == ("x", "y")
    assert read_back(np.array([1.0, 2.0]), ("x",)).numbers("x").tolist() == [1.0, 2.0]
    frame = pl.DataFrame({"a": [1.5]})
    assert read_back(frame, ("ignored",)).names == ("a",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b\n1,2\n3\n", "row 2"),
        ("a,b\n1,2\n3,4,5\n", "row 2"),
        ('a,b\n1,2\n"3"\n', "row 2"),
        ("a,b,c\n1,2,\n3,\n", "row 2"),
    ],
)
def test_records_of_another_length_are_never_filled_up(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=words):
        read(write_bytes(tmp_path / "in.csv", text))


def test_missing_fields_at_the_end_are_read(tmp_path: Path) -> None:
    table = read(write_bytes(tmp_path / "in.csv", 'a,b\n1,\n"x,y",\n'))
    assert (table.values("a"), table.values("b")) == (["1", "x,y"], [None, None])
    full = read(write_bytes(tmp_path / "in.csv", 'a,b\n1,"x\ny"\n2,z'))
    assert full.values("b") == ["x\ny", "z"]


def test_reading_is_given_once(tmp_path: Path) -> None:
    source = write_bytes(tmp_path / "in.csv", "a;b\n1,5;2\n")
    with pytest.raises(InputError) as caught:
        read(source, Reading(), decimal=",", header=True)
    assert str(caught.value) == ("'decimal', 'header' is given besides reading: set it there, or leave reading out")
    with pytest.raises(InputError) as caught:
        read(source, ";")  # type: ignore[arg-type]
    assert str(caught.value) == "reading must be a Reading, found str: give its fields by name"
    with pytest.raises(ReadError) as caught:
        read([[1.0]], Reading(header=True))
    assert str(caught.value) == "'header' tells how a text file is read, found a list: leave it out"
