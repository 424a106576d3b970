"""Write a table as what it was read from: whole, or not at all."""

import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
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


def write(table: Table, path: str | os.PathLike[str], others: Mapping[Path, str] | None = None) -> None:
    """Write a table that was read from a file, as the same kind of file.

    Columns that were not changed are written as they came. An interrupted run leaves no half file: it is written
    beside `path` and then renamed.

    Parameters
    ----------
    table
        The table, as `read` or `Release.table` gives it.
    path
        Where to write it; a file that is there is replaced.
    others
        Texts to be written with it, by path: all of the files, or none.
    """
    target = Path(path)
    check_target(table, target)
    fills: dict[Path, Callable[[Path], object]] = {target: lambda temporary: table.source.save(table, temporary)}
    for other, text in (others or {}).items():
        check_file(other)
        fills[other] = partial(Path.write_text, data=text, encoding="utf-8")
    replace_files(fills)


def check_target(table: Table, target: Path) -> None:
    """Refuse a path that cannot take this table, before any work is done."""
    source = table.source
    if source.path is None:
        raise WriteError("only a table that was read from a file can be written to one: save `result.data` yourself")
    check_file(target)
    if same_file(target, source.path):
        raise WriteError(f"the output {target} is the input itself: choose another name")
    suffix = target.suffix.lower()
    if _SUFFIXES.get(suffix) != source.file_kind and suffix != source.path.suffix.lower():
        ending = source.path.suffix or next(known for known, kind in _SUFFIXES.items() if kind == source.file_kind)
        raise WriteError(f"the input is {source.file_kind}, and so is the output: let {target} end in {ending}")


def same_file(one: Path, other: Path) -> bool:
    """Say whether two paths lead to one file, there or yet to be made."""
    with suppress(OSError):
        return one.samefile(other)
    return one.resolve() == other.resolve()


def check_file(target: Path) -> None:
    """Refuse a path where no file can be written."""
    try:
        with suppress(FileNotFoundError):
            target.stat()  # fails where links go in a circle
        if target.is_dir():
            raise WriteError(f"the output {target} is a folder: name a file in it")
        if not target.parent.is_dir():
            raise WriteError(f"the folder {target.parent} of the output is not there: make it first")
        if target.exists() and not target.is_file():
            raise WriteError(f"the output {target} is no regular file: name one")
        if not os.access(target.parent, os.W_OK | os.X_OK) or (target.exists() and not os.access(target, os.W_OK)):
            raise WriteError(f"the output {target} must not be written: its folder or the file itself is protected")
    except OSError as error:
        raise WriteError(f"cannot write {target}: {error.strerror or error}") from None


def replace_files(fills: Mapping[Path, Callable[[Path], object]]) -> None:
    """Let each function write a file beside its target, and put them all there when they are whole."""
    temporaries: dict[Path, Path] = {}
    try:
        for target, fill in fills.items():
            place = target.resolve()  # what a link points to, not the link
            temporaries[place] = temporary = place.with_name(f".{os.urandom(6).hex()}.part")
            fill(temporary)
            with temporary.open("rb") as file:
                os.fsync(file.fileno())
            if place.exists():
                shutil.copymode(place, temporary)
        for place, temporary in temporaries.items():
            temporary.replace(place)
    except OSError as error:
        raise WriteError(f"cannot write {target}: {error.strerror or error}") from None
    finally:
        for temporary in temporaries.values():
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
