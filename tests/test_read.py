"""Files, dataframes and arrays as tables; what cannot be read."""

import codecs
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from files import Stream, write_bytes
from microagg import InputError, ReadError, protect, read, write
from microagg.model.reading import Reading


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
    said = {"delimiter": ";", "decimal": ",", "encoding": "utf-8", "header": True}
    one, other = read(source, **said), read(source, Reading(**said))
    assert one.source.reading == other.source.reading == Reading(**said)
    assert one.numbers("a").tolist() == other.numbers("a").tolist() == [1.5]
    with pytest.raises(InputError, match="'decimal' is given besides reading"):
        read(source, Reading(delimiter=";"), decimal=",")
    with pytest.raises(InputError, match="reading must be a Reading, found dict"):
        read(source, said)


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
        with pytest.raises(ReadError, match=r"thousands separators.* --decimal"):
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
    with pytest.raises(ReadError, match=r"header=False, --no-header.*header=True, --header"):
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
