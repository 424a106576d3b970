"""Files and dataframes come back as they were but for what was changed."""

import codecs
import hashlib
import io
import os
from pathlib import Path

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from microagg import Column, InputError, ReadError, WriteError, protect, read, write
from microagg.model.reading import Reading
from microagg.write import file_sha256, replace_files, table_fill, to_native


def _write_bytes(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


TEXTS = {
    "plain": "a,b,c\n1,2.5,x\n3,4,y\n",
    "semicolon": "a;b;c\n1;2,5;x\n3;4;y,z\n",
    "tab": "a\tb\n1\t2\n3\t4\n",
    "bar": "a|b\n1|2\n3|4\n",
    "windows": "a,b\r\n1,2\r\n3,4\r\n",
    "old mac": "a,b\r1,2\r3,4\r",
    "quoted": 'a,b,c\n1,"x,y","he said ""no"""\n3,"two\nlines",\n',
    "codes": "id,zip,v\n001,08001,1\n002,00017,2\n",
    "empty fields": 'a,b,c\n1,,""\n2,"",\n',
    "spaces": "a, b\n 1 ,x \n2, y\n",
    "one column": "a\n1\n2\n",
    "accents": "näme,b\nÅsa,1\nЖ,2\n",
    "r": '"","a"\n"1",5\n"2",6\n',
    "not closed": "a,b\n1,2\n3,4",
    "quoted old mac": 'a,b\r1,"x\ry"\r3,4\r',
    "windows inside a field": 'a,b\n1,"x\r\ny"\n3,4\n',
    "header": "a,b\r\n",
    "missing at the end": "a\n1\n\n",
    "long field": "a,b\n1," + "x" * 200_000 + "\n2,\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_text_file_that_is_not_changed_is_written_as_it_came(name, tmp_path):
    source = _write_bytes(tmp_path / "in.csv", TEXTS[name])
    write(read(source), tmp_path / "out.csv")
    again = read(tmp_path / "out.csv")
    assert again.source.frame.rows() == read(source).source.frame.rows()
    assert again.names == read(source).names
    if name != "r":  # quotes that are not needed are not kept
        assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-32"])
def test_encoding_is_kept(encoding, tmp_path):
    text = "näme;größe\nJosé;1,5\nÅsa;2,5\n"
    source = _write_bytes(tmp_path / "in.csv", text.encode(encoding))
    table = read(source)
    assert table.names == ("näme", "größe")
    write(table, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()


def test_bytes_that_are_no_windows_text_survive(tmp_path):
    source = _write_bytes(tmp_path / "in.csv", b"a,b\n\x81\x8d,1\n\xff,2\n")
    write(read(source), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()


field = st.text(st.characters(codec="utf-8", exclude_characters="\r\0\ufeff"), max_size=8)


@given(rows=st.lists(st.tuples(field, field, field), min_size=1, max_size=8))
def test_read_write_read_is_identity(rows, tmp_path_factory):
    folder = tmp_path_factory.mktemp("identity")
    pl.DataFrame(rows, schema=["one", "two", "three"], orient="row").write_csv(folder / "in.csv")
    first = read(folder / "in.csv")
    write(first, folder / "out.csv")
    assert read(folder / "out.csv").source.frame.rows() == first.source.frame.rows() == rows


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
def test_delimiter_and_decimal_are_found(text, delimiter, numbers, tmp_path):
    table = read(_write_bytes(tmp_path / "in.csv", text))
    assert table.source.dialect.delimiter == delimiter
    for name, expected in zip(table.names, numbers, strict=True):
        if expected is None:
            assert table.kind(name) == "text"
        else:
            assert table.numbers(name).tolist() == expected


def test_decimal_comma_is_read_and_written(tmp_path):
    source = _write_bytes(tmp_path / "in.csv", "who;x;n\nA;1,5;1\nB;2,5;2\nC;-10,0;7\nD;-11;8\n")
    release = protect(source, 2, keep_integers=True)
    write(release.table, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "who;x;n\nA;2,0;2\nB;2,0;2\nC;-10,5;8\nD;-10,5;8\n"


@pytest.mark.parametrize(
    ("text", "mean"), [("a;b\n1;x\n2;y\n", "1,5"), ("a,b\n1,x\n2,y\n", "1.5"), ("a\tb\n1\tx\n2\ty\n", "1.5")]
)
def test_decimal_sign_of_whole_numbers_goes_with_the_delimiter(text, mean, tmp_path):
    release = protect(_write_bytes(tmp_path / "in.csv", text), 2)
    write(release.table, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().splitlines()[1].startswith(mean)


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
def test_kind_of_a_text_column(values, kind, tmp_path):
    text = "a,b\n" + "".join(f"{value},z\n" for value in values)
    assert read(_write_bytes(tmp_path / "in.csv", text)).kind("a") == kind


def test_point_in_a_decimal_comma_file_is_no_number(tmp_path):
    source = _write_bytes(tmp_path / "in.csv", "a;b\n1,5;2,5\n1.234;3,5\n2,5;4,5\n")
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
def test_bad_file_gets_one_clear_sentence(content, words, tmp_path):
    with pytest.raises(ReadError, match=words) as caught:
        read(_write_bytes(tmp_path / "in.csv", content))
    assert "\n" not in str(caught.value)


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(ReadError, match="No such file"):
        read(tmp_path / "none.csv")
    with pytest.raises(ReadError, match="directory"):
        read(tmp_path)


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".feather"])
def test_typed_file_keeps_every_other_column(suffix, tmp_path):
    frame = pl.DataFrame(
        {
            "x": [0.5, 2.5, 10.0, 11.0],
            "n": pl.Series([1, 3, 7, 9], dtype=pl.Int16),
            "day": pl.Series(["2020-01-01", None, "2020-01-03", "2020-01-04"]).str.to_date(),
            "who": ["a", None, "", "d"],
            "big": [2**60 + 1, 2**60 + 2, 2**60 + 3, 2**60 + 4],
            "cat": pl.Series(["u", "v", "u", "v"], dtype=pl.Categorical),
        }
    )
    source = tmp_path / f"in{suffix}"
    (frame.write_parquet if suffix == ".parquet" else frame.write_ipc)(source)
    release = protect(source, 2, columns=["x", "n"], keep_integers=True)
    write(release.table, tmp_path / f"out{suffix}")
    out = (pl.read_parquet if suffix == ".parquet" else pl.read_ipc)(tmp_path / f"out{suffix}")
    assert_frame_equal(out.drop("x", "n"), frame.drop("x", "n"), categorical_as_str=True)
    assert out["x"].to_list() == [1.5, 1.5, 10.5, 10.5]
    assert (out["n"].dtype, out["n"].to_list()) == (pl.Int16, [2, 2, 8, 8])


def _frames():
    data = {"x": [0.5, 2.5, 10.0, 11.0], "n": [1, 2, 7, 9], "who": ["a", "b", "c", None]}
    yield "pandas", pd.DataFrame(data, index=[9, 8, 7, 6])
    yield "polars", pl.DataFrame(data)
    yield "pyarrow", pa.table(data)


@pytest.mark.parametrize("frame", [pytest.param(frame, id=name) for name, frame in _frames()])
def test_dataframe_gives_the_same_kind(frame):
    before = nw.from_native(frame, eager_only=True).to_dict(as_series=False)
    out = protect(frame, 2, columns=["x", "n"]).data
    assert type(out) is type(frame)
    columns = nw.from_native(out, eager_only=True)
    assert columns["x"].to_list() == [1.5, 1.5, 10.5, 10.5]
    assert columns["n"].to_list() == [1.5, 1.5, 8.0, 8.0]
    assert columns.columns == ["x", "n", "who"]
    assert columns["who"].to_list()[:3] == ["a", "b", "c"]
    assert str(nw.from_native(frame, eager_only=True).to_dict(as_series=False)) == str(before), "the input was touched"
    if isinstance(frame, pd.DataFrame):
        assert out.index.tolist() == [9, 8, 7, 6]
    kept = nw.from_native(protect(frame, 2, columns=["x", "n"], keep_integers=True).data, eager_only=True)
    assert kept["n"].dtype == nw.Int64
    assert kept["n"].to_list() == [2, 2, 8, 8]


def test_pandas_columns_without_names_keep_their_labels():
    frame = pd.DataFrame(np.array([[1.0, 5.0], [2.0, 6.0], [8.0, 9.0], [9.0, 9.0]]))
    out = protect(frame, 2, columns=[0]).data
    assert out.columns.tolist() == [0, 1]
    assert out[0].tolist() == [1.5, 1.5, 8.5, 8.5]
    assert out[1].tolist() == frame[1].tolist()
    assert frame.columns.tolist() == [0, 1]


def test_pandas_keeps_every_kind_of_label():
    columns = pd.MultiIndex.from_tuples([("a", "x"), ("a", "y")], names=["one", "two"])
    out = protect(pd.DataFrame([[1.0, 2.0], [3.0, 5.0]], columns=columns), 2).data
    assert out.columns.equals(columns)
    assert out["a"]["x"].tolist() == [2.0, 2.0]


def test_integers_that_floats_cannot_hold_are_not_damaged():
    array = np.array([[1, 2**53 + 1], [2, 5]])
    with pytest.raises(InputError, match="integers that floats cannot hold"):
        protect(array, 2, columns=[0])
    assert protect(array, 2, columns=[0], keep_integers=True).data[:, 1].tolist() == [2**53 + 1, 5]


def test_pandas_types_with_their_own_missing_values():
    frame = pd.DataFrame({"x": pd.array([1, 2, 8, 9], dtype="Int64"), "y": pd.array([1, None, 3, 4], dtype="Int64")})
    out = protect(frame, 2, columns=["x"], keep_integers=True).data
    assert (str(out["x"].dtype), out["x"].tolist()) == ("Int64", [2, 2, 8, 8])
    assert out["y"].equals(frame["y"])
    assert str(protect(frame, 2, columns=["x"]).data["x"].dtype) == "Float64"


@pytest.mark.parametrize("dtype", ["float32", "int8", "int32", "uint16", "Float32", "Int8", "double[pyarrow]"])
def test_pandas_numbers_keep_their_width(dtype):
    frame = pd.DataFrame({"x": pd.Series([1, 2, 4, 5, 7, 8]).astype(dtype)})
    out = protect(frame, 3, columns=["x"], keep_integers=True).data["x"]
    assert str(out.dtype) == dtype
    assert out.tolist() == [2, 2, 2, 7, 7, 7]
    assert float(protect(frame, 3, columns=["x"]).data["x"].iloc[0]) == pytest.approx(7 / 3, rel=1e-3)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32])
def test_array_keeps_its_type_where_it_can(dtype):
    array = np.array([[1, 5], [2, 6], [8, 9], [9, 9]], dtype=dtype)
    out = protect(array, 2, columns=[0]).data
    assert out.dtype == (np.float64 if dtype == np.int32 else dtype)
    assert out.tolist() == [[1.5, 5], [1.5, 6], [8.5, 9], [8.5, 9]]
    assert protect(array, 2, keep_integers=True).data.dtype == dtype


def test_array_of_one_dimension_is_one_column():
    assert protect(np.array([1.0, 9.0, 2.0, 8.0]), 2).data.tolist() == [1.5, 8.5, 1.5, 8.5]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (pl.LazyFrame({"a": [1]}), "LazyFrame"),
        (pd.Series([1.0]), "Series"),
        (3, "found int"),
        (None, "found NoneType"),
        (np.zeros((2, 2, 2)), r"shape \(2, 2, 2\)"),
        (np.ma.masked_array([1.0, 2.0], mask=[0, 1]), "mask"),
        ([[1, 2], [3]], "rows of equal length"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "same name"),
        (pd.DataFrame([[1, 2]], columns=[0, "0"]), "read alike"),
    ],
)
def test_unreadable_objects(source, words):
    with pytest.raises(ReadError, match=words):
        read(source)


def test_shuffle_moves_whole_records_and_tells_no_order(tmp_path):
    n = 60
    frame = pd.DataFrame({"x": np.arange(n) // 3 * 1.0, "who": [f"p{i}" for i in range(n)]})
    out = protect(frame, 3, columns=["x"], shuffle=True).data
    assert sorted(out["who"]) == sorted(frame["who"])
    assert out["who"].tolist() != frame["who"].tolist()
    assert out.index.tolist() == list(range(n))
    assert [int(who[1:]) // 3 for who in out["who"]] == out["x"].tolist()
    frame.to_csv(tmp_path / "in.csv", index=False)
    release = protect(tmp_path / "in.csv", 3, columns=["x"], shuffle=True)
    write(release.table, tmp_path / "out.csv")
    back = pd.read_csv(tmp_path / "out.csv")
    assert [int(who[1:]) // 3 for who in back["who"]] == back["x"].tolist()
    array = protect(frame[["x"]].to_numpy(), 3, shuffle=True).data
    assert sorted(array.ravel()) == frame["x"].tolist()


def test_shuffled_order_does_not_follow_from_the_random_state():
    frame = pl.DataFrame({"x": np.arange(50.0), "who": np.arange(50) * 7 % 50})
    orders = {tuple(protect(frame, 3, columns=["x"], shuffle=True, random_state=0).data["who"]) for _ in range(3)}
    assert len(orders) == 3


def test_target_is_checked(tmp_path, companies):
    table = read(companies)
    (tmp_path / "link.csv").symlink_to(companies)
    for target, words in [
        (companies, "is the input itself"),
        (tmp_path / "link.csv", "is the input itself"),
        (tmp_path / "none" / "out.csv", "is not there: make it first"),
        (tmp_path, "is a folder"),
        (tmp_path / "out.xlsx", "must end in one of .csv, .tsv, .* .parquet, .* .arrow"),
        (tmp_path / "out", "must end in one of .csv"),
        (tmp_path / ("x" * 300 + ".csv"), "File name too long"),
        (Path("/dev/null"), "no regular file"),
    ]:
        with pytest.raises(WriteError, match=words):
            write(table, target)
        with pytest.raises(WriteError):
            write(table, target, force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["link.csv"]


def _fill(text):
    return lambda temporary, finished: temporary.write_text(text)


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError, OSError])
def test_interrupted_writing_leaves_the_old_file(tmp_path, error):
    target = _write_bytes(tmp_path / "out.csv", "old")

    def fill(temporary, finished):
        temporary.write_text("half")
        raise error

    with pytest.raises(WriteError if error is OSError else error):
        replace_files({tmp_path / "other.txt": _fill("x"), target: fill}, force=True)
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.csv"]  # noqa: PTH208


def test_all_files_are_put_in_place_or_none(tmp_path):
    """A file that another program makes in the meantime holds back those before it, too."""

    def second(temporary, finished):
        temporary.write_text("x")
        (tmp_path / "b.txt").write_text("of another")

    with pytest.raises(WriteError, match="already there"):
        replace_files(
            {tmp_path / "a.txt": lambda temporary, finished: temporary.write_text("a"), tmp_path / "b.txt": second}
        )
    assert [path.name for path in tmp_path.iterdir()] == ["b.txt"]


@pytest.mark.parametrize("ending", ["tsv", "tab"])
def test_an_ending_that_means_tabs_gets_tabs(ending, tmp_path):
    source = _write_bytes(tmp_path / "in.csv", "a;b\n1,5;x\n2,5;y\n")
    write(read(source), tmp_path / f"out.{ending}")
    assert (tmp_path / f"out.{ending}").read_text() == "a\tb\n1,5\tx\n2,5\ty\n"


def test_replacing_keeps_the_link_and_the_mode(tmp_path):
    target = _write_bytes(tmp_path / "real.csv", "old")
    target.chmod(0o640)
    (tmp_path / "link.csv").symlink_to(target)
    replace_files({tmp_path / "link.csv": _fill("new")}, force=True)
    assert (tmp_path / "link.csv").is_symlink()
    assert (target.read_text(), target.stat().st_mode & 0o777) == ("new", 0o640)


@given(values=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=30))
def test_written_numbers_are_read_back_exactly(values, tmp_path_factory):
    folder = tmp_path_factory.mktemp("numbers")
    source = _write_bytes(folder / "in.csv", "x,y\n" + "1,2\n" * len(values))
    write(read(source).with_columns([Column.of_numbers("x", np.array(values))]), folder / "out.csv")
    np.testing.assert_array_equal(read(folder / "out.csv").numbers("x"), values)


def test_native_of_a_text_file_has_numbers_where_replaced(companies):
    frame = to_native(protect(companies, 3).table)
    assert frame.schema == {"company": pl.String, "surface": pl.Float64, "employees": pl.Float64}


# How a text file is to be read.


def test_keywords_and_reading_are_the_same(tmp_path):
    source = _write_bytes(tmp_path / "in.csv", "a;b\n1,5;2\n")
    said = {"delimiter": ";", "decimal": ",", "encoding": "utf-8", "header": True}
    one, other = read(source, **said), read(source, Reading(**said))
    assert one.source.reading == other.source.reading == Reading(**said)
    assert one.numbers("a").tolist() == other.numbers("a").tolist() == [1.5]
    with pytest.raises(InputError, match="'decimal' is said beside reading"):
        read(source, Reading(delimiter=";"), decimal=",")
    with pytest.raises(InputError, match="reading must be a Reading, found dict"):
        read(source, said)


@pytest.mark.parametrize("option", [{"delimiter": ";"}, {"decimal": "."}, {"encoding": "utf-8"}, {"header": False}])
def test_reading_of_what_is_no_text_file_is_refused(option, tmp_path):
    pl.DataFrame({"a": [1.0]}).write_parquet(tmp_path / "in.parquet")
    table = read(pl.DataFrame({"a": [1.0]}))
    for source in (tmp_path / "in.parquet", pl.DataFrame({"a": [1.0]}), np.ones((2, 1)), [[1.0]], table):
        with pytest.raises(ReadError, match=f"'{next(iter(option))}' tells how a text file is read, found"):
            read(source, **option)
    assert read(table, Reading()) is table


def test_table_that_was_read_so_is_given_back(tmp_path):
    table = read(_write_bytes(tmp_path / "in.csv", "a;b\n1.234;x\n"), decimal=".")
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
def test_decimal_settles_doubts(text, decimal, numbers, tmp_path):
    source = _write_bytes(tmp_path / "in.csv", text)
    table = read(source, decimal=decimal)
    assert table.kind("a") == "number"
    assert table.numbers("a").tolist() == numbers


@pytest.mark.parametrize(("number", "decimal"), [("10.123", ","), ("10,123", "."), ("1.5", ","), ("1,5", ".")])
def test_other_sign_than_the_decimal_makes_no_number(number, decimal, tmp_path):
    table = read(_write_bytes(tmp_path / "in.csv", f"a;b\n{number};1\n7;2\n"), decimal=decimal)
    assert table.kind("a") == "mixed"
    with pytest.raises(ReadError, match=f"row 1 is '{number}', which is no number"):
        table.numbers("a")


@pytest.mark.parametrize("text", ["a;b\n10.123;x\n20.456;y\n", "a;b\n1.5;2,5\n2.5;3,5\n"])
def test_sign_that_may_be_none_is_doubtful(text, tmp_path):
    table = read(_write_bytes(tmp_path / "in.csv", text))
    assert table.kind("a") == "mixed"
    if "x" in text:
        with pytest.raises(ReadError, match=r"thousands separators.* --decimal"):
            table.numbers("a")


def test_delimiter_is_obeyed(tmp_path):
    source = _write_bytes(tmp_path / "in.csv", "a b,c d\n1 2,3 4\n")
    assert read(source).names == ("a b", "c d")
    assert read(source, delimiter=" ").names == ("a", "b,c", "d")
    assert read(source, delimiter=";").names == ("a b,c d",)


def test_encoding_is_obeyed(tmp_path):
    source = _write_bytes(tmp_path / "in.csv", "näme;b\nÅ;1\n".encode("cp850"))
    assert read(source, encoding="cp850").values("näme") == ["Å"]
    write(read(source, encoding="cp850"), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()
    with pytest.raises(ReadError, match="is not valid utf-8: say its real encoding"):
        read(source, encoding="utf-8")
    with pytest.raises(InputError, match="encoding must be a name such as"):
        read(source, encoding="base64")


@pytest.mark.parametrize("said", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "UTF8"])
@pytest.mark.parametrize("marked", [True, False])
def test_byte_order_mark_goes_with_the_encoding(said, marked, tmp_path):
    name = codecs.lookup(said).name.removesuffix("-sig")
    exact = name if name in ("utf-8", "utf-16-le") else f"{name}-le"
    mark = "\ufeff".encode(exact) if marked else b""
    source = _write_bytes(tmp_path / "in.csv", mark + "näme,b\nÅ,1\n".encode(exact))
    table = read(source, encoding=said)
    assert table.names == ("näme", "b")
    write(table, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()


def test_file_without_a_header(tmp_path):
    text = "1,2.5,x\n3,4.5,\n"
    source = _write_bytes(tmp_path / "in.csv", text)
    table = read(source, header=False)
    assert table.names == ("column_1", "column_2", "column_3")
    assert table.n_records == 2
    assert table.numbers("column_2").tolist() == [2.5, 4.5]
    write(table.with_columns([Column.of_numbers("column_2", np.array([0.5, 1.5]))]), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "1,0.5,x\n3,1.5,\n"
    write(table, tmp_path / "out.parquet")
    assert read(tmp_path / "out.parquet").names == table.names
    repeated = _write_bytes(tmp_path / "repeated.csv", "a,a\nb,b\n")
    assert read(repeated, header=False).values("column_2") == ["a", "b"]
    for short in ("1,2\n3\n", "1,2\n3,4,5\n"):
        with pytest.raises(ReadError, match=r"row 2 of .* \(line 2\) has . fields? where the first has 2"):
            read(_write_bytes(tmp_path / "short.csv", short), header=False)


def test_header_of_numbers_is_one_if_it_is_said(tmp_path):
    source = _write_bytes(tmp_path / "in.csv", "2019,2020\n1.5,2.5\n")
    with pytest.raises(ReadError, match=r"header=False, --no-header.*header=True, --header"):
        read(source)
    assert read(source, header=True).numbers("2020").tolist() == [2.5]


@pytest.mark.parametrize("text", ["a,b\n1,\n2,\n", 'a,b\n"x,y",\n"u,v",\n', "a\n\n1\n\n2\n", 'a,b\n1,"2\n,3"\n4,\n'])
def test_missing_values_at_the_end_of_records(text, tmp_path):
    table = read(_write_bytes(tmp_path / "in.csv", text))
    write(table, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == text


@pytest.mark.parametrize("text", ['a,b\n"x,y"\n', 'a,b\n1,"2,3"\n"4,5"\n', 'a,b,c\n"1,1,1",2\n'])
def test_delimiters_in_quotes_do_not_fill_up_a_record(text, tmp_path):
    with pytest.raises(ReadError, match=r"has \d field"):
        read(_write_bytes(tmp_path / "in.csv", text))


# Standard input and output.


class _Stream:
    def __init__(self, content=b""):
        self.buffer = io.BytesIO(content)


@pytest.mark.parametrize("kind", ["CSV", "Parquet", "Arrow"])
def test_standard_input_and_output_are_files_of_any_kind(kind, monkeypatch):
    frame = pl.DataFrame({"a": [1.5, 2.5], "b": ["x", "y"]})
    content = io.BytesIO()
    {"CSV": frame.write_csv, "Parquet": frame.write_parquet, "Arrow": frame.write_ipc}[kind](content)
    monkeypatch.setattr("sys.stdin", _Stream(content.getvalue()))
    table = read("-")
    assert (table.path, table.source.file_kind) == (None, kind)
    assert table.source.sha256 == hashlib.sha256(content.getvalue()).hexdigest()
    assert table.numbers("a").tolist() == [1.5, 2.5]
    out = _Stream()
    monkeypatch.setattr("sys.stdout", out)
    write(table.with_columns([Column.of_numbers("a", np.array([3.5, 4.5]))]), "-")
    monkeypatch.setattr("sys.stdin", _Stream(out.buffer.getvalue()))
    again = read(Path("-"))
    assert again.source.file_kind == kind
    assert again.numbers("a").tolist() == [3.5, 4.5]


def test_standard_output_gets_csv_of_what_was_no_file(monkeypatch):
    for source in (np.array([[1.5]]), pl.DataFrame({"0": [1.5]}), pd.DataFrame({"0": [1.5]})):
        out = _Stream()
        monkeypatch.setattr("sys.stdout", out)
        write(read(source), "-")
        assert out.buffer.getvalue() == b"0\n1.5\n"


def test_bad_standard_input_is_named(monkeypatch):
    monkeypatch.setattr("sys.stdin", _Stream(b""))
    with pytest.raises(ReadError, match="standard input is empty"):
        read("-")


# Where a table is written.


def test_existing_file_is_not_replaced_unasked(tmp_path, companies):
    target = _write_bytes(tmp_path / "out.csv", "old")
    with pytest.raises(WriteError, match=r"already there: .* force=True \(--force\)"):
        write(read(companies), target)
    assert target.read_text() == "old"
    write(read(companies), target, force=True)
    assert target.read_bytes() == companies.read_bytes()
    other = tmp_path / "other.csv"
    with pytest.raises(WriteError, match="already there"):
        replace_files({other: _fill("x"), target: _fill("y")})
    assert not other.exists()


def test_file_that_comes_in_between_is_not_replaced(tmp_path):
    target = tmp_path / "out.txt"

    def fill(temporary, finished):
        temporary.write_text("ours")
        target.write_text("theirs")

    with pytest.raises(WriteError, match="already there"):
        replace_files({target: fill})
    assert target.read_text() == "theirs"
    assert os.listdir(tmp_path) == ["out.txt"]  # noqa: PTH208


def test_later_file_may_look_at_an_earlier_one(tmp_path, companies):
    table = read(companies)
    output, summary = tmp_path / "out.csv", tmp_path / "sum.txt"

    def fill(temporary, finished):
        assert not output.exists()
        temporary.write_text(file_sha256(finished[output]))

    replace_files({output: table_fill(table, output), summary: fill})
    assert summary.read_text() == file_sha256(output) == table.source.sha256


def test_kind_goes_by_the_ending(tmp_path, companies):
    table = read(companies)
    for name, start in [("a.CSV", b"company"), ("a.tsv", b"company"), ("a.pq", b"PAR1"), ("a.ipc", b"ARROW1")]:
        write(table, tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)
    strange = tmp_path / "in.dat"
    strange.write_bytes((tmp_path / "a.pq").read_bytes())
    write(read(strange), tmp_path / "out.dat")
    assert (tmp_path / "out.dat").read_bytes().startswith(b"PAR1")
    with pytest.raises(WriteError, match=r"must end in one of \.csv"):
        write(read(np.ones((2, 1))), tmp_path / "out.dat")
    with pytest.raises(WriteError, match=r"must end in one of \.csv"):
        write(read(strange), tmp_path / "out.xyz")


def test_release_is_written_too(tmp_path, companies):
    release = protect(companies, 3)
    write(release, tmp_path / "out.parquet")
    assert read(tmp_path / "out.parquet").values("company") == read(companies).values("company")


@pytest.mark.parametrize("form", ["CSV", "Parquet", "Arrow"])
def test_conversion_keeps_every_value(form, tmp_path):
    text = 'n;x;yes;day;code;who\n1;1,5;TRUE;2020-01-31;007;a\nNA;;FALSE;NA;042;"b;c"\n'
    table = read(_write_bytes(tmp_path / "in.csv", text))
    suffix = {"CSV": ".csv", "Parquet": ".parquet", "Arrow": ".arrow"}[form]
    write(table, tmp_path / f"one{suffix}")
    once = read(tmp_path / f"one{suffix}")
    for other in (".csv", ".parquet", ".arrow"):
        write(once, tmp_path / f"two{other}")
        twice = read(tmp_path / f"two{other}")
        for name in table.names:
            assert twice.column(name).objects() == table.column(name).objects()
            assert twice.kind(name) == table.kind(name)
