"""Tables of databases: read without any way to write, written completely or not at all, never over what was there."""

import datetime as dt
import hashlib
import sqlite3
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from microagg import InputError, Plan, ReadError, WriteError, changes, protect_file, read, verify, write
from microagg.data_size import first_records
from microagg.model.location import DatabaseTable, location
from microagg.model.reading import Reading
from microagg.resumption import fingerprint
from microagg.source.database import databases, duckdb_tables
from microagg.source.memory_estimate import estimated_memory
from microagg.workspace import Workspace

PEOPLE = pl.DataFrame(
    {
        "id": [7, 8, 9, 10],
        "income": [1.5, 2.5, 8.5, None],
        "name": ["Anna", "O'Neil", 'say "hi"', None],
        "born": [dt.date(1980, 1, day) for day in range(1, 5)],
        "seen": [dt.datetime(2020, 1, day, 10, 30) for day in range(1, 5)],
        "member": [True, False, None, True],
    }
)
SCHEMES = ["duckdb", "sqlite"]
every_scheme = pytest.mark.parametrize("scheme", SCHEMES)


def _address(scheme: str, folder: Path, table: str = "people", file: str = "in") -> str:
    return str(DatabaseTable("DuckDB" if scheme == "duckdb" else "SQLite", folder / f"{file}.{scheme}", table))


def _execute(scheme: str, path: Path, *statements: str) -> list[Any]:
    """Execute statements by the database itself; return the rows of the last one."""
    connection: Any = duckdb.connect(str(path)) if scheme == "duckdb" else sqlite3.connect(path)
    rows = []
    for statement in statements:
        rows = connection.execute(statement).fetchall()
    if scheme == "sqlite":
        connection.commit()
    connection.close()
    return rows


@every_scheme
@pytest.mark.parametrize(
    "table", ["people", "my people", 'we"ird', "select", "drop table people; --", "ä.b", "a?b=c&d"]
)
def test_a_table_comes_back_whatever_its_name(scheme: str, table: str, tmp_path: Path) -> None:
    address = _address(scheme, tmp_path, table)
    write(read(PEOPLE), address)
    again = read(address)
    assert_frame_equal(again.source.frame, PEOPLE)  # type: ignore[attr-defined]
    assert again.source.file_kind == ("DuckDB" if scheme == "duckdb" else "SQLite")
    assert repr(again.source).endswith(f"table {table!r}, 4 records, 6 columns)")
    assert [path.name for path in tmp_path.iterdir()] == [f"in.{scheme}"], "nothing is left behind"


@every_scheme
def test_columns_may_have_any_name(scheme: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({'"': [1], "a b": [2], "x'y": [3], "^a.*$": [4], "drop table people": [5]})
    write(read(frame), _address(scheme, tmp_path))
    assert_frame_equal(read(_address(scheme, tmp_path)).source.frame, frame)  # type: ignore[attr-defined]


@every_scheme
def test_the_only_table_needs_no_name(scheme: str, tmp_path: Path) -> None:
    address = _address(scheme, tmp_path)
    write(read(PEOPLE), address)
    path = location(address).path  # type: ignore[union-attr]
    assert read(path).n_records == read(f"{scheme}:///{path}").n_records == 4
    write(read(PEOPLE.head(2)), _address(scheme, tmp_path, "others"))
    with pytest.raises(ReadError, match=r"has 2 tables, .*: name one of them, as in table_name="):
        read(path)
    assert read(path, table_name="others").n_records == 2
    with pytest.raises(ReadError, match=r"has no table 'other': did you mean 'others'\?"):
        read(path, table_name="other")
    with pytest.raises(InputError, match="given as 'others' and by the address as 'people': give it once"):
        read(address, table_name="others")
    assert read(address, table_name="people").n_records == 4


@every_scheme
def test_views_are_read_but_not_written(scheme: str, tmp_path: Path) -> None:
    address = _address(scheme, tmp_path)
    write(read(PEOPLE), address)
    path = location(address).path  # type: ignore[union-attr]
    _execute(scheme, path, "CREATE VIEW adults AS SELECT id, income FROM people WHERE id > 7")
    assert read(path, table_name="adults").values("id") == [8, 9, 10]
    with pytest.raises(WriteError, match="is a view of that database: choose another name"):
        write(read(PEOPLE), _address(scheme, tmp_path, "adults"), force=True)


@every_scheme
def test_reading_leaves_the_file_as_it_is(scheme: str, tmp_path: Path) -> None:
    address = _address(scheme, tmp_path)
    write(read(PEOPLE), address)
    path = location(address).path  # type: ignore[union-attr]
    before = path.read_bytes()
    path.chmod(0o400)
    tmp_path.chmod(0o500)
    try:
        table = read(address)
        first_records(address, Reading())
        estimated_memory(path)
    finally:
        tmp_path.chmod(0o700)
    assert path.read_bytes() == before
    assert table.source.sha256 == hashlib.sha256(before).hexdigest()
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


@every_scheme
def test_connections_for_reading_cannot_write(scheme: str, tmp_path: Path) -> None:
    write(read(PEOPLE), _address(scheme, tmp_path))
    engine = databases._ENGINES["DuckDB" if scheme == "duckdb" else "SQLite"]
    with pytest.raises(ReadError), engine.reading(tmp_path / f"in.{scheme}") as database:
        database.connection.execute("CREATE TABLE more (x INTEGER)")  # type: ignore[attr-defined]


def test_a_database_cannot_make_duckdb_read_other_files(tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("x\n1\n")
    _execute("duckdb", tmp_path / "in.duckdb", f"CREATE VIEW v AS SELECT * FROM read_csv('{tmp_path}/secret.csv')")
    with pytest.raises(ReadError) as caught:
        read(tmp_path / "in.duckdb")
    reason = "PermissionException, of which DuckDB's own program shows more"
    assert str(caught.value) == f"the DuckDB database {tmp_path}/in.duckdb cannot be read: {reason}"


@every_scheme
def test_a_table_is_added_to_an_existing_database(scheme: str, tmp_path: Path) -> None:
    path = tmp_path / f"in.{scheme}"
    _execute(scheme, path, "CREATE TABLE kept (x INTEGER)", "INSERT INTO kept VALUES (5)")
    write(read(PEOPLE), _address(scheme, tmp_path))
    assert _execute(scheme, path, "SELECT x FROM kept") == [(5,)]
    assert_frame_equal(read(_address(scheme, tmp_path)).source.frame, PEOPLE)  # type: ignore[attr-defined]


@every_scheme
def test_a_table_is_replaced_only_by_force(scheme: str, tmp_path: Path) -> None:
    address = _address(scheme, tmp_path)
    write(read(PEOPLE), address)
    write(read(PEOPLE.head(1)), _address(scheme, tmp_path, "kept"))
    for name in ("people", "PEOPLE"):
        with pytest.raises(WriteError, match=r"is already there: choose another name, or add force=True"):
            write(read(PEOPLE), _address(scheme, tmp_path, name))
    write(read(PEOPLE.head(3)), address, force=True)
    assert read(address).n_records == 3
    assert read(_address(scheme, tmp_path, "kept")).n_records == 1


@every_scheme
def test_nothing_of_a_replaced_table_is_left_unsaid(
    scheme: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing of it is left in the file of SQLite; that of DuckDB may hold parts of it, which a notice says."""
    path = tmp_path / f"in.{scheme}"
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
    _execute(scheme, path, f"CREATE TABLE people AS {numbers} SELECT 'ORIGINAL' || i AS name FROM n")
    assert b"ORIGINAL" in path.read_bytes()
    write(read(PEOPLE), _address(scheme, tmp_path, "another"))
    assert not caplog.messages
    write(read(PEOPLE), _address(scheme, tmp_path, "PEOPLE"), force=True)
    if scheme == "sqlite":
        assert b"ORIGINAL" not in path.read_bytes()
        assert not caplog.messages
    else:
        assert ["does not overwrite what it frees" in message for message in caplog.messages] == [True]


def test_errors_of_sqlite_show_no_value(tmp_path: Path) -> None:
    path = tmp_path / "in.sqlite"
    _execute("sqlite", path, "CREATE TABLE people (x REAL, name TEXT)")
    _execute("sqlite", path, "INSERT INTO people VALUES (1, CAST(X'534543524554FC' AS TEXT))")
    with pytest.raises(ReadError, match="column 'name' of table 'people' holds a text that is not in UTF-8") as raised:
        read(path)
    assert "SECRET" not in str(raised.value)
    assert raised.value.__cause__ is None
    with pytest.raises(ReadError, match="not in UTF-8"):
        first_records(path, Reading())


@every_scheme
def test_errors_of_a_view_show_no_value(scheme: str, tmp_path: Path) -> None:
    path = tmp_path / f"in.{scheme}"
    _execute(scheme, path, "CREATE TABLE people (name VARCHAR)", "INSERT INTO people VALUES ('SECRET')")
    failing = "json_extract(name, name)" if scheme == "sqlite" else "CAST(name AS INTEGER)"
    _execute(scheme, path, f"CREATE VIEW failing AS SELECT {failing} AS x FROM people")
    with pytest.raises(ReadError, match=r"cannot be read: \w+, of which .* own program shows more") as raised:
        read(_address(scheme, tmp_path, "failing"))
    assert "SECRET" not in str(raised.value)


@every_scheme
def test_the_input_itself_is_never_written(scheme: str, tmp_path: Path) -> None:
    address = _address(scheme, tmp_path)
    write(read(PEOPLE), address)
    table = read(address)
    with pytest.raises(WriteError, match="is the input itself: choose another name"):
        write(table, address, force=True)
    write(table, _address(scheme, tmp_path, "copy"))
    assert_frame_equal(read(_address(scheme, tmp_path, "copy")).source.frame, PEOPLE)  # type: ignore[attr-defined]


@every_scheme
def test_a_failure_leaves_the_database_as_it_was(scheme: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The copy fails after the old table is dropped: that is undone."""
    address = _address(scheme, tmp_path)
    write(read(PEOPLE), address)
    target = location(address)
    assert isinstance(target, DatabaseTable)
    save = databases.save_table

    def save_another_name(source: Any, changed: Any, path: Path, wanted: DatabaseTable) -> None:
        save(source, changed, path, DatabaseTable(wanted.kind, wanted.path, "another"))

    monkeypatch.setattr(sys.modules["microagg.write"], "save_table", save_another_name)
    with pytest.raises((WriteError, TypeError)):
        write(read(PEOPLE.head(1)), address, force=True)
    monkeypatch.undo()
    assert_frame_equal(read(address).source.frame, PEOPLE)  # type: ignore[attr-defined]
    assert [path.name for path in tmp_path.iterdir()] == [f"in.{scheme}"]


@every_scheme
def test_targets_that_cannot_be_are_refused(scheme: str, tmp_path: Path) -> None:
    table = read(PEOPLE)
    with pytest.raises(WriteError, match=r"names no table: add it, as in .*\?table=release"):
        write(table, f"{scheme}:///{tmp_path}/out.{scheme}")
    with pytest.raises(WriteError, match=rf"would be a \w+ database: name its table, as in {scheme}:///out\.{scheme}"):
        write(table, tmp_path / f"out.{scheme}")
    with pytest.raises(WriteError, match="is not there: make it first"):
        write(table, f"{scheme}:///{tmp_path}/none/out.{scheme}?table=x")
    (tmp_path / "text.csv").write_text("a,b\n1,2\n")
    with pytest.raises(WriteError, match=r"database .* cannot be read"):
        write(table, f"{scheme}:///{tmp_path}/text.csv?table=x")
    assert (tmp_path / "text.csv").read_text() == "a,b\n1,2\n"


def test_an_address_of_the_other_kind_is_refused(tmp_path: Path) -> None:
    write(read(PEOPLE), _address("sqlite", tmp_path))
    with pytest.raises(ReadError, match="is an SQLite file, not a DuckDB database: correct the address"):
        read(f"duckdb:///{tmp_path}/in.sqlite?table=people")
    (tmp_path / "in.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ReadError, match="is a CSV file, not a SQLite database"):
        read(f"sqlite:///{tmp_path}/in.csv?table=people")
    with pytest.raises(ReadError, match=r"cannot read .*none\.db.*: No such file"):
        read(f"sqlite:///{tmp_path}/none.db?table=people")


@every_scheme
def test_what_was_not_closed_is_refused(scheme: str, tmp_path: Path) -> None:
    address = _address(scheme, tmp_path)
    write(read(PEOPLE), address)
    log = tmp_path / f"in.{scheme}{'.wal' if scheme == 'duckdb' else '-wal'}"
    log.touch()
    assert read(address).n_records == 4, "an empty log holds nothing"
    log.write_bytes(b"x")
    with pytest.raises(ReadError, match=f"what was last written to .* is still in {log.name} beside it"):
        read(address)


@every_scheme
def test_damaged_databases_are_refused(scheme: str, tmp_path: Path) -> None:
    address = _address(scheme, tmp_path)
    write(read(PEOPLE), address)
    path = tmp_path / f"in.{scheme}"
    path.write_bytes(path.read_bytes()[:100] + b"\xff" * 3000)
    with pytest.raises(ReadError, match=r"database .* cannot be read"):
        read(address)


@every_scheme
def test_options_of_text_files_are_refused(scheme: str, tmp_path: Path) -> None:
    write(read(PEOPLE), _address(scheme, tmp_path))
    with pytest.raises(ReadError, match="'delimiter' tells how a text file is read, found the"):
        read(_address(scheme, tmp_path), delimiter=";")


def test_a_table_is_no_option_of_other_files(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ReadError, match="'table_name' names one of several tables in a file, found the CSV file"):
        read(tmp_path / "in.csv", table_name="people")
    with pytest.raises(ReadError, match="'table_name' names one of several tables in a file, found a DataFrame"):
        read(PEOPLE, table_name="people")
    with pytest.raises(InputError, match="table_name must name a sheet, an object or a table, found ''"):
        read(tmp_path / "in.csv", table_name="")


@every_scheme
def test_a_table_is_protected_into_another_database(scheme: str, tmp_path: Path) -> None:
    people = PEOPLE.with_columns(income=pl.Series([1.0, 2.0, 8.0, 9.0]))
    write(read(people), _address(scheme, tmp_path))
    other = SCHEMES[1 - SCHEMES.index(scheme)]
    target = _address(other, tmp_path, "safe", "out")
    plan = Plan(k=2, columns=["income"], identifiers=["name"])
    release = protect_file(_address(scheme, tmp_path), target, plan=plan)
    assert release.path == location(target)
    released = read(target)
    assert released.values("income") == [1.5, 1.5, 8.5, 8.5]
    assert verify(_address(scheme, tmp_path), target, plan=plan).passed
    found = changes(_address(scheme, tmp_path), target, plan=plan)
    assert (found.changed, found.dropped, found.unplanned) == (("income",), ("name",), ())


def test_types_of_duckdb_are_kept(tmp_path: Path) -> None:
    columns = {
        "i": ("SMALLINT", "1"),
        "h": ("HUGEINT", "170141183460469231731687303715884105727"),
        "d": ("DECIMAL(18,3)", "1.250"),
        "r": ("FLOAT", "0.5"),
        "s": ("VARCHAR", "'x'"),
        "e": ("ENUM('low', 'it''s high')", "'low'"),
        "u": ("UUID", "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'"),
        "t": ("TIME", "'10:30:00'"),
        "z": ("TIMESTAMP WITH TIME ZONE", "'2020-01-01 10:00:00+02'"),
        "n": ("TIMESTAMP_NS", "'2020-01-01 10:00:00.123456789'"),
        "v": ("INTERVAL", "INTERVAL 3 DAY"),
        "l": ("INTEGER[]", "[1, 2]"),
        "b": ("BLOB", "'x'::BLOB"),
    }
    defined = ", ".join(f"{name} {kind}" for name, (kind, _) in columns.items())
    values = ", ".join(value for _, value in columns.values())
    nothing = ", ".join("NULL" for _ in columns)
    path = tmp_path / "in.duckdb"
    _execute("duckdb", path, f"CREATE TABLE t ({defined})", f"INSERT INTO t VALUES ({values}), ({nothing})")
    table = read(path)
    assert table.source.description("e") == {"type": "ENUM"}  # type: ignore[attr-defined]
    assert table.column("e").categories == ("low", "it's high")
    assert table.values("h") == [170141183460469231731687303715884105727, None]
    assert table.values("d") == [Decimal("1.250"), None]
    write(table, f"duckdb:///{tmp_path}/out.duckdb?table=t")
    for query in ("SELECT column_name, column_type FROM (DESCRIBE t)", "SELECT COLUMNS(*)::VARCHAR FROM t"):
        assert _execute("duckdb", tmp_path / "out.duckdb", query) == _execute("duckdb", path, query)
    write(table, f"duckdb:///{path}?table=second")
    query = "SELECT column_type FROM (DESCRIBE second)"
    assert [row[0] for row in _execute("duckdb", path, query)] == [kind for kind, _ in columns.values()]


def test_an_enumeration_that_is_protected_lists_what_is_released(tmp_path: Path) -> None:
    path = tmp_path / "in.duckdb"
    kind = "ENUM('a', 'b', 'RARE')"
    value = "CASE WHEN i = 0 THEN 'RARE' WHEN i % 2 = 0 THEN 'a' ELSE 'b' END"
    made = f"SELECT i * 1.5 AS x, CAST({value} AS {kind}) AS c, CAST('a' AS {kind}) AS other FROM range(20) t(i)"
    _execute("duckdb", path, f"CREATE TABLE t AS {made}")
    plan = Plan(k=3, columns=["x", "c"], nominal=["c"])
    protect_file(path, f"duckdb:///{tmp_path}/out.duckdb?table=t", plan=plan)
    types = dict(_execute("duckdb", tmp_path / "out.duckdb", "SELECT column_name, column_type FROM (DESCRIBE t)"))
    assert types["c"] == "ENUM('a', 'b')"
    assert types["other"] == kind, "not replaced"


def test_tables_of_other_schemas_are_named_with_them(tmp_path: Path) -> None:
    path = tmp_path / "in.duckdb"
    statements = ["CREATE SCHEMA s", "CREATE TABLE s.t AS SELECT 5 AS x", "CREATE TABLE t AS SELECT 6 AS x"]
    _execute("duckdb", path, *statements)
    assert read(path, table_name="t").values("x") == [6]
    assert read(path, table_name="s.t").values("x") == [5]


def test_python_objects_are_refused_by_duckdb(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": pl.Series([1, "a"], dtype=pl.Object)})
    with pytest.raises(WriteError, match="column 'x' has Python objects, which a DuckDB table cannot hold"):
        write(read(frame), f"duckdb:///{tmp_path}/out.duckdb?table=t")
    assert list(tmp_path.iterdir()) == []


@every_scheme
def test_first_records_and_memory_are_known_before(scheme: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": range(1500), "s": ["text"] * 1500})
    write(read(frame), _address(scheme, tmp_path))
    write(read(PEOPLE), _address(scheme, tmp_path, "small"))
    first = first_records(_address(scheme, tmp_path), Reading())
    assert (first.table.n_records, first.n_records) == (1000, 1500)
    path = tmp_path / f"in.{scheme}"
    memory = [estimated_memory(path, Reading(table_name=name)) for name in ("small", "people")]
    assert memory[0] < 4 * 6 * 200
    assert 1500 * 16 < memory[1] < 1500 * 400


def test_a_table_larger_than_memory_is_refused_by_its_own_size(tmp_path: Path) -> None:
    large = pl.DataFrame({"x": pl.zeros(40_000, eager=True)})
    write(read(large), f"duckdb:///{tmp_path}/in.duckdb?table=large")
    write(read(PEOPLE), f"duckdb:///{tmp_path}/in.duckdb?table=small")
    with pytest.raises(ReadError, match="a DuckDB file is read as a whole: convert it to Parquet first, or allow more"):
        read(tmp_path / "in.duckdb", table_name="large", memory=1000, folder=tmp_path)
    small = read(tmp_path / "in.duckdb", table_name="small", memory=100_000, folder=tmp_path)
    assert small.n_records == 4
    with Workspace() as workspace:
        assert workspace.fits(f"duckdb:///{tmp_path}/in.duckdb?table=large")


def test_a_run_is_resumed_only_on_the_same_table(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(read(PEOPLE), _address("sqlite", tmp_path, name))
    prints = [fingerprint(Plan(k=2), read(_address("sqlite", tmp_path, name))) for name in ("one", "two", "one")]
    assert prints[0] != prints[1]
    assert prints[0] == prints[2]


def test_a_missing_extra_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(read(PEOPLE), _address("duckdb", tmp_path))
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ReadError, match=r"needs the package duckdb: pip install 'microagg\[duckdb\]'"):
        read(_address("duckdb", tmp_path))
    with pytest.raises(WriteError, match=r"^the DuckDB database out\.duckdb needs the package duckdb: pip install"):
        write(read(PEOPLE), _address("duckdb", tmp_path, "x", "out"))


@pytest.mark.parametrize("scheme", ["duckdb", "sqlite"])
def test_an_error_names_the_file_that_was_named(scheme: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not the one in a work folder, which is written first."""
    monkeypatch.setattr(duckdb_tables, "_written", lambda *_: "no_such_column")
    same_to_sqlite = read(pl.DataFrame({"a": [1], "A": [2]}))
    with pytest.raises(WriteError, match=rf"^the \w+ database out\.{scheme} cannot be written: "):
        write(same_to_sqlite, _address(scheme, tmp_path, file="out"))
    assert [*tmp_path.iterdir()] == []


def test_a_database_cannot_come_from_standard_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from files import Stream

    write(read(PEOPLE), _address("sqlite", tmp_path))
    monkeypatch.setattr("sys.stdin", Stream((tmp_path / "in.sqlite").read_bytes()))
    with pytest.raises(ReadError, match="a SQLite database cannot come from standard input: name its file"):
        read("-")
