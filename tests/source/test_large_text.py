"""A text file that is read in chunks is the same table as one that is read at once, or the same error."""

import codecs
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from files import write_bytes
from large_sources import assert_same_file, assert_same_source, large_table, outcome, small_batches
from microagg import Column, ReadError, read
from microagg.model.reading import Reading
from microagg.source import large_text, record_chunks
from source_tables import FILES

TEXTS = [
    "a,b\n1,2\n3,4",
    "a;b;c\n1,5;1.234;x\n2,5;5.678;y\n",
    "a;b\n1,5;2.5\n2,5;3.5\n",
    "a\tb\r\n1\t2\r\n3\t4\r\n\r\n\r\n",
    "a,b\r1,2\r3,4\r",
    "\ufeff\ufeffa,b\n1,2\n3,4\n",
    'a,b\n"x\ny",2\n"say ""yes""","3\n\n4"\n"",\n',
    '"a\nb",c\n1,"2"\n,\n',
    "a\n1\n\n\n3\n\n",
    "a\n\n\n\n",
    "a\n1\n2\n\r",
    "code,x\n007,1\n042,NA\n100,.\n",
    "day,at,yes\n2020-01-31,2020-01-31T10:30,TRUE\n.,,NA\n2021-02-01,2021-02-01 10:30:15,FALSE\n",
    "n,é\n1,ü\n2,Ж日本\n3,𝒳\n",
    "a,b\n",
    "Smith,M\nJones,F\nBlack,M\n",
    "a, b\n 1 , x\n2,y \n",
    "a,b\n1,99999999999999999999\n2,1\n",
    "p\n12%\n5%\n",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(("encoding", "size"), [("utf-8", 1), ("utf-8", 9), ("utf-16-le", 5)])
def test_text_files(text: str, encoding: str, size: int, tmp_path: Path) -> None:
    mark = "" if encoding == "utf-8" else "\ufeff"
    path = write_bytes(tmp_path / "in.csv", (mark + text).encode(encoding))
    table = read(path)
    backwards = np.arange(table.n_records)[::-1]
    with small_batches(chunk_size=size):
        large = large_table(path, tmp_path)
        assert_same_source(table, large)
        assert_same_file(table, large, tmp_path, "CSV")
        for kind in FILES.values():
            assert_same_file(table.in_order(backwards), large.in_order(backwards), tmp_path, kind)


FIELDS = [
    "",
    "NA",
    "1",
    "-2.5",
    "1,5",
    "1.234",
    "007",
    "x",
    'say "hi"',
    "two\nlines",
    "a;b",
    "2020-01-31",
    "é",
    "TRUE",
    " 3 ",
]


@st.composite
def _texts(draw: st.DrawFn) -> str:
    delimiter = draw(st.sampled_from(",;\t"))
    line_end = draw(st.sampled_from(["\n", "\r\n"]))
    width = draw(st.integers(1, 3))
    n = draw(st.integers(0, 6))
    pool = st.lists(st.sampled_from(FIELDS), min_size=1, max_size=4)
    columns = [draw(st.lists(st.sampled_from(draw(pool)), min_size=n, max_size=n)) for _ in range(width)]
    always = draw(st.booleans())
    names = [f"c{number}" for number in range(width)]
    rows = [names, *zip(*columns, strict=True)]
    lines = [delimiter.join(_quoted(field, delimiter, always) for field in row) for row in rows]
    return draw(st.sampled_from(["", "\ufeff"])) + line_end.join(lines) + draw(st.sampled_from(["", line_end]))


def _quoted(field: str, delimiter: str, always: bool) -> str:
    needed = always or any(character in field for character in (delimiter, '"', "\n"))
    return '"{}"'.format(field.replace('"', '""')) if needed else field


@given(text=_texts(), encoding=st.sampled_from(["utf-8", "cp1252"]), size=st.integers(1, 20), data=st.data())
@settings(max_examples=60)
def test_any_table_as_text(
    text: str, encoding: str, size: int, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("text")
    path = write_bytes(folder / "in.csv", text.encode(encoding, errors="ignore"))
    table = read(path)
    name = data.draw(st.sampled_from(table.names))
    numbers = data.draw(st.lists(st.floats(allow_infinity=False), min_size=table.n_records, max_size=table.n_records))
    column = Column.of_numbers(name, np.array(numbers, dtype=np.float64))
    with small_batches(chunk_size=size):
        large = large_table(path, folder)
        assert_same_source(table, large)
        for kind in FILES.values():
            assert_same_file(table.with_columns([column]), large.with_columns([column]), folder, kind)


@given(text=st.text(alphabet='a1,;"\n\r.é ', max_size=40), encoding=st.sampled_from(["utf-8", "latin-1"]))
@settings(max_examples=100)
def test_any_text(text: str, encoding: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("any")
    path = write_bytes(folder / "in.csv", text.encode(encoding))
    table = outcome(read, path)
    with small_batches(chunk_size=3):
        large = outcome(large_table, path, folder)
    assert isinstance(table, str) == isinstance(large, str), (table, large)
    if isinstance(table, str):
        assert [file.name for file in folder.iterdir()] == ["in.csv"], "the spool is removed"
    else:
        assert_same_source(table, large)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "\n\n",
        "a,a\n1,2\n",
        "1,2\n3,4\n",
        "a,b\n1,2\n3\n",
        "a,b\n1,2\n3,4,5\n6,7\n",
        "a,b\n1,2\n\n3,4\n",
        'a,b\n1,2\n"x\ny",2\n3,4,5\n',
        'a,b\n1,"2\n',
        'a,b\n"x\ny",2\n5",7\n8,9\n',
        "a,b\n1,2\n1,\r,\n",
        b"\x00\x01\x02\x00\x03",
        codecs.BOM_UTF16_LE + b"a\x00\n\x00\x00\xd8\x00",
        b"PAR1 and no more",
        b"ARROW1 and no more",
    ],
)
def test_bad_file_gets_the_same_error(content: str | bytes, tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "in.csv", content)
    with pytest.raises(ReadError) as expected:
        read(path)
    for size in (1, 6, 100):
        with small_batches(chunk_size=size), pytest.raises(ReadError) as found:
            large_table(path, tmp_path)
        assert str(found.value) == str(expected.value)


def test_rows_and_lines_are_counted_without_header(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "in.csv", '1,2\n"3\n3",4\n5,6\n7\n8,9\n')
    reading = Reading(header=False)
    with pytest.raises(ReadError, match=r"row 4 of .* \(line 5\) has 1 field where the first has 2") as expected:
        read(path, reading)
    with small_batches(chunk_size=5), pytest.raises(ReadError) as found:
        large_table(path, tmp_path, reading)
    assert str(found.value) == str(expected.value)


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("1;2,5\n3;4,5\n5;6,5\n", Reading(delimiter=";", decimal=",", header=False)),
        ("a b\n1 2\n", Reading(delimiter=" ")),
        ("a,b\n1,é\n", Reading(encoding="cp1252", header=True)),
        ("a,b\n1,x\n2,y\n", Reading(encoding="utf-16")),
        ("a,b\n1,日本\n2,日\n", Reading(encoding="iso2022_jp")),
    ],
)
def test_format_that_is_given(text: str, reading: Reading, tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "in.csv", text.encode(reading.encoding or "utf-8"))
    table = read(path, reading)
    with small_batches(chunk_size=4):
        large = large_table(path, tmp_path, reading)
        assert_same_source(table, large)
        assert_same_file(table, large, tmp_path, "CSV")


def test_dialect_is_detected_by_the_beginning(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "in.csv", "a;b\n" + "1,5;x\n" * 50 + "2,5;é\n")
    table = read(path)
    with small_batches(), mock.patch.object(large_text, "_BEGINNING", 25):
        assert_same_source(table, large_table(path, tmp_path))
    with (
        mock.patch.object(large_text, "_BEGINNING", 3),
        pytest.raises(ReadError, match=r"first line .* is longer than 3"),
    ):
        large_table(path, tmp_path)


def test_line_ends_that_change_are_refused(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "in.csv", "a,b\r1,2\r3,4\n")
    with (
        mock.patch.object(large_text, "_BEGINNING", 9),
        pytest.raises(ReadError, match="first lines by carriage returns"),
    ):
        large_table(path, tmp_path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('a,b\n1,"' + "x\n" * 50, "line 2 of .* a quote that is never closed"),
        ("a,b\n" + "x" * 99, "more than 20 bytes"),
    ],
)
def test_record_without_end_is_not_read_whole(text: str, words: str, tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "in.csv", text)
    with (
        small_batches(),
        mock.patch.object(record_chunks, "_MAX_CHUNK", 20),
        pytest.raises(ReadError, match=words),
    ):
        large_table(path, tmp_path)
