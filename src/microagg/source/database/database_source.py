"""Tables of databases as a source of columns, with the types that the database declares."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from microagg.model.reading import Reading
from microagg.source.frame import FrameSource

if TYPE_CHECKING:
    import polars as pl


class DeclaredType(NamedTuple):
    """Type of a column, in the words of the database."""

    name: str
    time_format: str | None = None  # of dates and times that are held as texts

    def __str__(self) -> str:
        """Return the type without the categories that it may list."""
        return "ENUM" if self.name.startswith("ENUM") else self.name


class TableContent(NamedTuple):
    """Records of a table of a database, or the first of them."""

    frame: "pl.DataFrame"
    declared: Mapping[str, DeclaredType]
    n_records: int  # of all records


class OpenDatabase(Protocol):
    """Database that is open for reading, by a connection that cannot write."""

    def tables(self) -> dict[str, bool]:
        """Return the names of the tables and views, and whether each is a view."""

    def content(self, table: str, n_records: int | None = None) -> TableContent:
        """Return a table, or its first records."""

    def estimated_memory(self, table: str) -> int:
        """Estimate the bytes that a table takes in memory."""


class DatabaseEngine(Protocol):
    """What reads and writes databases of one kind."""

    def reading(self, path: Path) -> AbstractContextManager[OpenDatabase]:
        """Open a database for reading; raise `ReadError` if it is damaged or in use, also later on."""

    def save(self, frame: "pl.DataFrame", declared: Mapping[str, DeclaredType], path: Path, table: str) -> None:
        """Write a dataframe as the only table of a new database, some columns with a type that is declared."""

    def add(self, temporary: Path, path: Path, table: str, *, replace: bool) -> None:
        """Copy the table of a new database to one that is there, in one transaction."""


@dataclass(frozen=True, eq=False, repr=False)
class DatabaseSource(FrameSource):
    """Source of the columns of a table of a database.

    Parameters
    ----------
    table
        Name of the table.
    declared
        The type that the database declares for each column.
    reading
        The user's options for reading it.
    """

    table: str = ""
    declared: Mapping[str, DeclaredType] = field(default_factory=dict)
    reading: Reading = field(default_factory=Reading)

    def __repr__(self) -> str:
        file = "" if self.path is None else f"{self.path.name!r}, "
        size = f"{self.n_records} records, {len(self.names)} columns"
        return f"DatabaseSource({file}{self.file_kind}, table {self.table!r}, {size})"

    def description(self, name: str | None) -> Mapping[str, Any]:
        """Return the type of a column, or with None the name of the table."""
        return {"table": self.table} if name is None else {"type": str(self.declared[name])}


def quoted(name: str) -> str:
    """Return a name as SQL takes it, whatever characters it has."""
    return '"' + name.replace('"', '""') + '"'
