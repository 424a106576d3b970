"""Tables of DuckDB, read by a connection that cannot write, and written in one transaction, both by way of Arrow."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microagg.model.errors import ReadError, WriteError
from microagg.source.database.database_source import DeclaredType, TableContent, quoted
from microagg.source.file_handler import needing_extra

if TYPE_CHECKING:
    import duckdb
    import polars as pl

_log = logging.getLogger("microagg")

_CLOSED = {  # nothing that a file says makes DuckDB read others, or load anything from elsewhere
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "enable_external_access": "false",
}
_LISTED = """
    SELECT table_schema, table_name, table_type FROM information_schema.tables
    WHERE table_catalog = current_database() ORDER BY table_schema <> 'main', table_schema, table_name
"""
_READ_AS_TEXT = ("INTERVAL", "BIT", "TIME WITH TIME ZONE", "UNION", "MAP", "VARIANT")  # types that polars lacks
_BYTES_PER_VALUE = 16
_COPIES = 2  # of a table while it is read: as Arrow, and as polars hold it


@dataclass(frozen=True)
class OpenDuckDB:
    """DuckDB database that is open for reading.

    Parameters
    ----------
    connection
        A connection that cannot write.
    """

    connection: "duckdb.DuckDBPyConnection"

    def tables(self) -> dict[str, bool]:
        """Return the names of the tables and views, and whether each is a view."""
        return {_name(schema, name): kind == "VIEW" for schema, name, kind in self._listed()}

    def content(self, table: str, n_records: int | None = None) -> TableContent:
        """Return a table, or its first records."""
        import polars as pl

        place = self._place(table)
        declared = self._declared(place)
        columns = ", ".join(_selected(name, kind.name) for name, kind in declared.items())
        limit = "" if n_records is None else f" LIMIT {n_records}"
        relation = self.connection.sql(f"SELECT {columns} FROM {place}{limit}")
        casts = {name: _polars_type(kind) for name, kind in zip(relation.columns, relation.types, strict=True)}
        frame = pl.DataFrame(pl.from_arrow(relation.to_arrow_table()))
        series = [frame.get_column(name).cast(dtype) for name, dtype in casts.items() if dtype is not None]
        n_all = frame.height if n_records is None else int(self._row(f"SELECT count(*) FROM {place}")[0])
        return TableContent(frame.with_columns(series), declared, n_all)

    def estimated_memory(self, table: str) -> int:
        """Estimate the bytes that a table takes in memory."""
        place = self._place(table)
        declared = self._declared(place)
        texts = [f"sum(strlen({quoted(name)}))" for name, kind in declared.items() if kind.name == "VARCHAR"]
        found = self._row(f"SELECT {', '.join(['count(*)', *texts])} FROM {place}")
        n_records, *lengths = (int(number or 0) for number in found)
        return _COPIES * (n_records * len(declared) * _BYTES_PER_VALUE + sum(lengths))

    def _row(self, query: str) -> Sequence[Any]:
        row: Sequence[Any] = self.connection.execute(query).fetchall()[0]
        return row

    def _listed(self) -> list[tuple[str, str, str]]:
        return [tuple(row) for row in self.connection.execute(_LISTED).fetchall()]

    def _place(self, table: str) -> str:
        """Return the table of this name, as SQL names it."""
        schema, name, _ = next(one for one in self._listed() if _name(*one[:2]) == table)
        return f"{quoted(schema)}.{quoted(name)}"

    def _declared(self, place: str) -> dict[str, DeclaredType]:
        rows = self.connection.execute(f"DESCRIBE SELECT * FROM {place}").fetchall()
        return {row[0]: DeclaredType(row[1]) for row in rows}


class DuckDBTables:
    """What reads and writes DuckDB databases."""

    @contextmanager
    def reading(self, path: Path) -> Iterator[OpenDuckDB]:
        """Open a database for reading; raise `ReadError` if it is damaged or in use, also later on."""
        duckdb = _library(str(path), ReadError)
        try:
            with duckdb.connect(str(path), read_only=True, config=dict(_CLOSED)) as connection:
                yield OpenDuckDB(connection)
        except duckdb.Error as error:
            raise ReadError(f"the DuckDB database {path} cannot be read: {_reason(error)}") from None

    def save(self, frame: "pl.DataFrame", declared: Mapping[str, DeclaredType], path: Path, table: str) -> None:
        """Write a dataframe as the only table of a new database, some columns with a type that is declared."""
        columns = ", ".join(_written(series, declared.get(series.name)) for series in frame.iter_columns())
        with _writing(path) as connection:
            connection.register("microagg_new", _transported(frame).to_arrow())
            connection.execute(f"CREATE TABLE {quoted(table)} AS SELECT {columns} FROM microagg_new")

    def add(self, temporary: Path, path: Path, table: str, *, replace: bool) -> None:
        """Copy the table of a new database to one that is there, in one transaction."""
        with _writing(path) as connection:
            connection.execute(f"ATTACH {_text(str(temporary))} AS microagg_new (READ_ONLY)")
            connection.execute("BEGIN TRANSACTION")
            n_before = _n_tables(connection)
            if replace:
                connection.execute(f"DROP TABLE IF EXISTS main.{quoted(table)}")
            is_replaced = _n_tables(connection) < n_before
            copied = f"SELECT * FROM microagg_new.main.{quoted(table)}"
            connection.execute(f"CREATE TABLE main.{quoted(table)} AS {copied}")
            connection.execute("COMMIT")
        if is_replaced:
            _log.warning(
                "parts of the table that was replaced may be left in the file %s, as DuckDB does not overwrite what it "
                "frees: hand over a table in a new database, not this file",
                path.name,
            )


def _library(file: str, error: type[ReadError | WriteError]) -> Any:
    """Return the library; raise an error that says how to install it, or pyarrow, by which tables are handed over."""
    with needing_extra("duckdb", f"the DuckDB database {file}", error):
        import duckdb
        import pyarrow as pa  # noqa: F401
    return duckdb


@contextmanager
def _writing(path: Path) -> "Iterator[duckdb.DuckDBPyConnection]":
    """Open a database, which is made if it is not there; raise `WriteError` if that, or what is done with it, fails."""
    duckdb = _library(path.name, WriteError)
    try:
        with duckdb.connect(str(path)) as connection:
            yield connection
    except duckdb.Error as error:
        reason = _reason(error).replace(str(path), path.name)  # of a new database, it is in a work folder
        raise WriteError(f"the DuckDB database {path.name} cannot be written: {reason}") from None


def _reason(error: Exception) -> str:
    """Return why DuckDB has failed; only what it says of files, as other messages may show values."""
    import duckdb

    if isinstance(error, duckdb.IOException):
        return str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}, of which DuckDB's own program shows more"


def _n_tables(connection: "duckdb.DuckDBPyConnection") -> int:
    """Return the number of tables of an open database, without those that are attached."""
    query = "SELECT count(*) FROM duckdb_tables() WHERE database_name = current_database()"
    return int(connection.execute(query).fetchall()[0][0])


def _name(schema: str, name: str) -> str:
    return name if schema == "main" else f"{schema}.{name}"


def _selected(name: str, declared: str) -> str:
    """Return a column as it is selected: one of a type that polars lacks as texts."""
    is_text = declared.startswith(_READ_AS_TEXT)
    return f"CAST({quoted(name)} AS VARCHAR) AS {quoted(name)}" if is_text else quoted(name)


def _polars_type(kind: Any) -> Any:
    """Return the type of polars for a column whose type Arrow tells otherwise; None for any other."""
    import polars as pl

    if kind.id == "enum":
        return pl.Enum(dict(kind.children)["values"])
    if kind.id == "timestamp with time zone":
        return pl.Datetime("us", "UTC")  # in place of the zone of this machine
    return pl.Int128 if kind.id == "hugeint" else None


def _transported(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Return a dataframe of types that Arrow has: huge integers as texts; refuse Python objects."""
    import polars as pl

    for series in frame.iter_columns():
        if series.dtype == pl.Object:
            raise WriteError(
                f"column {series.name!r} has Python objects, which a DuckDB table cannot hold: convert it, drop it, or "
                "write another kind of file"
            )
    huge = [series.cast(pl.String) for series in frame.iter_columns() if series.dtype in (pl.Int128, pl.UInt128)]
    return frame.with_columns(huge)


def _written(series: "pl.Series", declared: DeclaredType | None) -> str:
    """Return a column as it is selected to be written: of the declared type, or of that of polars."""
    import polars as pl

    kind = None if declared is None else declared.name
    if kind is None and series.dtype in (pl.Int128, pl.UInt128):
        kind = "HUGEINT"
    if kind is None and isinstance(series.dtype, pl.Enum) and len(series.dtype.categories):
        kind = f"ENUM({', '.join(map(_text, series.dtype.categories.to_list()))})"
    if kind is None and series.dtype in (pl.Categorical, pl.Enum, pl.Null):
        kind = "VARCHAR"
    return quoted(series.name) if kind is None else f"CAST({quoted(series.name)} AS {kind}) AS {quoted(series.name)}"


def _text(text: str) -> str:
    """Return a text as SQL takes it."""
    return "'" + text.replace("'", "''") + "'"
