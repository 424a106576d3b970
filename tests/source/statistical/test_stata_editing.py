"""Stata files are taken apart and put together again byte for byte; what goes takes along what tells of it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from files import write_bytes
from microagg import Column, WriteError, protect, read, write
from microagg.source.statistical.byte_cursor import LayoutError
from microagg.source.statistical.stata_editing import with_decimals
from microagg.source.statistical.stata_file import VERSIONS, Characteristic, StataFile, Storage
from microagg.source.statistical.stata_numbers import N_MISSING, PRESENT, Cells, decoded, encoded, fitting_storage
from microagg.source.statistical.stata_parsing import parse_stata
from microagg.source.statistical.stata_rendering import padded, render_stata
from statistical_cases import SINGLING, STATA_OF_PANDAS, N, assert_kept, contents, stata_survey


@pytest.mark.parametrize("version", [8, 10, 12, 13, 14, 15])
def test_nothing_is_lost_between_parsing_and_rendering(version: int, tmp_path: Path) -> None:
    raw = stata_survey(tmp_path / "in.dta", version).read_bytes()
    assert render_stata(parse_stata(raw)) == raw


@pytest.mark.parametrize(("version", "byteorder"), STATA_OF_PANDAS)
def test_nothing_is_lost_of_files_of_pandas(version: int, byteorder: str, tmp_path: Path) -> None:
    path = _with_long_texts(tmp_path / "in.dta", version, byteorder)
    raw = path.read_bytes()
    assert render_stata(parse_stata(raw)) == raw


def _with_long_texts(path: Path, version: int = 118, byteorder: str = "little") -> Path:
    texts = ["", "u" * 3000, "w", "u" * 3000]
    frame = pd.DataFrame({"id": np.arange(4, dtype=np.int8), "one": texts, "x": np.arange(4) / 3, "two": texts[::-1]})
    options: dict[str, Any] = {"convert_strl": ["one", "two"]}
    if version == 114:
        frame = frame.drop(columns=["one", "two"])
        options = {}
    frame.to_stata(path, write_index=False, version=version, byteorder=byteorder, **options)
    return path


@pytest.mark.parametrize(("version", "byteorder"), STATA_OF_PANDAS[2:])
def test_long_texts_follow_their_cells(version: int, byteorder: str, tmp_path: Path) -> None:
    path = _with_long_texts(tmp_path / "in.dta", version, byteorder)
    table = read(path)
    edited = table.without(["id"]).in_order(np.array([3, 1, 2]))
    write(edited, tmp_path / "out.dta")
    values, _ = contents(tmp_path / "out.dta")
    before, _ = contents(path)
    for name in ("one", "two"):
        assert values[name] == [before[name][row] for row in (3, 1, 2)]
    parsed = parse_stata((tmp_path / "out.dta").read_bytes())
    places = [(text.record, text.column) for text in parsed.long_texts]
    assert places == sorted(places)
    assert all(1 <= record <= 3 and column in (1, 3) for record, column in places)


def test_long_texts_are_replaced_by_short_ones_and_the_other_way_round(tmp_path: Path) -> None:
    table = read(_with_long_texts(tmp_path / "in.dta"))
    new = Column.of_objects("two", ["a", "bb", None, "a"])
    long = Column.of_objects("one", ["v" * 2500, "short", None, "v" * 2500])
    write(table.with_columns([new, long]), tmp_path / "out.dta")
    values, found = contents(tmp_path / "out.dta")
    assert values["two"] == ["a", "bb", "", "a"]
    assert values["one"] == ["v" * 2500, "short", "", "v" * 2500]
    assert found.variable_storage_width["two"] >= 2
    old = read(stata_survey(tmp_path / "old.dta", 12))
    with pytest.raises(WriteError, match=r"column .note. would have texts of 300 bytes, and a Stata file of"):
        write(old.with_columns([Column.of_objects("note", ["x" * 300] * N)]), tmp_path / "out12.dta")
    with pytest.raises(WriteError, match=r"column 'note' would have characters that a Stata file of this version"):
        write(old.with_columns([Column.of_objects("note", ["Ж"] * N)]), tmp_path / "out12.dta")
    assert not (tmp_path / "out12.dta").exists()


def test_labels_of_what_goes_do_not_stay_behind(tmp_path: Path) -> None:
    path = stata_survey(tmp_path / "in.dta")
    assert b"ACME 7" in path.read_bytes()
    dropped = protect(path, 3, columns=["sex"], identifiers=["firm"], exclude=SINGLING)
    renumbered = protect(path, 3, columns=["sex"], renumber=["firm"], exclude=SINGLING)
    for number, release in enumerate((dropped, renumbered)):
        after = tmp_path / f"out{number}.dta"
        release.write(after)
        assert b"ACME" not in after.read_bytes()
        assert contents(after)[1].variable_value_labels["sex"] == {1: "male", 2: "female", 3: "other"}
    assert contents(after)[1].variable_value_labels.keys() == {"sex", "age"}
    assert sorted(contents(after)[0]["firm"]) == list(range(1, N + 1))


def test_shared_labels_stay_with_those_that_hold_codes(tmp_path: Path) -> None:
    yes_no = {1: "yes", 2: "no"}
    frame = pd.DataFrame({"a": [1, 2, 1, 2], "b": [1, 2, 2, 1], "x": [1, 5, 9, 2]}, dtype="int8")
    path = tmp_path / "in.dta"
    frame.to_stata(path, write_index=False, value_labels=dict.fromkeys(frame, yes_no))
    parsed = parse_stata(path.read_bytes())
    shared = [replace(column, label_set=parsed.columns[0].label_set) for column in parsed.columns]
    path.write_bytes(render_stata(replace(parsed, columns=tuple(shared), label_sets=parsed.label_sets[:1])))
    table = read(path)
    assert [table.kind(name) for name in "abx"] == ["category", "category", "integer"]
    write(table.with_columns([Column.of_numbers("x", np.array([3.5, 3.5, 5.0, 5.0]))]), tmp_path / "out.dta")
    assert contents(tmp_path / "out.dta")[1].variable_value_labels == {"a": yes_no, "b": yes_no}
    write(table.without(["a", "b"]), tmp_path / "x.dta")
    assert contents(tmp_path / "x.dta")[1].variable_value_labels == {"x": yes_no}


def _with_characteristics(file: StataFile, *said: tuple[bytes, bytes, bytes]) -> StataFile:
    size = file.sizes.name
    made = [Characteristic(1, padded(owner, size) + padded(name, size) + text + b"\0") for owner, name, text in said]
    return replace(file, characteristics=tuple(made))


@pytest.mark.parametrize("version", [12, 14])
def test_notes_and_sort_order(version: int, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = stata_survey(tmp_path / "in.dta", version)
    parsed = _with_characteristics(
        parse_stata(path.read_bytes()),
        (b"_dta", b"note1", b"about the file"),
        (b"firm", b"note1", b"about firms"),
        (b"firm", b"_lang_l_de", b"sex1"),
        (b"sex", b"note1", b"about sex"),
        (b"sex", b"_lang_l_de", b"sex1"),
    )
    path.write_bytes(render_stata(replace(parsed, sorted_by=(1, 2, 4))))
    assert read(path).source.book.notes == ("about the file",)  # type: ignore[attr-defined]
    table = read(path)
    write(table.without(["weight"]), tmp_path / "same.dta")
    same = parse_stata((tmp_path / "same.dta").read_bytes())
    assert ["kept as they are: file label, notes;" in message for message in caplog.messages] == [True]
    assert "about" not in caplog.text
    assert same.sorted_by == (1, 2, 4)
    assert same.characteristics == parsed.characteristics
    write(table.without(["firm"]), tmp_path / "out.dta")
    out = parse_stata((tmp_path / "out.dta").read_bytes())
    assert [one.text(out.sizes) for one in out.characteristics] == [b"about the file", b"about sex", b"sex1"]
    assert out.sorted_by == ()
    ages = table.numbers("income")
    write(table.with_columns([Column.of_numbers("income", ages)]).in_order(np.arange(2, N)), tmp_path / "fewer.dta")
    assert parse_stata((tmp_path / "fewer.dta").read_bytes()).sorted_by == (1, 2)
    write(table.in_order(np.arange(N)[::-1]), tmp_path / "turned.dta")
    assert parse_stata((tmp_path / "turned.dta").read_bytes()).sorted_by == ()
    sexes = Column("sex", "integer", np.ones(N, dtype=np.int64))
    write(table.with_columns([sexes]), tmp_path / "one.dta")
    one = parse_stata((tmp_path / "one.dta").read_bytes())
    assert [c.name(one.sizes) for c in one.characteristics if c.owner(one.sizes) == b"sex"] == [b"note1"]


def test_sets_of_codes_are_texts(tmp_path: Path) -> None:
    path = stata_survey(tmp_path / "in.dta")
    release = protect(path, 3, columns=["sex", "income"], exclude=SINGLING, aggregate={"sex": "set"}, missing="pattern")
    release.write(tmp_path / "out.dta")
    values, found = contents(tmp_path / "out.dta")
    assert set(values["sex"]) <= {"{1, 2}", "{1}", "{2}", "1", "2", "1, 2"}
    assert found.readstat_variable_types["sex"] == "string"
    assert "sex" not in found.variable_value_labels
    assert_kept(path, tmp_path / "out.dta", ["firm", "age", "note", "born", "health"])


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (b"%8.0f", b"%11.2f"),
        (b"%-8.0fc", b"%-11.2fc"),
        (b"%08,0f", b"%011,2f"),
        (b"%8.0g", b"%8.0g"),
        (b"%9.2f", b"%9.2f"),
        (b"%td", b"%td"),
    ],
)
def test_formats_show_decimals(shown: bytes, expected: bytes) -> None:
    assert with_decimals(shown) == expected


@given(
    numbers=st.lists(st.one_of(st.integers(-127, 100), st.sampled_from([f"m{way}" for way in range(N_MISSING)]))),
    order=st.sampled_from("<>"),
    name=st.sampled_from(["byte", "int", "long", "float", "double"]),
)
def test_numbers_and_missing_values_of_every_type(numbers: list[Any], order: str, name: str) -> None:
    missing = np.array([int(one[1:]) if isinstance(one, str) else PRESENT for one in numbers], dtype=np.int64)
    values = np.array([0 if isinstance(one, str) else one for one in numbers], dtype=np.float64)
    storage = Storage.of_numbers(name)
    found = decoded(encoded(Cells(values, missing), storage, order), storage, order)
    assert found.numbers.tolist() == values.tolist()
    assert found.missing.tolist() == missing.tolist()


def test_cells_are_what_stata_documents() -> None:
    every = Cells(np.zeros(3), np.array([0, 1, 26]))
    for name, expected in {"byte": [101, 102, 127], "int": [32741, 32742, 32767]}.items():
        storage = Storage.of_numbers(name)
        assert encoded(every, storage, "<").view(storage.dtype("<"))[:, 0].tolist() == expected
    double = encoded(every, Storage.of_numbers("double"), ">").tobytes().hex()
    assert double == "7fe00000000000007fe00100000000007fe01a0000000000"
    single = encoded(every, Storage.of_numbers("float"), ">").tobytes().hex()
    assert single == "7f0000007f0008007f00d000"


@pytest.mark.parametrize(
    ("before", "numbers", "expected"),
    [
        ("byte", [100.0], "byte"),
        ("byte", [101.0], "int"),
        ("byte", [-128.0], "int"),
        ("int", [1.0], "int"),
        ("int", [32741.0], "long"),
        ("long", [2147483621.0], "double"),
        ("byte", [1.5], "double"),
        ("float", [1.5], "float"),
        ("float", [1e39], "double"),
        ("double", [1.0], "double"),
        ("str", [1.0], "long"),
        ("byte", [], "byte"),
    ],
)
def test_type_is_wide_enough(before: str, numbers: list[float], expected: str) -> None:
    storage = Storage("str", 5) if before == "str" else Storage.of_numbers(before)
    assert fitting_storage(storage, np.array(numbers)).name == expected


def test_files_that_are_laid_out_otherwise_are_refused(tmp_path: Path) -> None:
    raw = stata_survey(tmp_path / "in.dta").read_bytes()
    for damaged, words in (
        (raw[:-5], "too early"),
        (raw + b"\0", "goes on after its end"),
        (raw.replace(b"<release>118", b"<release>116"), "of version 116"),
        (raw.replace(b"</N>", b"</M>"), "missing"),
        (bytes([110, 2, 1, 0]), "of version 110"),
        (bytes([118, 2, 1, 0]), "tags are missing"),
        (b"", "too early"),
    ):
        with pytest.raises(LayoutError, match=words):
            parse_stata(damaged)
    assert set(VERSIONS) == {113, 114, 115, 117, 118, 119}


def test_a_file_of_an_old_version_is_read_and_converted(tmp_path: Path) -> None:
    raw = bytearray(stata_survey(tmp_path / "new.dta", 8).read_bytes())
    raw[0] = 111
    path = write_bytes(tmp_path / "in.dta", bytes(raw))
    table = read(path)
    with pytest.raises(WriteError, match=r"cannot be written back as a Stata file, as it is of version 111: write"):
        write(table, tmp_path / "out.dta")
    assert not (tmp_path / "out.dta").exists()
    write(table, tmp_path / "out.csv")
