"""Location of a table: a file, or a table in the file of a database, by its address."""

import re
from dataclasses import dataclass
from os import PathLike, fsdecode
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qsl, quote, unquote

from microagg.model.errors import InputError

DatabaseKind = Literal["DuckDB", "SQLite"]

_KINDS: dict[str, DatabaseKind] = {"duckdb": "DuckDB", "sqlite": "SQLite"}
_EXAMPLE = "duckdb:///people.duckdb?table=people (three slashes before a relative path, four before an absolute one)"
_REMOTE = re.compile(r"(?:md|motherduck|https?|s3|gcs|gs|az|hf):", re.IGNORECASE)


@dataclass(frozen=True)
class DatabaseTable:
    """Address of a table in the file of a database.

    Parameters
    ----------
    kind
        Kind of the database.
    path
        Its file.
    table
        Name of the table; None: the only one.
    """

    kind: DatabaseKind
    path: Path
    table: str | None = None

    def __str__(self) -> str:
        table = "" if self.table is None else f"?table={quote(self.table, safe='')}"
        return f"{self.kind.lower()}:///{quote(self.path.as_posix())}{table}"

    def __fspath__(self) -> str:
        """Return the address, so that it stands wherever a path does."""
        return str(self)


Location = Path | DatabaseTable
"""Where a table is: in a file of its own, or in that of a database."""


def location(given: str | PathLike[str]) -> Location:
    """Return the location that a path or an address names.

    Parameters
    ----------
    given
        A path, or an address such as "sqlite:///people.db?table=people". As in other programs, three slashes stand
        before a relative path, and four before an absolute one; what follows a % is the code of a character.

    Raises
    ------
    InputError
        If it is an address of anything but a table in a file. The message never shows what may be a password.
    """
    if isinstance(given, DatabaseTable | Path):
        return _unspoilt(given)
    text = fsdecode(given)
    scheme, separator, rest = text.partition("://")
    if not separator or not re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*", scheme):
        return _unspoilt(Path(text))
    if scheme.lower() not in _KINDS:
        raise InputError(f"expected a file, or a table of a database such as {_EXAMPLE}; found an address of {scheme}")
    return _database_table(_KINDS[scheme.lower()], rest)


def file_of(where: Location) -> Path:
    """Return the file that a table is in."""
    return where.path if isinstance(where, DatabaseTable) else where


def _unspoilt(where: Location) -> Location:
    """Refuse a `Path` that was made of an address: it has lost slashes of it."""
    if isinstance(where, Path) and where.as_posix().lower().startswith(tuple(f"{scheme}:/" for scheme in _KINDS)):
        raise InputError("the address of a database must be given as a text, found a Path: that has lost its slashes")
    return where


def _database_table(kind: DatabaseKind, rest: str) -> DatabaseTable:
    authority_and_path, _, query = rest.partition("?")
    authority, slash, path = authority_and_path.partition("/")
    if authority:
        raise InputError(f"a {kind} database is a file, without host, user or password: expected {_EXAMPLE}")
    file = unquote(path)
    if not slash or file in ("", ":memory:") or file.endswith("/"):
        raise InputError(f"the address of a {kind} database names no file: expected {_EXAMPLE}")
    if _REMOTE.match(file):
        raise InputError(f"a {kind} database must be a file of this machine, found a remote one: copy it first")
    return DatabaseTable(kind, Path(file), _table(query))


def _table(query: str) -> str | None:
    options = parse_qsl(query, keep_blank_values=True)
    for name, _ in options:
        if name != "table":
            raise InputError(f"the address of a database takes the option table only, found {name!r}: leave it out")
    if len(options) > 1:
        raise InputError("the address of a database names more than one table: name one")
    if options and not options[0][1]:
        raise InputError(f"the address of a database names no table after table=: expected {_EXAMPLE}")
    return options[0][1] if options else None
