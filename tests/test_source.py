"""Every source gives its columns with their types, and writes any column back into whatever can hold it."""

import csv
import datetime as dt
import decimal
import hashlib
import io
import math
import pickle
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg import InputError, ReadError, WriteError, read, write
from microagg.model.column import CODED, Column
from microagg.model.source_protocol import Changes
from microagg.source import dialect
from microagg.source.looks import looks_like_a_number
from microagg.write import to_native

DAY = [dt.date(2020, 1, day) for day in (31, 1, 2, 3)]
NOON = [dt.datetime(2021, 5, day, 12, 30, 15, 250_000) for day in (1, 2, 3, 4)]
VALUES = {  # what a column holds, and what comes in its place
    "integer": ([1, 2, 30, 4], [5, None, -7, 8]),
    "number": ([1.5, 2.25, 3.5, 4.0], [0.5, None, -7.25, 8.0]),
    "boolean": ([True, False, True, False], [False, None, True, True]),
    "date": (DAY, [DAY[3], None, dt.date(1999, 12, 31), DAY[0]]),
    "datetime": (NOON, [NOON[1], None, dt.datetime(1999, 12, 31, 23, 59, 59), NOON[0]]),
    "category": (["a", "b", "a", "c"], ["c", None, "a", "a"]),
    "text": (["x", "y", "z", "x"], ["z", None, "quite, new", "y"]),
    "mixed": (["12%", "5%", "7%", "9%"], ["5%", None, "100%", "9%"]),
}
ORDER = np.array([2, 0, 3, 1])
POLARS = {"boolean": pl.Boolean, "date": pl.Date, "datetime": pl.Datetime("us"), "category": pl.Categorical}
ARROW = {
    "integer": pa.int64(),
    "number": pa.float64(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "datetime": pa.timestamp("us"),
    "category": pa.dictionary(pa.int32(), pa.string()),
    "text": pa.string(),
    "mixed": pa.string(),
}
NULLABLE = {"integer": "Int64", "number": "Float64", "boolean": "boolean", "text": "string", "mixed": "string"}


def _column(name, kind, values):
    """Make a column of Python's objects by hand."""
    if kind in CODED:
        return Column.of_objects(name, values, kind)
    missing = np.array([value is None for value in values])
    present = next(value for value in values if value is not None)
    array = np.array([present if value is None else value for value in values])
    if array.dtype.kind in "OM":
        array = array.astype("datetime64[D]" if kind == "date" else "datetime64[us]")
    return Column(name, kind, array, missing=missing if missing.any() else None)


def _polars(kind, folder):
    return pl.DataFrame(
        {
            "keep": ["k1", "k2", "k3", "k4"],
            "new": pl.Series(VALUES[kind][0], dtype=POLARS.get(kind)),
            "drop": [9.5, 8.5, 7.5, 6.5],
        }
    )


def _array(kind, folder):
    values = VALUES[kind][0]
    array = np.array([values, values, values]).T
    return array.astype({"date": "datetime64[D]", "datetime": "datetime64[us]"}.get(kind, array.dtype))


def _objects(kind, folder):
    return np.array([VALUES["text"][0], VALUES[kind][0], VALUES["number"][0]], dtype=object).T


def _pandas(kind, folder):
    dtype = {"category": "category", "date": object}.get(kind)
    return pd.DataFrame(
        {"keep": ["k1", "k2", "k3", "k4"], "new": pd.Series(VALUES[kind][0], dtype=dtype), "drop": [9.5, 8.5, 7.5, 6.5]}
    )


def _pandas_nullable(kind, folder):
    frame = _pandas(kind, folder)
    return frame.astype({"new": NULLABLE[kind]}) if kind in NULLABLE else frame


def _pandas_arrow(kind, folder):
    frame = _pandas(kind, folder)
    return frame.assign(new=pd.Series(VALUES[kind][0], dtype=pd.ArrowDtype(ARROW[kind])))


def _pyarrow(kind, folder):
    new = pa.array(VALUES[kind][0], type=ARROW[kind])
    return pa.table({"keep": ["k1", "k2", "k3", "k4"], "new": new, "drop": [9.5, 8.5, 7.5, 6.5]})


def _csv(kind, folder):
    _polars(kind, folder).write_csv(folder / "in.csv")
    return folder / "in.csv"


def _parquet(kind, folder):
    _polars(kind, folder).write_parquet(folder / "in.parquet")
    return folder / "in.parquet"


def _arrow(kind, folder):
    _polars(kind, folder).write_ipc(folder / "in.arrow")
    return folder / "in.arrow"


SOURCES = {
    "array": _array,
    "array of objects": _objects,
    "pandas": _pandas,
    "pandas with types of its own": _pandas_nullable,
    "pandas with types of Arrow": _pandas_arrow,
    "polars": _polars,
    "pyarrow": _pyarrow,
    "csv": _csv,
    "parquet": _parquet,
    "arrow": _arrow,
}
FILES = {".csv": "CSV", ".parquet": "Parquet", ".feather": "Arrow"}

every_source = pytest.mark.parametrize("source", SOURCES)
every_kind = pytest.mark.parametrize("kind", VALUES)


def _held(source, kind):
    """Say what kind a source takes a column for: neither texts nor arrays have categories."""
    return "text" if kind == "category" and source in ("csv", "array", "array of objects") else kind


def _same(found, expected):
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one == other, (found, expected)
        assert (one is None) == (other is None)


# What is read.


@every_source
@every_kind
def test_column_has_its_kind_and_values(source, kind, tmp_path):
    table = read(SOURCES[source](kind, tmp_path))
    name = table.names[1]
    held = _held(source, kind)
    assert (table.kind(name), table.source.kind(name)) == (held, held)
    column = table.column(name)
    assert (column.name, column.kind, column.missing) == (name, held, None)
    _same(column.objects(), VALUES[kind][0])
    assert not column.values.flags.writeable
    assert len(set(table.codes(name).tolist())) == len(set(VALUES[kind][0]))
    if kind in ("integer", "number"):
        assert table.numbers(name).tolist() == VALUES[kind][0]
    else:
        with pytest.raises(ReadError, match="row 1"):
            table.numbers(name)


@every_source
@every_kind
def test_missing_values_are_masked(source, kind, tmp_path):
    made = read(SOURCES[source](kind, tmp_path))
    name = made.names[1]
    table = read(to_native(made.with_columns([_column(name, kind, VALUES[kind][1])])))
    column = table.column(name)
    assert column.missing.tolist() == [False, True, False, False]
    _same(column.objects(), VALUES[kind][1])
    _same(table.values(name), VALUES[kind][1])
    codes = table.codes(name).tolist()
    assert codes.count(codes[1]) == 1


def test_guessed_is_all_but_an_array(tmp_path):
    for source, make in SOURCES.items():
        assert read(make("number", tmp_path)).source.may_hold_identifiers == (not source.startswith("array"))


def test_file_has_a_checksum_and_nothing_else_has(tmp_path):
    for source, make in SOURCES.items():
        made = make("number", tmp_path)
        checksum = read(made).source.sha256
        assert (checksum is not None) == isinstance(made, Path), source
    assert checksum == hashlib.sha256(made.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2, 2**70], "integer"),
        ([1, None, 3], "integer"),
        ([np.int8(1), 2], "integer"),
        ([1, 2.5, None], "number"),
        ([Fraction(1, 3), Decimal("2.5")], "number"),
        ([True, None], "boolean"),
        ([True, 1], "mixed"),
        ([dt.date(2020, 1, 1)], "date"),
        ([dt.datetime(2020, 1, 1)], "datetime"),
        ([dt.datetime(2020, 1, 1, tzinfo=dt.UTC)], "text"),
        ([dt.datetime(2020, 1, 1), dt.date(2020, 1, 1)], "text"),
        (["a", 1], "mixed"),
        (["a", "b", 1], "text"),
        ([b"12%", b"13%"], "mixed"),
        ([[1], [2]], "text"),
        ([None, None], "text"),
    ],
)
def test_kind_of_python_objects(values, kind):
    array = np.empty((len(values), 1), dtype=object)
    array[:, 0] = np.fromiter(values, dtype=object, count=len(values))
    assert read(array).kind("0") == kind
    assert read(pd.DataFrame({"a": pd.Series(values, dtype=object)})).kind("a") == kind
    assert read(pl.DataFrame({"a": pl.Series(values, dtype=pl.Object)})).kind("a") == kind


@pytest.mark.parametrize("huge", [10**400, -(10**400), 2**64, Fraction(10**400)])
def test_huge_numbers_do_not_overflow(huge):
    table = read(pd.DataFrame({"a": pd.Series([huge, 1], dtype=object)}))
    assert table.numbers("a")[0] == (float(huge) if abs(huge) < 10**300 else math.copysign(math.inf, huge > 0 or -1))
    assert len(set(table.codes("a").tolist())) == 2


def test_integers_beyond_64_bits_keep_their_kind_and_digits(tmp_path):
    digits = "123456789012345678901234567890"
    (tmp_path / "in.csv").write_text(f"a,b\n{digits},x\n{digits}1,x\n")
    table = read(tmp_path / "in.csv")
    assert table.kind("a") == "integer"
    assert table.column("a").objects() == [int(digits), int(digits + "1")]
    assert len(set(table.codes("a").tolist())) == 2
    assert table.numbers("a")[0] == float(digits)
    assert to_native(table).schema["a"] == pl.String
    frame = pl.DataFrame({"a": pl.Series([2**100, None], dtype=pl.Int128)})
    assert read(frame).column("a").objects() == [2**100, None]
    assert to_native(read(frame).with_columns([read(frame).column("a")])).equals(frame)


def test_numbers_that_floats_cannot_tell_apart_are_two_values(tmp_path):
    (tmp_path / "in.csv").write_text("a,b\n0.1,x\n0.10000000000000000001,x\n0.10,x\nNA,x\n,x\n")
    codes = read(tmp_path / "in.csv").codes("a").tolist()
    assert codes[0] == codes[2] != codes[1]
    assert codes[3] == codes[4]
    tenth = [Decimal("0.1"), Decimal("0.10000000000000000001")]
    for frame in (pl.DataFrame({"a": tenth}), pd.DataFrame({"a": pd.Series(tenth, dtype=object)})):
        assert len(set(read(frame).codes("a").tolist())) == 2


def test_time_zones_are_kept(tmp_path):
    zoned = pd.Series(NOON).dt.tz_localize("Europe/Berlin")
    for frame in (pd.DataFrame({"a": zoned}), pl.DataFrame({"a": pl.Series(NOON).dt.replace_time_zone("Asia/Tokyo")})):
        table = read(frame)
        column = table.column("a")
        assert column.values[0] < np.datetime64(NOON[0]), "UTC is earlier"
        again = to_native(table.with_columns([column]))
        assert nw.from_native(again)["a"].dtype == nw.from_native(frame)["a"].dtype
        assert again["a"].to_list() == frame["a"].to_list()
        write(table, tmp_path / f"{type(frame).__module__[:6]}.csv")
        back = read(tmp_path / f"{type(frame).__module__[:6]}.csv")
        assert back.kind("a") == "datetime"
        assert (back.column("a").values == column.values).all()


def test_nanoseconds_are_kept(tmp_path):
    array = np.array(["2020-01-01T00:00:00.123456789", "NaT"], dtype="datetime64[ns]")
    for source in (array, pd.DataFrame({"0": array})):
        table = read(source)
        column = table.column("0")
        assert column.objects() == [array[0], None]
        write(table, tmp_path / f"{type(source).__name__}.csv")
        assert (tmp_path / f"{type(source).__name__}.csv").read_text().splitlines()[1].endswith(".123456789")
        assert read(tmp_path / f"{type(source).__name__}.csv", header=True).column("0").values[0] == array[0]
    assert to_native(read(array).with_columns([column])).tolist() == array[:, None].ravel().tolist()


@pytest.mark.parametrize("values", [[1, 2, 3, 1], ["1", "2", "3", "1"]])
def test_categories_that_are_numbers_are_doubtful(values):
    frames = [pd.DataFrame({"a": pd.Categorical(values)})]
    frames.append(pa.table({"a": pa.array(values).dictionary_encode()}))
    if isinstance(values[0], str):
        frames.append(pl.DataFrame({"a": pl.Series(values, dtype=pl.Categorical)}))
        frames.append(pl.DataFrame({"a": pl.Series(values, dtype=pl.Enum(["3", "2", "1"]))}))
    for frame in frames:
        table = read(frame)
        assert table.kind("a") == "mixed"
        assert table.column("a").objects() == values
        again = to_native(table.with_columns([table.column("a")]))
        assert read(again).values("a") == values
        assert nw.from_native(again)["a"].dtype == nw.from_native(frame)["a"].dtype


# What is written.


@every_source
@every_kind
def test_replaced_column_comes_back_from_native(source, kind, tmp_path):
    made = SOURCES[source](kind, tmp_path)
    table = read(made)
    keep, new, drop = table.names
    before = repr(table.values(new))
    edited = table.with_columns([_column(new, kind, VALUES[kind][1])]).without([drop]).in_order(ORDER)
    native = to_native(edited)
    assert type(native) is (pl.DataFrame if isinstance(made, Path) else type(made))
    again = read(native)
    assert again.names == (keep, new)
    _same(again.column(new).objects(), [VALUES[kind][1][record] for record in ORDER])
    assert again.values(keep) == [table.values(keep)[record] for record in ORDER]
    assert repr(table.values(new)) == before, "the source was touched"
    assert again.kind(new) == ("number" if (source, kind) == ("array", "integer") else _held(source, kind))


def _through(table, target):
    """Write a table and read it again; the names of an array's columns are numbers."""
    write(table, target, force=True)
    return read(target, header=True if FILES[target.suffix] == "CSV" else None)


@every_source
@every_kind
def test_replaced_column_comes_back_from_a_file(source, kind, tmp_path):
    table = read(SOURCES[source](kind, tmp_path))
    keep, new, drop = table.names
    edited = table.with_columns([_column(new, kind, VALUES[kind][1])]).without([drop]).in_order(ORDER)
    for suffix, file_kind in FILES.items():
        again = _through(edited, tmp_path / f"out{suffix}")
        assert again.source.file_kind == file_kind
        assert again.names == (keep, new)
        _same(again.column(new).objects(), [VALUES[kind][1][record] for record in ORDER])
        _same(again.column(keep).objects(), [table.column(keep).objects()[record] for record in ORDER])
        assert again.kind(new) in (kind, _held("csv", kind))


@every_source
@every_kind
def test_table_as_it_came_can_be_any_file(source, kind, tmp_path):
    table = read(SOURCES[source](kind, tmp_path))
    for suffix in FILES:
        again = _through(table, tmp_path / f"out{suffix}")
        assert again.names == table.names
        for name in table.names:
            _same(again.column(name).objects(), table.column(name).objects())


@pytest.mark.parametrize("source", ["array", "array of objects", "pandas", "polars", "pyarrow", "csv"])
@every_kind
def test_column_may_be_replaced_by_one_of_another_kind(source, kind, tmp_path):
    table = read(SOURCES[source](kind, tmp_path))
    keep, new, _ = table.names
    for other, (_, values) in VALUES.items():
        edited = table.with_columns([_column(new, other, values)])
        again = read(to_native(edited))
        _same(again.column(new).objects(), values)
        assert again.column(keep).objects() == table.column(keep).objects()
        _same(_through(edited, tmp_path / "out.csv").column(new).objects(), values)


@pytest.mark.parametrize("dtype", [pl.Int8, pl.UInt16, pl.Int64, pl.UInt64, pl.Float32, pl.Float64])
def test_polars_keeps_the_width_where_it_can(dtype):
    table = read(pl.DataFrame({"a": pl.Series([1, 2], dtype=dtype)}))
    missing = np.array([False, True])
    kept = Column("a", "integer", np.array([100, 10**15]), missing=missing)  # what is missing need not fit
    assert to_native(table.with_columns([kept])).schema["a"] == dtype
    wide = to_native(table.with_columns([Column("a", "integer", np.array([2**62 + 1, 3]))]))
    assert wide.schema["a"] == (dtype if dtype in (pl.Int64, pl.UInt64) else pl.Int64)
    assert wide["a"].to_list() == [2**62 + 1, 3]
    halves = to_native(table.with_columns([Column.of_numbers("a", np.array([0.5, np.nan]))]))
    assert halves.schema["a"] == (dtype if dtype in (pl.Float32, pl.Float64) else pl.Float64)
    assert halves["a"].to_list() == [0.5, None]


@pytest.mark.parametrize("dtype", ["int8", "uint16", "Int8", "UInt16", "int16[pyarrow]", "float32", "Float32"])
def test_pandas_keeps_the_width_where_it_can(dtype):
    table = read(pd.DataFrame({"a": pd.Series([1, 2]).astype(dtype)}))
    kept = to_native(
        table.with_columns([Column("a", "integer", np.array([100, 10**15]), missing=np.array([False, True]))])
    )
    assert kept["a"].isna().tolist() == [False, True]
    assert kept["a"].iloc[0] == 100
    nullable = {"int8": "Int8", "uint16": "UInt16"}
    assert str(kept["a"].dtype) == nullable.get(dtype, dtype)
    wide = to_native(table.with_columns([Column("a", "integer", np.array([2**62 + 1, 3]))]))["a"]
    assert wide.tolist() == [2**62 + 1, 3]


def test_array_keeps_its_type_and_shape_where_it_can():
    table = read(np.array([[1, 2], [3, 4]], dtype=np.int16))
    kept = to_native(table.with_columns([Column("0", "integer", np.array([7, 8]))]))
    assert (kept.dtype, kept.tolist()) == (np.int16, [[7, 2], [8, 4]])
    wide = to_native(table.with_columns([Column("0", "integer", np.array([2**40, 8]))]))
    assert (wide.dtype, wide.tolist()) == (np.int64, [[2**40, 2], [8, 4]])
    single = read(np.array([1.0, 2.0], dtype=np.float32))
    out = to_native(single.with_columns([Column.of_numbers("0", np.array([0.5, np.nan]))]))
    assert (out.dtype, out.shape) == (np.float32, (2,))
    assert np.isnan(out[1])
    assert to_native(table.without(["0"])).tolist() == [[2], [4]]
    assert table.source.array.tolist() == [[1, 2], [3, 4]]


def test_columns_that_nobody_averages_survive(tmp_path):
    frame = pl.DataFrame(
        {
            "list": [[1, 2], None, [3]],
            "struct": [{"x": 1}, None, {"x": 2}],
            "binary": [b"a", None, b"b"],
            "time": [dt.time(1), None, dt.time(2)],
            "duration": [dt.timedelta(1), None, dt.timedelta(2)],
            "nothing": [None, None, None],
            "enum": pl.Series(["b", None, "a"], dtype=pl.Enum(["a", "b", "c"])),
        }
    )
    table = read(frame)
    assert [table.kind(name) for name in table.names] == ["text"] * 6 + ["category"]
    again = table.with_columns([table.column(name) for name in table.names])
    assert to_native(again).equals(frame)
    assert to_native(again).schema == frame.schema
    write(again, tmp_path / "out.parquet")
    assert pl.read_parquet(tmp_path / "out.parquet").equals(frame)


def test_new_categories_join_the_old_ones():
    new = Column.of_objects("a", ["z", "b"], "category")
    enum = read(pl.DataFrame({"a": pl.Series(["a", "b"], dtype=pl.Enum(["b", "a"]))}))
    assert to_native(enum.with_columns([new])).schema["a"] == pl.Enum(["b", "a", "z"])
    ordered = pd.CategoricalDtype(["b", "a"], ordered=True)
    frame = to_native(read(pd.DataFrame({"a": pd.Series(["a", "b"], dtype=ordered)})).with_columns([new]))
    assert frame["a"].dtype == pd.CategoricalDtype(["b", "a", "z"], ordered=True)
    assert frame["a"].tolist() == ["z", "b"]


def test_pandas_keeps_index_labels_and_attributes():
    labels = pd.MultiIndex.from_tuples([("a", "x"), ("a", "y"), ("b", "z")], names=["one", "two"])
    frame = pd.DataFrame([[1.0, 2.0, 3.0], [3.0, 5.0, 6.0]], columns=labels, index=[7, 9])
    frame.attrs["source"] = {"year": 2020}
    table = read(frame)
    name = table.names[2]
    out = to_native(table.with_columns([Column.of_numbers(name, np.array([0.5, 1.5]))]).without(table.names[1:2]))
    assert out.columns.equals(labels[[0, 2]])
    assert out.index.tolist() == [7, 9]
    assert out.attrs == {"source": {"year": 2020}}
    assert out["b"]["z"].tolist() == [0.5, 1.5]
    shuffled = to_native(table.in_order(np.array([1, 0])))
    assert shuffled.index.tolist() == [0, 1]
    assert shuffled.attrs == {"source": {"year": 2020}}
    assert frame.columns.equals(labels), "the frame was touched"
    assert to_native(table) is not frame


# Text files.


def _text(folder, text, **reading):
    (folder / "in.csv").write_bytes(text.encode())
    return read(folder / "in.csv", **reading)


def _rewritten(table, column, folder):
    write(table.with_columns([column]), folder / "out.csv")
    return (folder / "out.csv").read_text().splitlines()[1:]


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        (["true", "false"], "boolean"),
        (["TRUE", "FALSE", "NA", ""], "boolean"),
        (["True", " false "], "boolean"),
        (["0", "1"], "integer"),
        (["true", "1"], "mixed"),
        (["yes", "no"], "text"),
        (["2020-01-31", "NA"], "date"),
        (["2020-01-31", "2020-02-30"], "text"),
        (["2020-01-31", "31.12.2020"], "text"),
        (["2020-01-31", "2020-01-31T10:30"], "text"),
        (["2020-01-31T10:30", "2020-01-31 10:30:15.25"], "datetime"),
        (["2020-01-31T10:30:00Z", "2020-01-31T10:30:00+01:00"], "datetime"),
        (["2020-01-31T10:30:00Z", "2020-01-31T10:30:00"], "text"),
        (["2020-01-31T25:30", "2020-01-31T10:30"], "text"),
        (["20200131", "20200201"], "integer"),
        (["007", "042"], "text"),
        (["00501", "10001", "90210"], "text"),
        (["01.11", "10.20"], "text"),
        (["1.5", "22.5", "07.5"], "mixed"),
    ],
)
def test_kind_of_text_fields(fields, kind, tmp_path):
    assert _text(tmp_path, "a,b\n" + "".join(f"{one},z\n" for one in fields)).kind("a") == kind


def test_native_of_a_text_file_is_typed(tmp_path):
    table = _text(
        tmp_path,
        "n;x;yes;day;at;code;big;who;odd\n"
        "1;1,5;TRUE;2020-01-31;2020-01-31T10:30;007;99999999999999999999;NA;12%\n"
        'NA;;NA;.;null;"";1;;5%\n',
    )
    frame = to_native(table)
    assert frame.schema == {
        "n": pl.Int64,
        "x": pl.Float64,
        "yes": pl.Boolean,
        "day": pl.Date,
        "at": pl.Datetime("us"),
        "code": pl.String,
        "big": pl.String,
        "who": pl.String,
        "odd": pl.String,
    }
    assert frame.row(0)[:5] == (1, 1.5, True, dt.date(2020, 1, 31), dt.datetime(2020, 1, 31, 10, 30))
    assert frame.row(0)[5:] == ("007", "99999999999999999999", "NA", "12%")
    assert frame.row(1) == (None,) * 5 + ("", "1", None, "5%")
    assert table.values("n") == ["1", "NA"], "values are as they came"


@pytest.mark.parametrize(
    ("fields", "written"),
    [
        (["true", "false"], ["false", "", "true"]),
        (["TRUE", "NA"], ["FALSE", "NA", "TRUE"]),
        (["False", "."], ["False", ".", "True"]),
        (["0", "1"], ["0", "", "1"]),
        (["0", "2"], ["false", "", "true"]),
        (["x", "y"], ["false", "", "true"]),
    ],
)
def test_booleans_are_written_as_they_were(fields, written, tmp_path):
    fields = [*fields, fields[0]]
    table = _text(tmp_path, "a,b\n" + "".join(f"{one},z\n" for one in fields))
    lines = _rewritten(table, _column("a", "boolean", [False, None, True]), tmp_path)
    assert lines == [f"{one},z" for one in written]


@pytest.mark.parametrize(
    ("fields", "mark"),
    [
        (["1", "NA", "NA", "."], "NA"),
        (["1", "", "", "NA"], ""),
        (["1", "2", "3", "4"], ""),
        (["x", "NA", "NA", ""], ""),
    ],
)
def test_missing_values_get_the_mark_of_their_column(fields, mark, tmp_path):
    table = _text(tmp_path, "a,b\n" + "".join(f"{one},z\n" for one in fields))
    lines = _rewritten(table, _column("a", "number", [0.5, None, 1.5, 2.5]), tmp_path)
    assert lines == ["0.5,z", f"{mark},z", "1.5,z", "2.5,z"]


@pytest.mark.parametrize(
    ("fields", "written"),
    [
        (["2020-01-31 10:30", "2020-01-31 10:30"], "1999-12-31 23:59:59.500"),
        (["2020-01-31T10:30Z", "2020-01-31T10:30Z"], "1999-12-31T23:59:59.500Z"),
        (["x", "y"], "1999-12-31T23:59:59.500"),
    ],
)
def test_date_times_are_written_in_the_style_of_their_column(fields, written, tmp_path):
    table = _text(tmp_path, "a,b\n" + "".join(f"{one},z\n" for one in fields))
    new = _column("a", "datetime", [dt.datetime(1999, 12, 31, 23, 59, 59, 500_000), None])
    assert _rewritten(table, new, tmp_path) == [f"{written},z", ",z"]


def test_numbers_are_written_with_the_decimal_sign_of_their_column(tmp_path):
    new = Column.of_numbers("a", np.array([0.5, np.nan, 1e20]))
    assert _rewritten(_text(tmp_path, "a;b\n1,5;x\n2;y\n3;z\n"), new, tmp_path) == ["0,5;x", ";y", "1e+20;z"]
    quoted = _text(tmp_path, 'a,b\n"1,5",x\n2,y\n3,z\n', decimal=",")
    write(quoted.with_columns([new]), tmp_path / "out.csv", force=True)
    assert (tmp_path / "out.csv").read_text() == 'a,b\n"0,5",x\n,y\n1e+20,z\n'
    assert read(tmp_path / "out.csv", decimal=",").numbers("a")[0] == 0.5


def test_last_record_of_an_unclosed_file_is_not_lost(tmp_path):
    table = _text(tmp_path, "a\n1\n2")
    write(table.with_columns([_column("a", "integer", [1, None])]), tmp_path / "out.csv")
    assert read(tmp_path / "out.csv").n_records == 2


def test_sign_that_the_encoding_lacks_is_refused(tmp_path):
    (tmp_path / "in.csv").write_bytes("a,b\nÅ,1\nb,2\n".encode("cp1252"))
    table = read(tmp_path / "in.csv")
    with pytest.raises(WriteError, match="cp1252 of the input has no 'Ж'"):
        write(table.with_columns([Column.of_objects("a", ["Ж", "b"])]), tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
    write(table.with_columns([Column.of_objects("a", ["Ж", "b"])]), tmp_path / "out.parquet")
    assert read(tmp_path / "out.parquet").values("a") == ["Ж", "b"]


# Doubtful headers.


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("7,x\n8,y\n", "'7' is a number"),
        ("a,-1.5\n8,2\n", "'-1.5' is a number"),
        ("a,12%\nb,13%\n", "'12%' looks like a number"),
        ("a,(5)\nb,(6)\n", "looks like a number"),
        ("Smith,M\nJones,F\nBlack,M\n", "'M' is a value of its own column too"),
        ("Smith; M\nJones;M \nBlack;F\n", "' M' is a value"),
    ],
)
def test_header_that_may_be_a_record_is_doubtful(text, reason, tmp_path):
    doubt = _text(tmp_path, text).source.header_doubt()
    assert "may be a record" in doubt
    assert reason in doubt
    assert _text(tmp_path, text, header=True).source.header_doubt() is None
    assert _text(tmp_path, text, header=False).source.header_doubt() is None


@pytest.mark.parametrize(
    "text",
    [
        '"","a"\n"1",5\n"2",6\n',
        "a,b\n1,2\n3,4\n",
        "x1,x2,1st\n1,2,3\n3,4,5\n",
        "100m,Long.jump,5K\n11.0,7.5,3\n10.9,7.4,2\n",
        "M,F\nM,x\n",
        "a,NA\n1,NA2\n2,3\n",
        "a,,b\n1,,2\n3,,4\n",
    ],
)
def test_usual_header_is_not_doubtful(text, tmp_path):
    assert _text(tmp_path, text).source.header_doubt() is None


def test_example_has_no_doubt(companies):
    assert read(companies).source.header_doubt() is None
    assert read(np.ones((2, 2))).source.header_doubt() is None
    assert read(pl.DataFrame({"1": [1.0]})).source.header_doubt() is None


# Number-like texts.

NUMBERS = """12% ; 12 % ; €3294,82 ; 1200 EUR ; 1200EUR ; EUR 1200 ; $5 ; -$5 ; $-5 ; US$ 5 ; 5 kr ; (705.47) ; $(5.00)
1.146D+03 ; 1.5D3 ; 57_771 ; ١٢٣ ; １２３ ; ٣٫٥ ; १२ ; −5 ; –5 ; —5 ; 0x1F ; 1 000 ; 1\u00a0000 ; 1\u202f000 ; 1'000
1’000 ; 1.234.567 ; 1,234,567.89 ; 1.234,5 ; 1,23,456 ; 705.47- ; 5,- ; 1,5 ; 12.5 ; .5 ; 5. ; -0,5 ; 3.5E+03 ; 1.2×10^3
1 234,56 € ; 12.5 CR ; 0.05* ; ~5 ; =12 ; 180 cm ; 1.5 Mio ; １２％"""
TEXTS = """007 ; 00123 ; ٠٠٧ ; 2020-01-31 ; 31.12.2020 ; 1.2.2020 ; 12/31/2020 ; 10:30 ; 12:30:45 ; 10h30 ; 030/123-456
(555) 123-4567 ; 555-1234 ; +49 30 1234567 ; +420 600 123 456 ; 1.2.3 ; 10.0.1 ; SW1A 1AA ; 1012 AB ; K1A 0B6 ; D-12345
DE89 3704 0044 0532 0130 00 ; 4111 1111 1111 1111 ; word ; two words ; 20-30 ; 20–30 ; [20,30) ; (20,30] ; 65+ ; <5
A1 ; 12A ; 1st ; 00-950 ; - ; % ; EUR ; € ; 1/2 ; 12 Main Street ; 192.168.1.1 ; 2001:db8::1 ; a@b.c ; 3 rooms"""


def _list(texts):
    return [text.strip(" ") for line in texts.split("\n") for text in line.split(" ; ")]


@pytest.mark.parametrize("text", _list(NUMBERS))
def test_number_like_text_is_mixed(text, tmp_path):
    assert looks_like_a_number(text)
    assert looks_like_a_number(f"  {text} ")
    assert _kinds(tmp_path, [text, text, "word", "word"]) <= {"mixed", "number", "integer"}
    assert _kinds(tmp_path, [text, text, "word", "word", "word"]) == {"text"}


@pytest.mark.parametrize("text", _list(TEXTS))
def test_other_text_is_text(text, tmp_path):
    assert not looks_like_a_number(text)
    assert not _kinds(tmp_path, [text, text]) & {"mixed", "number", "integer"}


def _kinds(folder, values):
    """Tell the kinds of one column from every source of texts."""
    pl.DataFrame({"a": values, "b": "z"}).write_csv(folder / "in.csv", separator=";")
    sources = [folder / "in.csv", pl.DataFrame({"a": values}), pd.DataFrame({"a": values})]
    sources.append(pl.DataFrame({"a": pl.Series(values, dtype=pl.Categorical)}))
    kinds = {read(source).kind("a") for source in sources} | {read(np.array(values)).kind("0")}
    return {"text" if kind in ("category", "date") else kind for kind in kinds}


# Pickling and showing.


@every_source
@every_kind
def test_source_and_table_survive_pickling(source, kind, tmp_path):
    table = read(SOURCES[source](kind, tmp_path))
    name = table.names[1]
    table.kind(name)
    table.codes(name)
    edited = table.with_columns([_column(name, kind, VALUES[kind][1])]).in_order(ORDER)
    again = pickle.loads(pickle.dumps(edited))
    assert not again.order.flags.writeable
    assert not again.column(name).values.flags.writeable
    for one, other in ((edited, again), (table, pickle.loads(pickle.dumps(table)))):
        assert type(other.source) is type(one.source)
        assert (other.names, other.n_records, other.path) == (one.names, one.n_records, one.path)
        assert (other.source.sha256, other.source.file_kind) == (one.source.sha256, one.source.file_kind)
        for column in one.names:
            assert other.kind(column) == one.kind(column)
            assert other.values(column) == one.values(column)
            _same(other.column(column).objects(), one.column(column).objects())
        assert read(to_native(other)).values(name) == read(to_native(one)).values(name)


def test_reading_survives_pickling(tmp_path):
    table = _text(tmp_path, "a;b\n10.123;x\n20.456;y\n", decimal=".", header=True)
    again = pickle.loads(pickle.dumps(table))
    assert again.source.reading == table.source.reading
    assert again.kind("a") == "number"


@every_source
def test_nothing_shows_a_value(source, tmp_path):
    for kind in ("number", "text", "category"):
        table = read(SOURCES[source](kind, tmp_path))
        name = table.names[1]
        edited = table.with_columns([_column(name, kind, VALUES[kind][1])]).in_order(ORDER)
        shown = [edited, edited.source, edited.changes, edited.column(name), table.column(name)]
        for value in VALUES[kind][0]:
            for one in shown:
                text = repr(one)
                assert len(text) < 200
                assert not re.search(rf"\b{re.escape(str(value))}\b", text.replace(str(tmp_path), "")), text


def test_edition_is_all_that_a_source_meets():
    source = read(pl.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})).source
    changes = Changes(("b",), (Column.of_numbers("b", np.array([5.0, 6.0])),), np.array([1, 0]))
    assert source.native(changes).to_dict(as_series=False) == {"b": [6.0, 5.0]}


# Conversions.


def test_what_a_file_cannot_hold_is_refused(tmp_path):
    nested = read(pl.DataFrame({"a": [1, 2], "b": [[1], [2]]}))
    with pytest.raises(WriteError, match=r"column 'b' has values of type List\(Int64\), which a CSV file cannot hold"):
        write(nested, tmp_path / "out.csv")
    several = read(pd.DataFrame({"a": pd.Series([1, "x", None], dtype=object)}))
    write(several, tmp_path / "several.csv")
    assert read(tmp_path / "several.csv").values("a") == ["1", "x", None]
    for suffix, words in ((".parquet", "a Parquet file"), (".arrow", "an Arrow file")):
        with pytest.raises(WriteError, match=f"column 'a' has Python objects, which {words} cannot hold"):
            write(several, tmp_path / f"out{suffix}")
    with pytest.raises(WriteError, match="cannot hold"):
        write(read(np.array([[1j], [2j]])), tmp_path / "out.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["several.csv"]


def test_missing_pyarrow_is_named(tmp_path, monkeypatch):
    def fail(self):
        raise ModuleNotFoundError("pyarrow")

    monkeypatch.setattr(nw.Series, "to_polars", fail)
    with pytest.raises(WriteError, match="without the package pyarrow: install it"):
        write(read(pd.DataFrame({"a": [1.0]})), tmp_path / "out.csv")
    write(read(pl.DataFrame({"a": [1.0]})), tmp_path / "out.csv")


def test_tabs_go_by_the_ending(tmp_path):
    write(read(pl.DataFrame({"a": [1, 2], "b": ["x", "y"]})), tmp_path / "out.tsv")
    assert (tmp_path / "out.tsv").read_text() == "a\tb\n1\tx\n2\ty\n"


# Quotes.

signs = st.lists(st.sampled_from(['"', ",", "\n", "\r", "\r\n", "a", '""', '","', '"a"']), max_size=12).map("".join)


@given(signs)
def test_quotes_are_checked_as_the_grammar_says(text):
    data = text.encode() + b"\n"
    grammar = re.compile(rb"(?:%b)*+" % dialect._field(",")).match(data)
    assert dialect._is_sound(data, ",") == (grammar.end() == len(data))
    if dialect._is_sound(data, ","):
        records = list(csv.reader(io.StringIO(data.decode(), newline="")))
        assert dialect.count_unquoted(data, ",") == sum(max(0, len(record) - 1) for record in records)


# Columns themselves.


def test_column_of_objects_takes_what_cannot_be_hashed():
    column = Column.of_objects("a", [[1, 2], None, [3], [1, 2]])
    assert column.categories == ([1, 2], [3])
    assert column.objects() == [[1, 2], None, [3], [1, 2]]


def test_decimal_that_is_no_number_is_missing():
    with decimal.localcontext() as context:
        context.traps[decimal.InvalidOperation] = True
        table = read(pd.DataFrame({"a": pd.Series([Decimal("1.5"), Decimal("NaN"), None], dtype=object)}))
        assert table.kind("a") == "number"
        assert table.column("a").missing.tolist() == [False, True, True]


def test_column_that_is_empty():
    for source in (np.empty((0, 1)), pl.DataFrame({"0": pl.Series([], dtype=pl.String)}), pd.DataFrame({"0": []})):
        table = read(source)
        assert table.column("0").objects() == []
        assert len(to_native(table.with_columns([table.column("0")]))) == 0


def test_numbers_of_text_are_refused():
    with pytest.raises(InputError, match="of kind text"):
        Column.of_objects("a", ["x"]).numbers()


@pytest.mark.parametrize(
    "missing", [None, math.nan, pd.NaT, pd.NA, np.datetime64("NaT"), Decimal("NaN"), np.float32("nan")]
)
def test_every_mark_of_a_missing_object_is_known(missing):
    array = np.array([[1], [missing], [2]], dtype=object)
    for source in (array, pl.DataFrame({"0": pl.Series(array.ravel().tolist(), dtype=pl.Object)})):
        table = read(source)
        assert table.kind("0") == "integer"
        assert table.column("0").objects() == table.values("0") == [1, None, 2]


def test_mark_that_was_written_twice_loses_no_record(tmp_path):
    (tmp_path / "in.csv").write_bytes("\ufeff\ufeff".encode() + b"a\n1\n2\n")
    table = read(tmp_path / "in.csv")
    assert (table.names, table.values("a")) == (("a",), ["1", "2"])
    write(table, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "in.csv").read_bytes()
