"""Text files are read with typed columns, written in their own dialect, and asked about if their header is doubtful."""

import bz2
import datetime as dt
import gzip
import lzma
import pickle
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from microagg import Column, ReadError, WriteError, inspect, protect, read, write
from microagg.report import report
from microagg.report.facts import facts
from microagg.write import to_native
from source_tables import make_column, text_table


def test_native_dataframe_is_typed(tmp_path: Path) -> None:
    table = text_table(
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
    assert table.values("n") == ["1", "NA"], "values are the original fields"


@pytest.mark.parametrize("missing", ["pattern", "available"])
def test_blanks_of_a_replaced_column_are_missing_in_its_dataframe(missing: str, tmp_path: Path) -> None:
    fields = ['""', "a", " ", "b", "", "a"] * 5
    text = "x,job\n" + "".join(f"{row},{field}\n" for row, field in enumerate(fields))
    (tmp_path / "in.csv").write_text(text)
    release = protect(tmp_path / "in.csv", k=3, columns=["x", "job"], nominal=["job"], missing=missing)
    assert [value is None for value in release.data["job"]] == [True, False] * 15
    write(release, tmp_path / "out.csv")
    written = [line.partition(",")[2] for line in (tmp_path / "out.csv").read_text().splitlines()[1:]]
    assert written[0::2] == fields[0::2], "to the letter"


def test_last_record_of_a_file_without_final_line_end_is_not_lost(tmp_path: Path) -> None:
    table = text_table(tmp_path, "a\n1\n2")
    write(table.with_columns([make_column("a", "integer", [1, None])]), tmp_path / "out.csv")
    assert read(tmp_path / "out.csv").n_records == 2


def test_character_that_the_encoding_lacks_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes("a,b\nÅ,1\nb,2\n".encode("cp1252"))
    table = read(tmp_path / "in.csv")
    with pytest.raises(WriteError, match="cp1252 of the input has no 'Ж'"):
        write(table.with_columns([Column.of_objects("a", ["Ж", "b"])]), tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
    write(table.with_columns([Column.of_objects("a", ["Ж", "b"])]), tmp_path / "out.parquet")
    assert read(tmp_path / "out.parquet").values("a") == ["Ж", "b"]


@pytest.mark.parametrize(
    ("fields", "others"),
    [
        (["x", "2", "3"], ""),
        (["x", "y", "3"], ", nor is 1 more row"),
        (["x", "y", "z"], ", nor are 2 more rows"),
    ],
)
def test_error_counts_the_rows_that_hold_text(fields: list[str], others: str, tmp_path: Path) -> None:
    table = text_table(tmp_path, "a,b\n" + "".join(f"{field},1\n" for field in fields))
    with pytest.raises(ReadError, match=f"row 1 is 'x', which is no number{others}; correct it"):
        table.numbers("a")


def test_options_of_reading_survive_pickling(tmp_path: Path) -> None:
    table = text_table(tmp_path, "a;b\n10.123;x\n20.456;y\n", decimal=".", header=True)
    again = pickle.loads(pickle.dumps(table))
    assert again.source.reading == table.source.reading  # type: ignore[attr-defined]
    assert again.kind("a") == "number"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("7,x\n8,y\n", "'7' is a number"),
        ("a,-1.5\n8,2\n", "'-1.5' is a number"),
        ("a,12%\nb,13%\n", "'12%' looks like a number"),
        ("a,(5)\nb,(6)\n", "looks like a number"),
        ("Smith,M\nJones,F\nBlack,M\n", "'M' is a value of its own column too"),
        ("married,wage,x\nmarried,2.5,y\nsingle,3.5,z\n", "'married' is a value of its own column too"),
        ("married,NA,n/a\nmarried,2.5,1\nsingle,3.5,2\n", "'married' is a value of its own column too"),
        ("Smith; M\nJones;M \nBlack;F\n", "' M' is a value"),
    ],
)
def test_header_that_may_be_a_record_is_doubtful(text: str, reason: str, tmp_path: Path) -> None:
    doubt = text_table(tmp_path, text).source.header_doubt()
    assert doubt is not None
    assert "may be a record" in doubt
    assert reason in doubt
    assert text_table(tmp_path, text, header=True).source.header_doubt() is None
    assert text_table(tmp_path, text, header=False).source.header_doubt() is None


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
        "married,wage,age\nmarried,2.5,31\nsingle,3.5,44\n",
    ],
)
def test_usual_header_is_not_doubtful(text: str, tmp_path: Path) -> None:
    assert text_table(tmp_path, text).source.header_doubt() is None


def test_example_is_not_doubtful(companies: Path) -> None:
    assert read(companies).source.header_doubt() is None
    assert read(np.ones((2, 2))).source.header_doubt() is None
    assert read(pl.DataFrame({"1": [1.0]})).source.header_doubt() is None


@pytest.mark.parametrize(
    ("text", "options", "sign"),
    [
        ("a;b\n1;x\n2;y\n3;z\n", {}, "none occurs, '.' is written"),
        ("a;b\n1,5;x\n2;y\n3;z\n", {}, "','"),
        ("a;b\n1;x\n2;y\n3;z\n", {"decimal": ","}, "','"),
        ("a,b\n1,x\n2,y\n3,z\n", {}, "'.'"),
    ],
)
def test_reports_say_how_a_file_was_read(text: str, options: dict[str, Any], sign: str, tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text(text)
    line = f"delimiter {text[1]!r}, decimal sign {sign}, encoding UTF-8"
    release = protect(path, 3, columns=["a"], method="mdav", **options)
    assert facts(release)["input"]["read_as"] == {
        "delimiter": repr(text[1]),
        "decimal sign": sign,
        "encoding": "UTF-8",
    }
    assert line in report(release, "text")
    assert line in unescape(report(release, "html"))
    assert line in inspect(read(path, **options)).summary()


@pytest.mark.parametrize(
    ("pack", "ending", "name"),
    [(gzip.compress, "gz", "gzip"), (bz2.compress, "bz2", "bzip2"), (lzma.compress, "xz", "xz")],
)
def test_compressed_text_is_refused_with_a_hint(pack: Any, ending: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / f"in.csv.{ending}"
    path.write_bytes(pack(b"a,b\n1,2\n"))
    with pytest.raises(ReadError, match=f"is compressed by {name}: decompress it first"):
        read(path)
