"""Write a table as a file of any kind that can hold it: completely, or not at all."""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microagg.control.work_folder import WorkFolder
from microagg.model.errors import WriteError
from microagg.model.location import DatabaseTable, Location, file_of, location
from microagg.model.source_protocol import BatchedSource, FileKind, Source
from microagg.model.table import Table
from microagg.source.database.databases import add_table, check_table_free, save_table
from microagg.source.file_handler import FileFormat, with_article
from microagg.source.file_kinds import FORMATS, kind_of_ending, written_suffixes
from microagg.source.polars_files import check_categories

if TYPE_CHECKING:
    from microagg.model.release import Release

STANDARD_OUTPUT = Path("-")
"""Stands for standard output in place of a path."""

FileWriter = Callable[[Path, Mapping[Location, Path]], object]
"""Writes one file to a temporary path; its second argument maps each earlier target to its temporary path."""


def to_native(table: Table) -> Any:
    """Return the table as the kind of object that it was read from; a file as a polars dataframe."""
    return table.source.native(table.changes)


def write(table: "Table | Release", path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write a table, or the table of a release, as the kind of file that the ending of `path` names.

    A file of the kind that was read keeps every column that was not replaced as it was read. An interrupted run leaves
    no half file: it is written in a work folder beside `path` and then renamed.

    Parameters
    ----------
    table
        The table, as returned by `read`, or a release.
    path
        Where to write it: .csv, .parquet, .arrow …; a table of a database, such as "duckdb:///safe.duckdb?table=people";
        "-" is standard output, in the format of the file that was read, or CSV if it was no file.
    force
        Whether an existing file, or table of a database, is replaced. What was read never is.

    Raises
    ------
    WriteError
        If it cannot be written there, or not as such a file.

    Examples
    --------
    >>> import microagg, tempfile, pathlib
    >>> table = microagg.read([[1.0, 2.0], [3.0, 4.0]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     output = pathlib.Path(folder, "out.csv")
    ...     microagg.write(table, output)
    ...     print(output.read_text())
    0,1
    1.0,2.0
    3.0,4.0
    <BLANKLINE>
    """
    table = table if isinstance(table, Table) else table.table
    target = location(path)
    check_target(table, target, force=force)
    if target == STANDARD_OUTPUT:
        write_to_stdout(table_writer(table, target))
    else:
        replace_files({target: table_writer(table, target)}, force=force)


def table_writer(table: Table, target: Location) -> FileWriter:
    """Return the function that writes a table as the kind of file that the ending of `target` names."""
    kind = output_kind(table, target)
    if isinstance(target, DatabaseTable):
        return lambda temporary, finished: save_table(table.source, table.changes, temporary, target)
    handler = FORMATS[kind].handler
    if handler is not None:
        return lambda temporary, finished: handler.write(table.source, table.changes, temporary)

    def write_file(temporary: Path, finished: Mapping[Location, Path]) -> None:
        table.source.save(table.changes, temporary, kind)
        check_categories(temporary, kind, table.changes.edited)

    return write_file


def output_kind(table: Table, target: Location) -> FileKind:
    """Return the kind of file that an output is to be, by its ending; one that is not known must be the input's."""
    kind = target.kind if isinstance(target, DatabaseTable) else _wanted_kind(table.source, target)
    one = FORMATS[kind]
    if isinstance(target, Path) and one.in_place:
        raise WriteError(
            f"the output {target} would be a {kind} database: name its table, as in "
            f"{kind.lower()}:///{target.name}?table=release"
        )
    if isinstance(target, Path) and not _is_written(one, target.suffix.lower()):
        what = with_article(kind) if target == STANDARD_OUTPUT else f"a file that ends in {target.suffix}"
        raise WriteError(
            f"{what} can be read, but not written: write one that ends in one of {', '.join(written_suffixes())}"
        )
    _check_size(table, one, f"{with_article(kind)} such as the output {target}")
    if one.handler is not None and isinstance(table.source, BatchedSource):
        raise WriteError(
            f"{with_article(kind)} such as the output {target} is written from memory, and the table is larger: write "
            "a Parquet file, or allow more memory"
        )
    return kind


def _check_size(table: Table, one: FileFormat, output: str) -> None:
    """Refuse a table with more records or columns than a kind of file can hold."""
    sizes = {"records": (table.n_records, one.most_records), "columns": (len(table.names), one.most_columns)}
    for what, (number, most) in sizes.items():
        if most is not None and number > most:
            raise WriteError(f"{output} holds at most {most} {what}, found {number}: write a CSV or Parquet file")


def _is_written(one: FileFormat, suffix: str) -> bool:
    return bool(one.written_suffixes) and (suffix in one.written_suffixes or suffix not in one.suffixes)


def _wanted_kind(source: Source, target: Path) -> FileKind:
    if target == STANDARD_OUTPUT:
        return source.file_kind or "CSV"
    named = kind_of_ending(target)
    if named is not None:
        return named
    if source.file_kind is not None and source.path is not None and target.suffix.lower() == source.path.suffix.lower():
        return source.file_kind
    raise WriteError(f"the output {target} must end in one of {', '.join(written_suffixes())}: that tells its kind")


def check_target(table: Table, target: Location, *, force: bool = False) -> None:
    """Refuse a location that cannot take this table, before any work is done."""
    if target == STANDARD_OUTPUT:
        output_kind(table, target)
        return
    _check_place(file_of(target))
    if _is_input(table, target):
        raise WriteError(f"the output {target} is the input itself: choose another name")
    output_kind(table, target)
    _check_free(target, force)


def _is_input(table: Table, target: Location) -> bool:
    """Check whether a location is that which a table was read from: of a database, the same table."""
    if table.path is None or not same_file(target, table.path):
        return False
    return isinstance(target, Path) or target.table == getattr(table.source, "table", None)


def same_file(one: Location, other: Location) -> bool:
    """Check whether two locations are in one file, existing or not."""
    first = file_of(one)
    second = file_of(other)
    with suppress(OSError):
        return first.samefile(second)
    return first.resolve() == second.resolve()


def check_file(target: Location, *, force: bool = False) -> None:
    """Refuse a location where no file can be written, or where one exists already."""
    _check_place(file_of(target))
    _check_free(target, force)


def replace_files(writers: Mapping[Location, FileWriter], *, force: bool = False) -> None:
    """Write files in work folders beside their targets, in order, and rename them all when they are complete.

    A table of an existing database is added to that, by one transaction, before the files are renamed.

    What a killed run has left beside the targets is removed.

    Parameters
    ----------
    writers
        The function that writes each file, by its target.
    force
        Whether existing files are replaced.

    Raises
    ------
    WriteError
        If one of them cannot be written: then none is.
    """
    finished: dict[Location, Path] = {}
    with ExitStack() as folders:
        try:
            for target, write_file in writers.items():
                check_file(target, force=force)
                place = file_of(target)
                folder = folders.enter_context(WorkFolder.for_writing(place))
                temporary = folder.path / place.name  # which messages show
                write_file(temporary, finished)
                _make_durable(temporary, place)
                finished[target] = temporary
            for target in finished:
                check_file(target, force=force)  # another program may have made it in the meantime
            for target in sorted(finished, key=lambda one: isinstance(one, Path)):  # databases first: they may refuse
                _put_in_place(finished[target], target, force=force)
        except OSError as error:
            raise WriteError(f"cannot write {target}: {error.strerror or error}") from None


def _put_in_place(temporary: Path, target: Location, *, force: bool) -> None:
    """Rename a file that is complete; of a database that is there already, add its table to that."""
    if isinstance(target, DatabaseTable) and target.path.exists():
        add_table(temporary, target, force=force)
    else:
        temporary.replace(file_of(target).resolve())  # the file that a link points to, not the link


def _check_place(target: Path) -> None:
    """Refuse a path where no file can be written."""
    try:
        with suppress(FileNotFoundError):
            target.stat()  # fails where links go in a circle
        if target.is_dir():
            raise WriteError(f"the output {target} is a folder: name a file in it")
        if not target.parent.is_dir():
            raise WriteError(f"the folder {target.parent} of the output is not there: make it first")
        if target.exists() and not target.is_file():
            raise WriteError(f"the output {target} is not a regular file: name one")
        if not os.access(target.parent, os.W_OK | os.X_OK) or (target.exists() and not os.access(target, os.W_OK)):
            raise WriteError(f"the output {target} cannot be written: its folder or the file itself is write-protected")
    except OSError as error:
        raise WriteError(f"cannot write {target}: {error.strerror or error}") from None


def _check_free(target: Location, force: bool) -> None:
    if isinstance(target, DatabaseTable):
        check_table_free(target, force=force)
    elif target.exists() and not force:
        raise WriteError(f"the output {target} is already there: choose another name, or add force=True (--force)")


def _make_durable(temporary: Path, place: Path) -> None:
    """Flush a file to the disk, with the mode of the file that it replaces."""
    with temporary.open("rb") as file:
        os.fsync(file.fileno())
    if place.exists():
        shutil.copymode(place, temporary)


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file, as `sha256sum` prints it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_to_stdout(write_file: FileWriter) -> None:
    """Write a file to standard output, once it is complete.

    Parameters
    ----------
    write_file
        Writes it to a temporary path.

    Raises
    ------
    WriteError
        If it cannot be written.
    """
    try:
        with WorkFolder.temporary() as folder:
            temporary = folder.path / "standard output"
            write_file(temporary, {})
            with temporary.open("rb") as file:
                shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # for the caller: a reader that stops early is no error
        raise
    except OSError as error:
        raise WriteError(f"cannot write to standard output: {error.strerror or error}") from None
