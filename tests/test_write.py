"""Tables as files: as they were but for what was changed, completely or not at all."""

import codecs
import hashlib
import io
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from files import Stream, write_bytes
from microagg import Column, ReadError, WriteError, protect, read, write
from microagg.model.location import Location, file_of
from microagg.write import (
    STANDARD_OUTPUT,
    FileWriter,
    check_file,
    check_target,
    file_sha256,
    output_kind,
    replace_files,
    same_file,
    table_writer,
    to_native,
)

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
def test_text_file_that_is_not_changed_is_written_as_it_came(name: str, tmp_path: Path) -> None:
    source = write_bytes(tmp_path / "in.csv", TEXTS[name])
    write(read(source), tmp_path / "out.csv")
    again = read(tmp_path / "out.csv")
    first = read(source)
    assert again.names == first.names
    assert [again.values(each) for each in again.names] == [first.values(each) for each in first.names]
    if name != "r":  # quotes that are not needed are not kept
        assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-32"])
def test_encoding_is_kept(encoding: str, tmp_path: Path) -> None:
    text = "näme;größe\nJosé;1,5\nÅsa;2,5\n"
    source = write_bytes(tmp_path / "in.csv", text.encode(encoding))
    table = read(source)
    assert table.names == ("näme", "größe")
    write(table, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()


def test_bytes_that_are_no_windows_text_survive(tmp_path: Path) -> None:
    source = write_bytes(tmp_path / "in.csv", b"a,b\n\x81\x8d,1\n\xff,2\n")
    write(read(source), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()


field = st.text(st.characters(codec="utf-8", exclude_characters="\r\0\ufeff"), max_size=8)


@given(rows=st.lists(st.tuples(field, field, field), min_size=1, max_size=8))
def test_read_write_read_is_identity(rows: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("identity")
    pl.DataFrame(rows, schema=["one", "two", "three"], orient="row").write_csv(folder / "in.csv")
    first = read(folder / "in.csv")
    write(first, folder / "out.csv")
    again = read(folder / "out.csv")
    columns = [list(column) for column in zip(*rows, strict=True)]
    assert [again.values(name) for name in again.names] == [first.values(name) for name in first.names] == columns


def test_decimal_comma_is_read_and_written(tmp_path: Path) -> None:
    source = write_bytes(tmp_path / "in.csv", "who;x;n\nA;1,5;1\nB;2,5;2\nC;-10,0;7\nD;-11;8\n")
    release = protect(source, 2, keep_integers=True)
    write(release.table, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "who;x;n\nA;2,0;2\nB;2,0;2\nC;-10,5;8\nD;-10,5;8\n"


@pytest.mark.parametrize(
    ("text", "mean"),
    [
        ("a;b\n1;x\n2;y\n", "1.5"),
        ("a;b;c\n1;x;0,5\n2;y;7\n", "1,5"),
        ("a,b\n1,x\n2,y\n", "1.5"),
        ("a\tb\n1\tx\n2\ty\n", "1.5"),
    ],
)
def test_whole_numbers_get_the_decimal_sign_of_the_other_columns_or_a_point(
    text: str, mean: str, tmp_path: Path
) -> None:
    release = protect(write_bytes(tmp_path / "in.csv", text), 2, columns=["a"])
    write(release.table, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().splitlines()[1].startswith(mean)


@pytest.mark.parametrize("said", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "UTF8"])
@pytest.mark.parametrize("marked", [True, False])
def test_byte_order_mark_goes_with_the_encoding(said: str, marked: bool, tmp_path: Path) -> None:
    name = codecs.lookup(said).name.removesuffix("-sig")
    exact = name if name in ("utf-8", "utf-16-le") else f"{name}-le"
    mark = "\ufeff".encode(exact) if marked else b""
    source = write_bytes(tmp_path / "in.csv", mark + "näme,b\nÅ,1\n".encode(exact))
    table = read(source, encoding=said)
    assert table.names == ("näme", "b")
    write(table, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()


def test_file_without_a_header(tmp_path: Path) -> None:
    text = "1,2.5,x\n3,4.5,\n"
    source = write_bytes(tmp_path / "in.csv", text)
    table = read(source, header=False)
    assert table.names == ("column_1", "column_2", "column_3")
    assert table.n_records == 2
    assert table.numbers("column_2").tolist() == [2.5, 4.5]
    write(table.with_columns([Column.of_numbers("column_2", np.array([0.5, 1.5]))]), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "1,0.5,x\n3,1.5,\n"
    write(table, tmp_path / "out.parquet")
    assert read(tmp_path / "out.parquet").names == table.names
    repeated = write_bytes(tmp_path / "repeated.csv", "a,a\nb,b\n")
    assert read(repeated, header=False).values("column_2") == ["a", "b"]
    for short in ("1,2\n3\n", "1,2\n3,4,5\n"):
        with pytest.raises(ReadError, match=r"row 2 of .* \(line 2\) has . fields? where the first has 2"):
            read(write_bytes(tmp_path / "short.csv", short), header=False)


@pytest.mark.parametrize("text", ["a,b\n1,\n2,\n", 'a,b\n"x,y",\n"u,v",\n', "a\n\n1\n\n2\n", 'a,b\n1,"2\n,3"\n4,\n'])
def test_missing_values_at_the_end_of_records(text: str, tmp_path: Path) -> None:
    table = read(write_bytes(tmp_path / "in.csv", text))
    write(table, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == text


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".feather"])
def test_typed_file_keeps_every_other_column(suffix: str, tmp_path: Path) -> None:
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
    assert out["n"].dtype == pl.Int16
    assert out["n"].to_list() == [2, 2, 8, 8]


def test_target_is_checked(tmp_path: Path, companies: Path) -> None:
    table = read(companies)
    (tmp_path / "link.csv").symlink_to(companies)
    for target, words in [
        (companies, "is the input itself"),
        (tmp_path / "link.csv", "is the input itself"),
        (tmp_path / "none" / "out.csv", "is not there: make it first"),
        (tmp_path, "is a folder"),
        (tmp_path / "out.ods", "must end in one of .csv, .tsv, .* .parquet, .* .arrow"),
        (tmp_path / "out", "must end in one of .csv"),
        (tmp_path / ("x" * 300 + ".csv"), "File name too long"),
        (Path("/dev/null"), "not a regular file"),
    ]:
        with pytest.raises(WriteError, match=words):
            write(table, target)
        with pytest.raises(WriteError):
            write(table, target, force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["link.csv"]


def _fill(text: str) -> Any:
    return lambda temporary, finished: temporary.write_text(text)


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError, OSError])
def test_interrupted_writing_leaves_the_old_file(tmp_path: Path, error: Any) -> None:
    target = write_bytes(tmp_path / "out.csv", "old")

    def fill(temporary: Any, finished: Any) -> Any:
        temporary.write_text("half")
        raise error

    with pytest.raises(WriteError if error is OSError else error):
        replace_files({tmp_path / "other.txt": _fill("x"), target: fill}, force=True)
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.csv"]  # noqa: PTH208


def test_all_files_are_put_in_place_or_none(tmp_path: Path) -> None:
    """A file that another program makes in the meantime holds back those before it, too."""

    def second(temporary: Any, finished: Any) -> Any:
        temporary.write_text("x")
        (tmp_path / "b.txt").write_text("of another")

    with pytest.raises(WriteError, match="already there"):
        replace_files(
            {tmp_path / "a.txt": lambda temporary, finished: temporary.write_text("a"), tmp_path / "b.txt": second}
        )
    assert [path.name for path in tmp_path.iterdir()] == ["b.txt"]


@pytest.mark.parametrize("ending", ["tsv", "tab"])
def test_an_ending_that_means_tabs_gets_tabs(ending: str, tmp_path: Path) -> None:
    source = write_bytes(tmp_path / "in.csv", "a;b\n1,5;x\n2,5;y\n")
    write(read(source), tmp_path / f"out.{ending}")
    assert (tmp_path / f"out.{ending}").read_text() == "a\tb\n1,5\tx\n2,5\ty\n"


def test_replacing_keeps_the_link_and_the_mode(tmp_path: Path) -> None:
    target = write_bytes(tmp_path / "real.csv", "old")
    target.chmod(0o640)
    (tmp_path / "link.csv").symlink_to(target)
    replace_files({tmp_path / "link.csv": _fill("new")}, force=True)
    assert (tmp_path / "link.csv").is_symlink()
    assert (target.read_text(), target.stat().st_mode & 0o777) == ("new", 0o640)


@given(values=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=30))
def test_written_numbers_are_read_back_exactly(values: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("numbers")
    source = write_bytes(folder / "in.csv", "x,y\n" + "1,2\n" * len(values))
    write(read(source).with_columns([Column.of_numbers("x", np.array(values))]), folder / "out.csv")
    np.testing.assert_array_equal(read(folder / "out.csv").numbers("x"), values)


@pytest.mark.parametrize("kind", ["CSV", "Parquet", "Arrow"])
def test_standard_input_and_output_are_files_of_any_kind(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.DataFrame({"a": [1.5, 2.5], "b": ["x", "y"]})
    content = io.BytesIO()
    writers: dict[str, Any] = {"CSV": frame.write_csv, "Parquet": frame.write_parquet, "Arrow": frame.write_ipc}
    writers[kind](content)
    monkeypatch.setattr("sys.stdin", Stream(content.getvalue()))
    table = read("-")
    assert (table.path, table.source.file_kind) == (None, kind)
    assert table.source.sha256 == hashlib.sha256(content.getvalue()).hexdigest()
    assert table.numbers("a").tolist() == [1.5, 2.5]
    out = Stream()
    monkeypatch.setattr("sys.stdout", out)
    write(table.with_columns([Column.of_numbers("a", np.array([3.5, 4.5]))]), "-")
    monkeypatch.setattr("sys.stdin", Stream(out.buffer.getvalue()))
    again = read(Path("-"))
    assert again.source.file_kind == kind
    assert again.numbers("a").tolist() == [3.5, 4.5]


def test_standard_output_gets_csv_of_what_was_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    for source in (np.array([[1.5]]), pl.DataFrame({"0": [1.5]}), pd.DataFrame({"0": [1.5]})):
        out = Stream()
        monkeypatch.setattr("sys.stdout", out)
        write(read(source), "-")
        assert out.buffer.getvalue() == b"0\n1.5\n"


def test_existing_file_is_not_replaced_unasked(tmp_path: Path, companies: Path) -> None:
    target = write_bytes(tmp_path / "out.csv", "old")
    with pytest.raises(WriteError, match=r"already there: .* force=True"):
        write(read(companies), target)
    assert target.read_text() == "old"
    write(read(companies), target, force=True)
    assert target.read_bytes() == companies.read_bytes()
    other = tmp_path / "other.csv"
    with pytest.raises(WriteError, match="already there"):
        replace_files({other: _fill("x"), target: _fill("y")})
    assert not other.exists()


def test_file_that_comes_in_between_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"

    def fill(temporary: Any, finished: Any) -> Any:
        temporary.write_text("ours")
        target.write_text("theirs")

    with pytest.raises(WriteError, match="already there"):
        replace_files({target: fill})
    assert target.read_text() == "theirs"
    assert os.listdir(tmp_path) == ["out.txt"]  # noqa: PTH208


def test_later_file_may_look_at_an_earlier_one(tmp_path: Path, companies: Path) -> None:
    table = read(companies)
    output, summary = tmp_path / "out.csv", tmp_path / "sum.txt"

    def fill(temporary: Any, finished: Any) -> Any:
        assert not output.exists()
        temporary.write_text(file_sha256(finished[output]))

    replace_files({output: table_writer(table, output), summary: fill})
    assert summary.read_text() == file_sha256(output) == table.source.sha256


def test_kind_goes_by_the_ending(tmp_path: Path, companies: Path) -> None:
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


def test_release_is_written_too(tmp_path: Path, companies: Path) -> None:
    release = protect(companies, 3, exclude=["company"])
    write(release, tmp_path / "out.parquet")
    assert read(tmp_path / "out.parquet").values("company") == read(companies).values("company")


@pytest.mark.parametrize("form", ["CSV", "Parquet", "Arrow"])
def test_conversion_keeps_every_value(form: str, tmp_path: Path) -> None:
    text = 'n;x;yes;day;code;who\n1;1,5;TRUE;2020-01-31;007;a\nNA;;FALSE;NA;042;"b;c"\n'
    table = read(write_bytes(tmp_path / "in.csv", text))
    suffix = {"CSV": ".csv", "Parquet": ".parquet", "Arrow": ".arrow"}[form]
    write(table, tmp_path / f"one{suffix}")
    once = read(tmp_path / f"one{suffix}")
    for other in (".csv", ".parquet", ".arrow"):
        write(once, tmp_path / f"two{other}")
        twice = read(tmp_path / f"two{other}")
        for name in table.names:
            assert twice.column(name).objects() == table.column(name).objects()
            assert twice.kind(name) == table.kind(name)


# At the edges.


@pytest.mark.parametrize(
    ("ending", "start"),
    [
        *((ending, b"a") for ending in ("csv", "tsv", "tab", "txt", "TXT")),
        *((ending, b"PAR1") for ending in ("parquet", "pq")),
        *((ending, b"ARROW1") for ending in ("arrow", "feather", "ipc")),
    ],
)
def test_every_ending_has_its_kind(ending: str, start: bytes, tmp_path: Path) -> None:
    write(read(pl.DataFrame({"a": [1.5]})), tmp_path / f"out.{ending}")
    assert (tmp_path / f"out.{ending}").read_bytes().startswith(start)


def test_endings_that_are_not_known_are_listed(tmp_path: Path) -> None:
    with pytest.raises(WriteError) as caught:
        write(read([[1.0]]), tmp_path / "out.ods")
    assert str(caught.value) == (
        f"the output {tmp_path / 'out.ods'} must end in one of .csv, .tsv, .tab, .txt, .parquet, .pq, .arrow, "
        ".feather, .ipc, .dta, .sav, .zsav, .xlsx: that tells its kind"
    )
    source = write_bytes(tmp_path / "in.DAT", "a\n1\n")
    write(read(source), tmp_path / "out.dat")  # the ending of the input
    assert (tmp_path / "out.dat").read_text() == "a\n1\n"
    assert output_kind(read(source), STANDARD_OUTPUT) == "CSV"
    assert output_kind(read([[1.0]]), STANDARD_OUTPUT) == "CSV"


def test_places_that_cannot_be_written_are_told(tmp_path: Path, companies: Path) -> None:
    folder = tmp_path / "none"
    circle = tmp_path / "circle.csv"
    circle.symlink_to(circle)
    table = read(companies)
    for target, words in (
        (tmp_path, f"the output {tmp_path} is a folder: name a file in it"),
        (folder / "out.csv", f"the folder {folder} of the output is not there: make it first"),
        (Path("/dev/null"), "the output /dev/null is not a regular file: name one"),
        (companies, f"the output {companies} is the input itself: choose another name"),
        (circle, f"cannot write {circle}: Too many levels of symbolic links"),
    ):
        with pytest.raises(WriteError) as caught:
            check_target(table, target, force=True)
        assert str(caught.value) == words
    check_target(table, STANDARD_OUTPUT)
    check_target(table, tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("protected", ["folder", "file"])
def test_protected_places_are_told(protected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = write_bytes(tmp_path / "out.csv", "old")
    closed = tmp_path if protected == "folder" else target
    asked = []

    def access(path: Path, mode: int) -> bool:
        asked.append((path, mode))
        return path != closed

    monkeypatch.setattr(os, "access", access)
    with pytest.raises(WriteError) as caught:
        check_file(target, force=True)
    words = f"the output {target} cannot be written: its folder or the file itself is write-protected"
    assert str(caught.value) == words
    assert asked[0] == (tmp_path, os.W_OK | os.X_OK)
    assert asked[1:] in ([], [(target, os.W_OK)])
    if protected == "file":
        check_file(tmp_path / "new.csv")


def test_a_file_that_exists_is_kept_unless_forced(tmp_path: Path) -> None:
    target = write_bytes(tmp_path / "out.csv", "old")
    for check in (check_file, lambda path, force=False: check_target(read([[1.0]]), path, force=force)):
        with pytest.raises(WriteError) as caught:
            check(target)
        assert str(caught.value) == (f"the output {target} is already there: choose another name, or add force=True")
        check(target, force=True)


def test_same_file_by_any_path(tmp_path: Path) -> None:
    one = write_bytes(tmp_path / "a.csv", "x")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.csv").symlink_to(one)
    assert same_file(one, tmp_path / "folder" / ".." / "a.csv")
    assert same_file(one, tmp_path / "link.csv")
    assert not same_file(one, write_bytes(tmp_path / "b.csv", "x"))
    assert same_file(tmp_path / "new.csv", tmp_path / "folder" / ".." / "new.csv")
    assert not same_file(tmp_path / "new.csv", tmp_path / "newer.csv")


def test_files_are_written_beside_their_place_and_then_renamed(tmp_path: Path) -> None:
    seen: list[tuple[str, ...]] = []
    targets = [tmp_path / "a.csv", tmp_path / "b.parquet"]

    def fill(temporary: Path, finished: Mapping[Location, Path]) -> None:
        assert temporary.parent.parent == tmp_path
        assert temporary.parent.name.startswith(".")
        assert temporary.suffix in (".csv", ".parquet")
        seen.append(tuple(file_of(target).name for target in finished))
        assert all(path.read_text() == "x" for path in finished.values())
        assert not any(target.exists() for target in targets)
        temporary.write_text("x")

    writers: dict[Location, FileWriter] = dict.fromkeys(targets, fill)
    replace_files(writers)
    assert seen == [(), ("a.csv",)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "b.parquet"]


def test_what_a_killed_writer_leaves_is_removed_by_the_next(tmp_path: Path) -> None:
    killed = (
        "import os, pathlib, signal, sys\n"
        "from microagg.write import replace_files\n"
        "def fill(temporary, finished):\n"
        "    temporary.write_text('half')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "replace_files({pathlib.Path(sys.argv[1]): fill})"
    )
    subprocess.run([sys.executable, "-c", killed, str(tmp_path / "a.csv")], check=False)
    assert len(list(tmp_path.iterdir())) == 1
    replace_files({tmp_path / "b.csv": _fill("x")})
    assert [path.name for path in tmp_path.iterdir()] == ["b.csv"]


def test_files_reach_the_disk_before_they_are_renamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = []

    def fsync(file: int) -> None:
        synced.append(os.fstat(file).st_ino)
        assert not (tmp_path / "a.csv").exists()

    monkeypatch.setattr(os, "fsync", fsync)
    replace_files({tmp_path / "a.csv": _fill("x")})
    assert synced == [(tmp_path / "a.csv").stat().st_ino]


def test_errors_of_the_system_are_told_with_the_file(tmp_path: Path) -> None:
    def full(temporary: Path, finished: Mapping[Location, Path]) -> None:
        raise OSError(28, "No space left on device")

    def strange(temporary: Path, finished: Mapping[Location, Path]) -> None:
        raise OSError("something else")

    for fill, reason in ((full, "No space left on device"), (strange, "something else")):
        with pytest.raises(WriteError) as caught:
            replace_files({tmp_path / "a.csv": fill})
        assert str(caught.value) == f"cannot write {tmp_path / 'a.csv'}: {reason}"
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_another_mode_is_replaced_with_that_mode(tmp_path: Path) -> None:
    target = write_bytes(tmp_path / "out.csv", "old")
    target.chmod(0o604)
    replace_files({target: _fill("new")}, force=True)
    assert target.stat().st_mode & 0o777 == 0o604
    assert file_sha256(target) == hashlib.sha256(b"new").hexdigest()


def test_standard_output_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.BytesIO):
        def write(self, content: Any) -> int:
            raise OSError(28, "No space left on device")

    class Closed(io.BytesIO):
        def write(self, content: Any) -> int:
            raise BrokenPipeError(32, "Broken pipe")

    stream = Stream()
    monkeypatch.setattr("sys.stdout", stream)
    stream.buffer = Full()
    with pytest.raises(WriteError) as caught:
        write(read([[1.0]]), "-")
    assert str(caught.value) == "cannot write to standard output: No space left on device"
    stream.buffer = Closed()
    with pytest.raises(BrokenPipeError):
        write(read([[1.0]]), "-")


def test_writers_write_the_changed_table(tmp_path: Path) -> None:
    table = read(pl.DataFrame({"a": [1.5, 2.5], "b": [1, 2]})).in_order(np.array([1, 0])).without(["b"])
    table_writer(table, tmp_path / "x.csv")(tmp_path / "elsewhere", {})
    assert (tmp_path / "elsewhere").read_text() == "a\n2.5\n1.5\n"
    assert to_native(table).to_dict(as_series=False) == {"a": [2.5, 1.5]}
