"""Databases: the handler that reads their tables, and tables written to a new database or to one that is there."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from microagg.model.errors import ReadError, WriteError
from microagg.model.location import DatabaseKind, DatabaseTable
from microagg.model.reading import Reading
from microagg.model.source_protocol import Changes, Source
from microagg.source.database.database_source import DatabaseEngine, DatabaseSource, OpenDatabase
from microagg.source.database.duckdb_tables import DuckDBTables
from microagg.source.database.sqlite_tables import SQLiteTables
from microagg.source.file_handler import FileContent, FirstRecords
from microagg.source.table_choice import chosen_table
from microagg.source.watched_file import WatchedFile

_ENGINES: dict[DatabaseKind, DatabaseEngine] = {"DuckDB": DuckDBTables(), "SQLite": SQLiteTables()}
_LOGS: dict[DatabaseKind, str] = {"DuckDB": ".wal", "SQLite": "-wal"}  # endings of write-ahead logs


@dataclass(frozen=True)
class DatabaseHandler:
    """What reads the tables of databases of one kind.

    Parameters
    ----------
    kind
        Kind of the databases.
    """

    kind: DatabaseKind

    @property
    def written_suffixes(self) -> tuple[str, ...]:
        """No endings: a table is written by its address."""
        return ()

    def read(self, content: FileContent) -> Source:
        """Return a table as a source; raise `ReadError` if the database is damaged or in use."""
        if content.path is None:
            raise ReadError(f"a {self.kind} database cannot come from standard input: name its file")
        return self._source(content.path, content.reading, sha256=content.sha256)[0]

    def first_records(self, file: WatchedFile, n_records: int, reading: Reading) -> FirstRecords:
        """Return the first records of a table; raise `ReadError` if the database is damaged or in use."""
        return FirstRecords(*self._source(file.path, reading, n_records))

    def estimated_memory(self, file: WatchedFile, reading: Reading) -> int:
        """Estimate the bytes that a table takes in memory."""
        with self._reading(file.path) as database:
            return database.estimated_memory(_table(database, file.path, reading))

    def write(self, source: Source, changes: Changes, path: Path) -> None:
        """Refuse to write a database without the name of a table."""
        raise WriteError(f"the output {path} would be a {self.kind} database: give the address of a table")

    def _source(
        self, path: Path, reading: Reading, n_records: int | None = None, *, sha256: str | None = None
    ) -> tuple[Source, int]:
        """Return the source of a table, or of its first records, and the number of all."""
        with self._reading(path) as database:
            table = _table(database, path, reading)
            content = database.content(table, n_records)
        source = DatabaseSource(
            content.frame,
            path=path,
            file_kind=self.kind,
            sha256=sha256,
            table=table,
            declared=content.declared,
            reading=reading,
        )
        return source, content.n_records

    def _reading(self, path: Path) -> AbstractContextManager[OpenDatabase]:
        """Open a database for reading; refuse one of which a part is in a log beside it."""
        log = path.with_name(f"{path.name}{_LOGS[self.kind]}")
        if log.exists() and log.stat().st_size:
            raise ReadError(
                f"what was last written to {path} is still in {log.name} beside it: close the program that uses it, so "
                "that all of it is in the database"
            )
        return _ENGINES[self.kind].reading(path)


def _table(database: OpenDatabase, path: Path, reading: Reading) -> str:
    return chosen_table(list(database.tables()), reading.table_name, str(path), "table")


def check_table_free(target: DatabaseTable, *, force: bool) -> None:
    """Refuse the address of a table that cannot be written, or that is there already.

    Raises
    ------
    WriteError
        If there is no name of a table, if the file is no database, or if the table is there and may not be replaced.
    """
    if target.table is None:
        raise WriteError(f"the output {target} names no table: add it, as in {target}?table=release")
    if not target.path.exists():
        return
    try:
        with _ENGINES[target.kind].reading(target.path) as database:
            tables = database.tables()
    except ReadError as error:
        raise WriteError(str(error)) from None
    folded = {name.casefold(): name for name in tables}  # databases do not tell capitals apart
    found = folded.get(target.table.casefold())
    if found is not None and tables[found]:
        raise WriteError(f"the output {target} is a view of that database: choose another name")
    if found is not None and not force:
        raise WriteError(f"the output {target} is already there: choose another name, or add force=True (--force)")


def save_table(source: Source, changes: Changes, path: Path, target: DatabaseTable) -> None:
    """Write a source with its changes as the only table of a new database, of the kind and name of a target.

    Columns of a database of this kind keep their types, unless they are replaced by values of another type.
    """
    assert target.table is not None, "checked before"
    frame = source.written(changes, target.kind)
    declared = {}
    if isinstance(source, DatabaseSource) and source.file_kind == target.kind:
        same = [name for name in frame.columns if frame.schema[name] == source.frame.schema[name]]
        declared = {name: source.declared[name] for name in same}
    _ENGINES[target.kind].save(frame, declared, path, target.table)


def add_table(temporary: Path, target: DatabaseTable, *, force: bool) -> None:
    """Copy the table of a new database to the database of a target, by one transaction: completely, or not at all."""
    assert target.table is not None, "checked before"
    _ENGINES[target.kind].add(temporary, target.path, target.table, replace=force)
