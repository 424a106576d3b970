"""Tables of SQLite, read by a connection that cannot write, and written in one transaction."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from microagg.model.errors import ReadError, WriteError
from microagg.source.database.database_source import DeclaredType, TableContent, quoted
from microagg.source.database.sqlite_columns import series_of_stored, stored_values, type_of_series

if TYPE_CHECKING:
    import sqlite3

    import polars as pl

_LISTED = "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND substr(name, 1, 7) <> 'sqlite_'"
_ABOUT_FILES = (5, 6, 7, 8, 10, 11, 13, 14, 26)  # codes of errors: locked, read-only, damaged, full, … files
_BYTES_PER_VALUE = 64  # as Python's objects and as polars holds them


@dataclass(frozen=True)
class OpenSQLite:
    """SQLite database that is open for reading.

    Parameters
    ----------
    connection
        A connection that cannot write.
    """

    connection: "sqlite3.Connection"

    def tables(self) -> dict[str, bool]:
        """Return the names of the tables and views, and whether each is a view."""
        return {name: kind == "view" for name, kind in self.connection.execute(_LISTED)}

    def content(self, table: str, n_records: int | None = None) -> TableContent:
        """Return a table, or its first records."""
        import polars as pl

        limit = "" if n_records is None else f" LIMIT {n_records}"
        names = self._names(table)
        with _readable_texts(table, names):
            rows = self.connection.execute(f"SELECT * FROM {quoted(table)}{limit}").fetchall()
        types = dict(self.connection.execute("SELECT name, type FROM pragma_table_xinfo(?)", (table,)).fetchall())
        counted = f"SELECT count(*) FROM {quoted(table)}"
        n_all = len(rows) if n_records is None else int(self.connection.execute(counted).fetchone()[0])
        columns = zip(*rows, strict=True) if rows else ([] for _ in names)
        series = {}
        declared = {}
        for name, values in zip(names, columns, strict=True):
            kind = types.get(name) or ""
            series[name], time_format = series_of_stored(list(values), kind)
            declared[name] = DeclaredType(kind, time_format)
        return TableContent(pl.DataFrame(series), declared, n_all)

    def estimated_memory(self, table: str) -> int:
        """Estimate the bytes that a table takes in memory."""
        names = self._names(table)
        lengths = ", ".join(f"sum(length({quoted(name)}))" for name in names)
        found = self.connection.execute(f"SELECT count(*), {lengths} FROM {quoted(table)}").fetchone()
        n_records, *sums = (int(number or 0) for number in found)
        return n_records * len(names) * _BYTES_PER_VALUE + sum(sums)

    def _names(self, table: str) -> list[str]:
        nothing = self.connection.execute(f"SELECT * FROM {quoted(table)} LIMIT 0")
        return [column[0] for column in nothing.description]


class SQLiteTables:
    """What reads and writes SQLite databases."""

    @contextmanager
    def reading(self, path: Path) -> Iterator[OpenSQLite]:
        """Open a database for reading; raise `ReadError` if it is damaged or in use, also later on."""
        import sqlite3

        try:
            address = f"file:{quote(str(path.absolute()))}?mode=ro"
            with closing(sqlite3.connect(address, uri=True)) as connection:
                connection.execute("PRAGMA trusted_schema = OFF")  # nothing that a view says has effects
                yield OpenSQLite(connection)
        except sqlite3.Error as error:
            raise ReadError(f"the SQLite database {path} cannot be read: {_reason(error)}") from None

    def save(self, frame: "pl.DataFrame", declared: Mapping[str, DeclaredType], path: Path, table: str) -> None:
        """Write a dataframe as the only table of a new database, some columns with a type that is declared."""
        types = {series.name: declared.get(series.name) or type_of_series(series) for series in frame.iter_columns()}
        defined = ", ".join(f"{quoted(name)} {kind.name}".strip() for name, kind in types.items())
        columns = [stored_values(series, types[series.name].time_format) for series in frame.iter_columns()]
        marks = ", ".join("?" * len(columns))
        with _writing(path) as connection:
            connection.execute("BEGIN")
            connection.execute(f"CREATE TABLE {quoted(table)} ({defined})")
            connection.executemany(f"INSERT INTO {quoted(table)} VALUES ({marks})", zip(*columns, strict=True))
            connection.execute("COMMIT")

    def add(self, temporary: Path, path: Path, table: str, *, replace: bool) -> None:
        """Copy the table of a new database to one that is there, in one transaction."""
        with _writing(path) as connection:
            connection.execute("PRAGMA secure_delete = ON")  # nothing of a table that is replaced stays in the file
            connection.execute("ATTACH ? AS microagg_new", (str(temporary),))
            connection.execute("BEGIN IMMEDIATE")
            if replace:
                connection.execute(f"DROP TABLE IF EXISTS main.{quoted(table)}")
            definition = "SELECT sql FROM microagg_new.sqlite_master WHERE name = ?"
            connection.execute(connection.execute(definition, (table,)).fetchone()[0])
            connection.execute(f"INSERT INTO main.{quoted(table)} SELECT * FROM microagg_new.{quoted(table)}")
            connection.execute("COMMIT")


@contextmanager
def _readable_texts(table: str, names: Sequence[str]) -> Iterator[None]:
    """Raise `ReadError` if a text is in no encoding that SQLite has: its own error would show it."""
    import sqlite3

    try:
        yield
    except sqlite3.OperationalError as error:
        if hasattr(error, "sqlite_errorcode"):
            raise
        shown = (name for name in names if str(error).startswith(f"Could not decode to UTF-8 column '{name}' with"))
        column = next(shown, None)
        where = f"table {table!r}" if column is None else f"column {column!r} of table {table!r}"
        raise ReadError(
            f"{where} holds a text that is not in UTF-8: convert it, or drop the column by a view"
        ) from None


@contextmanager
def _writing(path: Path) -> "Iterator[sqlite3.Connection]":
    """Open a database, which is made if it is not there; raise `WriteError` if that, or what is done with it, fails.

    What is not committed is undone.
    """
    import sqlite3

    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            yield connection
    except sqlite3.Error as error:
        raise WriteError(f"the SQLite database {path.name} cannot be written: {_reason(error)}") from None


def _reason(error: "sqlite3.Error") -> str:
    """Return why SQLite has failed; only what it says of files, as other messages may show values."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None and code & 0xFF in _ABOUT_FILES:
        return str(error)
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    return f"{name}, of which SQLite's own program shows more"
