"""SPSS files are taken apart and put together again byte for byte; what goes takes along what tells of it."""

import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from microagg import Column, WriteError, protect, read, write
from microagg.source.statistical.byte_cursor import LayoutError
from microagg.source.statistical.spss_compression import compressed, decompressed, deflated, inflated, system_missing
from microagg.source.statistical.spss_editing import with_decimals
from microagg.source.statistical.spss_extensions import GoneNames, without_names
from microagg.source.statistical.spss_file import ROWS, ZLIB, Extension, SpssFile, ValueLabels
from microagg.source.statistical.spss_parsing import parse_spss
from microagg.source.statistical.spss_rendering import render_spss
from statistical_cases import SINGLING, N, assert_kept, contents, spss_survey

SETS = b"$one=C 10 my choices sex age\n$two=D2 55 0  firm sex\n$three=E 1 1 1 5 third firm\n"
ATTRIBUTES = b"firm:secret('a/b:c'\n)$@Role('0'\n)/sex:$@Role('1'\n'2'\n)/age:x('y'\n)"
OTHER = Extension(99, 4, b"1234")


def _extended(path: Path) -> Path:
    """Add a weight, multiple responses, and attributes of columns to a file."""
    file = parse_spss(spss_survey(path).read_bytes())
    more = (Extension(5, 1, b"Main= FIRM AGE\n"), Extension(7, 1, SETS), Extension(18, 1, ATTRIBUTES), OTHER)
    path.write_bytes(render_spss(replace(file, weight=8, others=(*file.others, *more))))
    return path


def _extension(file: SpssFile, subtype: int) -> bytes | None:
    found = file.extension(subtype)
    return None if found is None else found.content


def test_nothing_is_lost_between_parsing_and_rendering(tmp_path: Path) -> None:
    raw = _extended(tmp_path / "in.sav").read_bytes()
    assert render_spss(parse_spss(raw)) == raw
    for compression in ({"row_compress": True}, {"compress": True}):
        raw = spss_survey(tmp_path / "in.zsav", **compression).read_bytes()
        parsed = parse_spss(raw)
        again = parse_spss(render_spss(parsed))
        assert np.array_equal(again.cells, parsed.cells)
        assert (again.columns, again.others, again.compression) == (parsed.columns, parsed.others, parsed.compression)


def test_big_endian_files(tmp_path: Path) -> None:
    parsed = parse_spss(spss_survey(tmp_path / "in.sav").read_bytes())
    numbers = [not column.is_number for column in parsed.columns for _ in column.records]
    cells = np.where(numbers, parsed.cells, parsed.cells.byteswap())
    columns = tuple(
        column._replace(
            records=tuple(
                record._replace(
                    label=None if record.label is None else record.label[:4][::-1] + record.label[4:],
                    missing=_swapped(record.missing) if column.is_number else record.missing,
                )
                for record in column.records
            )
        )
        for column in parsed.columns
    )
    others = tuple(
        one._replace(labels=tuple((_swapped(value), label) for value, label in one.labels))
        for one in parsed.others
        if isinstance(one, ValueLabels) and parsed.columns[one.columns[0]].is_number
    )
    machine = Extension(3, 4, struct.pack(">8i", 20, 0, 0, 720, 1, 1, 1, 65001))
    kept = tuple(one for one in parsed.others if isinstance(one, Extension) and one.subtype in (11, 13, 14))
    file = replace(parsed, order=">", cells=cells, columns=columns, others=(*others, machine, *kept))
    path = tmp_path / "big.sav"
    path.write_bytes(render_spss(file))
    table = read(path)
    assert table.numbers("income")[:3].tolist() == read(tmp_path / "in.sav").numbers("income")[:3].tolist()
    new = Column.of_numbers("income", np.arange(N) + 0.5)
    write(table.with_columns([new]), tmp_path / "out.sav")
    assert contents(tmp_path / "out.sav")[0]["income"] == (np.arange(N) + 0.5).tolist()
    assert_kept(path, tmp_path / "out.sav", ["sex", "age", "note", "remarks"])


def _swapped(cells: bytes) -> bytes:
    return np.frombuffer(cells, dtype=np.uint64).byteswap().tobytes()


def test_columns_that_go_take_along_what_tells_of_them(tmp_path: Path) -> None:
    path = _extended(tmp_path / "in.sav")
    assert b"ACME" in path.read_bytes()
    table = read(path)
    write(table.without(["firm"]), tmp_path / "out.sav")
    out = parse_spss((tmp_path / "out.sav").read_bytes())
    assert b"ACME" not in (tmp_path / "out.sav").read_bytes()
    assert b"secret" not in (tmp_path / "out.sav").read_bytes()
    assert out.weight == 7
    assert _extension(out, 7) == b"$one=C 10 my choices sex age\n$two=D2 55 0  sex\n"
    assert _extension(out, 5) == b"Main= AGE\n"
    assert _extension(out, 18) == b"sex:$@Role('1'\n'2'\n)/age:x('y'\n)"
    assert _extension(out, 99) == b"1234"
    assert (_extension(out, 13) or b"").startswith(b"SEX=sex\t")
    kept = [name for name in table.names if name != "firm"]
    assert_kept(path, tmp_path / "out.sav", kept)
    write(table.without(["weight", "note", "remarks"]), tmp_path / "fewer.sav")
    fewer = parse_spss((tmp_path / "fewer.sav").read_bytes())
    assert fewer.weight is None
    assert [_extension(fewer, subtype) for subtype in (14, 21, 22)] == [None] * 3
    assert _extension(fewer, 7) == SETS
    assert_kept(path, tmp_path / "fewer.sav", ["firm", "sex", "age", "income", "health", "born", "asked"])


def test_renumbered_codes_lose_their_labels(tmp_path: Path) -> None:
    path = _extended(tmp_path / "in.sav")
    protect(path, 3, columns=["sex"], renumber=["firm"], exclude=SINGLING).write(tmp_path / "out.sav")
    assert b"ACME" not in (tmp_path / "out.sav").read_bytes()
    values, found = contents(tmp_path / "out.sav")
    assert sorted(values["firm"]) == list(range(1, N + 1))
    assert "firm" not in found.variable_value_labels
    protect(path, 3, columns=["sex"], renumber=["note", "remarks"], exclude=SINGLING).write(tmp_path / "texts.sav")
    values, found = contents(tmp_path / "texts.sav")
    assert found.readstat_variable_types["note"] == found.readstat_variable_types["remarks"] == "double"
    assert found.original_variable_types["note"] == "F8.0"
    assert "note" not in found.missing_ranges
    assert "note" not in found.variable_value_labels
    assert_kept(path, tmp_path / "texts.sav", ["firm", "age", "income", "health", "born", "asked", "weight"])


def test_replaced_numbers_keep_the_labels_of_missing_ones_only(tmp_path: Path) -> None:
    path = spss_survey(tmp_path / "in.sav")
    table = read(path)
    health = Column.of_numbers("health", np.linspace(1, 5, N))
    age = Column.of_numbers("age", np.where(np.isnan(table.numbers("age")), np.nan, 40.5))
    write(table.with_columns([health, age]), tmp_path / "out.sav")
    values, found = contents(tmp_path / "out.sav")
    assert "health" not in found.variable_value_labels
    assert found.variable_value_labels["age"] == {999.0: "refused", -5.0: "not known"}
    assert [values["age"][row] for row in (0, 1, 2)] == [40.5, 999.0, -5.0]


def test_texts_are_replaced_by_longer_ones_and_numbers_by_texts(tmp_path: Path) -> None:
    path = spss_survey(tmp_path / "in.sav")
    table = read(path)
    texts = ["w" * 100, None, "ß"] * (N // 3)
    missing = table.column("note").missing
    assert missing is not None
    longer = Column.of_objects(
        "note", [None if gone else text or "v" for text, gone in zip(texts, missing, strict=True)]
    )
    edited = table.with_columns([longer, Column.of_objects("sex", ["{1, 2}"] * N), Column.of_objects("remarks", texts)])
    write(edited, tmp_path / "out.sav")
    values, found = contents(tmp_path / "out.sav")
    assert values["sex"] == ["{1, 2}"] * N
    assert found.readstat_variable_types["sex"] == "string"
    assert "sex" not in found.variable_value_labels
    assert values["remarks"] == [text or "" for text in texts]
    before, _ = contents(path)
    for row in range(N):
        assert values["note"][row] == (before["note"][row] if missing[row] else texts[row] or "v")
    assert {"n/k", ""} <= set(values["note"])
    assert_kept(path, tmp_path / "out.sav", ["firm", "age", "income", "health", "born", "asked", "weight"])
    for text, words in (("x" * 256, "texts of 256 bytes"), ("x" * 1000, "texts of 1000 bytes")):
        with pytest.raises(WriteError, match=rf"column 'note' would have {words}"):
            write(table.with_columns([Column.of_objects("note", [text] * N)]), tmp_path / "none.sav")
    assert not (tmp_path / "none.sav").exists()


def test_the_ending_tells_how_a_file_is_compressed(tmp_path: Path) -> None:
    plain = spss_survey(tmp_path / "in.sav")
    zipped = spss_survey(tmp_path / "in.zsav", compress=True)
    for source, target, expected in ((plain, "a.zsav", ZLIB), (plain, "a.sav", 0), (zipped, "b.sav", ROWS)):
        write(read(source), tmp_path / target)
        assert parse_spss((tmp_path / target).read_bytes()).compression == expected
        assert contents(tmp_path / target)[0] == contents(source)[0]


def test_records_in_another_order(tmp_path: Path) -> None:
    path = spss_survey(tmp_path / "in.sav", row_compress=True)
    order = np.arange(N)[::-2]
    write(read(path).in_order(order), tmp_path / "out.sav")
    before, _ = contents(path)
    after, found = contents(tmp_path / "out.sav")
    assert found.number_rows == len(order)
    assert after == {name: [values[row] for row in order] for name, values in before.items()}


def _format(kind: int, width: int, decimals: int) -> int:
    return kind << 16 | width << 8 | decimals


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((5, 3, 0), (5, 6, 2)),
        ((5, 8, 1), (5, 8, 1)),
        ((5, 39, 0), (5, 40, 2)),
        ((3, 8, 0), (3, 11, 2)),
        ((15, 5, 0), (5, 8, 2)),  # N, which shows leading zeros
        ((20, 11, 0), (20, 11, 0)),  # DATE
        ((17, 8, 0), (17, 8, 0)),  # E
    ],
)
def test_formats_show_decimals(before: tuple[int, int, int], after: tuple[int, int, int]) -> None:
    assert with_decimals(_format(*before)) == _format(*after)


@given(
    numbers=hnp.arrays(
        np.float64,
        st.tuples(st.integers(0, 9), st.just(2)),
        elements=st.one_of(st.integers(-110, 160).map(float), st.floats(allow_subnormal=False), st.just(-0.0)),
    ),
    texts=st.data(),
    order=st.sampled_from("<>"),
)
def test_compression_is_undone(numbers: np.ndarray, texts: st.DataObject, order: str) -> None:
    n = len(numbers)
    text = texts.draw(st.lists(st.sampled_from([b" " * 8, b"abcdefgh", b"\0" * 8]), min_size=n, max_size=n))
    words = np.frombuffer(b"".join(text), dtype=np.uint64).reshape(n, 1)
    raw = numbers.astype(f"{order}f8").view(np.uint64)
    raw = np.where(np.isnan(numbers), system_missing(order), raw)
    cells = np.concatenate([raw, words], axis=1)
    is_text = np.array([False, False, True])
    stream = compressed(cells, is_text, order, 100.0)
    assert np.array_equal(decompressed(stream, order, 100.0), cells.ravel())
    zipped = b"x" * 32 + deflated(stream, 32, order, 100.0)
    assert inflated(zipped, 32, order) == stream


def test_small_whole_numbers_take_a_byte() -> None:
    cells = np.array([[1.0, 151.0, -99.0, 152.0, -100.0, 0.5, -0.0, 0.0]]).view(np.uint64)
    stream = compressed(cells, np.zeros(8, dtype=np.bool_), "<", 100.0)
    assert list(stream[:8]) == [101, 251, 1, 253, 253, 253, 253, 100]
    assert len(stream) == 8 + 4 * 8


def test_files_that_are_laid_out_otherwise_are_refused(tmp_path: Path) -> None:
    raw = spss_survey(tmp_path / "in.sav").read_bytes()
    zipped = spss_survey(tmp_path / "in.zsav", compress=True).read_bytes()
    for damaged, words in (
        (raw[:-8], "as many values"),
        (raw[:-3], "too early"),
        (b"$FL4" + raw[4:], "no system file"),
        (raw[:64] + b"\7\7\7\7" + raw[68:], "order of bytes"),
        (raw[:176] + b"\5\0\0\0" + raw[180:], "record of type 5"),
        (raw[:180] + b"\xff\xff\xff\xff" + raw[184:], "first column has no name"),
        (raw[:100], "too early"),
        (zipped[:-30] + b"\0" * 30, "."),
    ):
        with pytest.raises(LayoutError, match=words):
            parse_spss(damaged)


@pytest.mark.parametrize(
    ("subtype", "content", "words"),
    [
        (7, b"$one=Dx y\n", "sets of multiple responses"),
        (7, b"$one=C 99 short\n", "too early"),
        (18, b"no colon", "attributes of columns"),
        (21, b"\7\0\0\0ab", "too early"),
    ],
)
def test_extensions_that_are_laid_out_otherwise_are_refused_where_they_matter(
    subtype: int, content: bytes, words: str
) -> None:
    damaged = without_names(Extension(subtype, 1, content), GoneNames(frozenset(), frozenset(), frozenset()), "<")
    assert damaged == Extension(subtype, 1, content)
    with pytest.raises(LayoutError, match=words):
        without_names(damaged, GoneNames(frozenset({b"SEX"}), frozenset(), frozenset()), "<")
