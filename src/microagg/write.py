"""Write a table as what it was read from: whole, or not at all."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from microagg.errors import WriteError
from microagg.table import FileKind, Table

_SUFFIXES: dict[str, FileKind] = {
    ".csv": "CSV",
    ".tsv": "CSV",
    ".tab": "CSV",
    ".txt": "CSV",
    ".parquet": "Parquet",
    ".pq": "Parquet",
    ".arrow": "Arrow",
    ".feather": "Arrow",
    ".ipc": "Arrow",
}


def to_native(table: Table) -> Any:
    """Give the table as the kind of object that it was read from; a file as a polars dataframe."""
    return table.source.native(table)


def write(table: Table, path: str | os.PathLike[str]) -> None:
    """Write a table that was read from a file, as the same kind of file.

    Columns that were not changed are written as they came. An interrupted run leaves no half file:
    it is written beside `path` and then renamed.
    """
    target = Path(path)
    check_target(table, target)
    replace_file(target, lambda temporary: table.source.save(table, temporary))


def check_target(table: Table, target: Path) -> None:
    """Refuse a path that cannot take this table, before any work is done."""
    source = table.source
    if source.path is None:
        raise WriteError("only a table that was read from a file can be written to one: save `result.data` yourself")
    check_folder(target)
    if target.exists() and target.samefile(source.path):
        raise WriteError(f"the output {target} is the input itself: choose another name")
    kind = _SUFFIXES.get(target.suffix.lower(), source.file_kind)
    if kind != source.file_kind:
        raise WriteError(f"the output {target} would be {kind}, the input is {source.file_kind}: use the same kind")


def check_folder(target: Path) -> None:
    """Refuse a path in a folder that is not there or not writable, or that is a folder itself."""
    if target.is_dir():
        raise WriteError(f"the output {target} is a folder: name a file in it")
    if not target.parent.is_dir():
        raise WriteError(f"the folder {target.parent} of the output is not there: make it first")
    if not os.access(target.parent, os.W_OK):
        raise WriteError(f"the folder {target.parent} of the output cannot be written to: choose another")


def replace_file(target: Path, fill: Callable[[Path], object]) -> None:
    """Let `fill` write a file beside `target`, and put it there when it is whole."""
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        fill(temporary)
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        raise WriteError(f"cannot write {target}: {error.strerror or error}") from None
    finally:
        temporary.unlink(missing_ok=True)
