"""A file that is read column by column gives the same columns, and the same files, as one that is read into memory."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from files import write_bytes
from large_sources import large_table, small_batches
from microagg import InputError, ReadError, Table, read
from microagg.model.column import Kind
from microagg.model.source_protocol import FileKind
from source_tables import FILES, ORDER, SOURCES, VALUES, every_kind, make_column


def outcome(function: Any, *arguments: Any) -> Any:
    """Return what a function returns, or the message of its error, in a form that can be compared."""
    try:
        found = function(*arguments)
    except ReadError as error:
        return str(error)
    return found.tolist() if isinstance(found, np.ndarray) else found


def assert_same_source(one: Table, other: Table) -> None:
    """Check that two tables agree in every method of their sources."""
    assert (one.names, one.n_records, one.path) == (other.names, other.n_records, other.path)
    assert (one.source.sha256, one.source.file_kind) == (other.source.sha256, other.source.file_kind)
    assert one.source.header_doubt() == other.source.header_doubt()
    for name in one.names:
        assert one.kind(name) == other.kind(name)
        assert repr(one.values(name)) == repr(other.values(name))
        assert repr(one.column(name).objects()) == repr(other.column(name).objects())
        assert one.column(name).categories == other.column(name).categories
        assert one.codes(name).tolist() == other.codes(name).tolist()
        assert repr(outcome(one.numbers, name)) == repr(outcome(other.numbers, name))


def assert_same_file(one: Table, other: Table, folder: Path, kind: FileKind) -> None:
    """Check that two tables are saved as the same bytes, or as typed files of the same content."""
    paths = (folder / "one", folder / "other")
    for table, path in zip((one, other), paths, strict=True):
        table.source.save(table.changes, path, kind)
    if kind == "CSV":
        assert paths[0].read_bytes() == paths[1].read_bytes()
        return
    frames = [pl.read_parquet(path) if kind == "Parquet" else pl.read_ipc(path) for path in paths]
    assert frames[0].schema == frames[1].schema
    assert frames[0].equals(frames[1])


@pytest.mark.parametrize("source", ["csv", "parquet", "arrow"])
@every_kind
def test_every_kind_of_column_in_every_kind_of_file(source: str, kind: Kind, tmp_path: Path) -> None:
    path = SOURCES[source](kind, tmp_path)
    table = read(path)
    _, new, drop = table.names
    with small_batches():
        large = large_table(path, tmp_path)
        assert_same_source(table, large)
        for file_kind in FILES.values():
            assert_same_file(table, large, tmp_path, file_kind)
            for values in VALUES[kind]:
                changed = [
                    each.with_columns([make_column(new, kind, values)]).without([drop]).in_order(ORDER)
                    for each in (table, large)
                ]
                assert_same_file(changed[0], changed[1], tmp_path, file_kind)


TEXTS = [
    "a,b\n1,2\n3,4\n",
    "a,b\n1,2\n3,4",
    "a;b\n1,5;x\n2,5;y\n",
    "a;b;c\n1,5;1.234;x\n2,5;5.678;y\n",
    "a;b\n1,5;2.5\n2,5;3.5\n",
    "a\tb\r\n1\t2\r\n3\t4\r\n\r\n\r\n",
    "a,b\r1,2\r3,4\r",
    "\ufeffa,b\n1,2\n3,4\n",
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
    "a,b\n" + "".join(f"{i},{i % 7}.5\n" for i in range(200)),
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-32-be"])
def test_text_files(text: str, encoding: str, tmp_path: Path) -> None:
    mark = "" if encoding == "utf-8" else "\ufeff"
    path = write_bytes(tmp_path / "in.csv", (mark + text).encode(encoding))
    table = read(path)
    for size in (1, 7, 1000):
        with small_batches(chunk_size=size):
            large = large_table(path, tmp_path)
            assert_same_source(table, large)
            for file_kind in FILES.values():
                assert_same_file(table, large, tmp_path, file_kind)
                reversed_ = np.arange(table.n_records)[::-1]
                assert_same_file(table.in_order(reversed_), large.in_order(reversed_), tmp_path, file_kind)


def test_native_dataframe_is_refused(tmp_path: Path) -> None:
    table = large_table(write_bytes(tmp_path / "in.csv", "a,b\n1,2\n"), tmp_path)
    with pytest.raises(InputError, match="larger than memory: expected an output file"):
        table.source.native(table.changes)
