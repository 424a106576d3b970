"""Files that are written out of core, or otherwise than by way of polars, checked by reading them again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from microagg.count_k import count_if_missing_agrees, count_k
from microagg.model.arrays import BoolArray, FloatArray
from microagg.model.column import NUMERIC
from microagg.model.errors import ReadError, VerificationError
from microagg.model.location import Location, file_of
from microagg.model.reading import Reading
from microagg.model.release import Release
from microagg.model.table import Table
from microagg.read import read
from microagg.source.large_file import LargeSource
from microagg.source.large_text import LargeText
from microagg.source.polars_files import TAB_SUFFIXES
from microagg.write import FileWriter, output_kind, table_writer

_READ_AGAIN = ("Stata", "SPSS", "Excel", "DuckDB", "SQLite")


def checked_writer(release: Release, target: Location) -> FileWriter:
    """Return the function that writes a release, and refuses what it has written where that does not reach k.

    Parameters
    ----------
    release
        The release. One that is in memory has been verified as an object: unless it is to be a statistical file, a
        workbook or a table of a database, which are made in another way than that object, it is only written.
    target
        Where it is to be written.
    """
    write_table = table_writer(release.table, target)
    source = release.table.source
    if not isinstance(source, LargeSource) and output_kind(release.table, target) not in _READ_AGAIN:
        return write_table

    def write_checked(temporary: Path, finished: Mapping[Location, Path]) -> None:
        write_table(temporary, finished)
        reading = _reading(release, target)
        limits: dict[str, Any] = {"memory": 0, "folder": source.folder} if isinstance(source, LargeSource) else {}
        try:
            written = read(temporary, reading, **limits)
        except ReadError:
            raise VerificationError(f"{target} was written, but cannot be read again: nothing is released") from None
        _check(release, written)

    return write_checked


def _check(release: Release, written: Table) -> None:
    """Refuse a file in which a column is missing or a set of columns does not reach k.

    Raises
    ------
    VerificationError
        If it is so: a defect of this package.
    """
    table = release.table
    if written.names != table.names or written.n_records != table.n_records:
        raise VerificationError("the file that was written has other columns or records: nothing is released")
    written = written.with_missing_values(table.missing_values.among(table.names))
    original = Table(table.source, order=table.order, missing_values=table.missing_values)
    if release.permutation is not None:
        unshuffled = np.argsort(release.permutation)
        written = written.in_order(unshuffled)
        table = table.in_order(unshuffled)
        original = original.in_order(unshuffled)
    for wanted, one in zip(release.plan.sets, release.sets, strict=True):
        counted = count_k(release.plan, original, written, one.columns, wanted.k)
        weaker = count_if_missing_agrees(release.plan, original, written, one.columns, one.solution.labels)
        promised = counted.k_reached if weaker is None else weaker
        if promised < wanted.k or counted.k_reached < one.measures.k_reached:
            raise VerificationError(f"the file reaches only k = {promised}, not {wanted.k}: nothing is released")
        for name in one.columns:
            if not _same(table, written, name).all():
                raise VerificationError(f"column {name!r} is not what was to be written: nothing is released")


def _same(table: Table, written: Table, name: str) -> BoolArray:
    """Return which numbers of a column are what was to be written; of other columns, whether each is there."""
    missing = table.missing_codes(name) > 0
    there: BoolArray = (written.missing_codes(name) > 0) == missing
    if table.kind(name) not in NUMERIC:
        return there
    equal = table.numbers(name) == written.numbers(name)
    if not (missing | equal).all() and _is_single(table.source.numbers(name)):
        equal |= table.numbers(name).astype(np.float32) == written.numbers(name).astype(np.float32)
    there &= missing | equal
    return there


def _is_single(numbers: FloatArray) -> bool:
    """Check whether numbers may be of single precision: then what stands for them is written so."""
    return bool((np.isnan(numbers) | (numbers.astype(np.float32) == numbers)).all())


def _reading(release: Release, target: Location) -> Reading:
    """Return how the file that was written is read: as the source was, where it is of the same kind."""
    source = release.table.source
    kind = output_kind(release.table, target)
    if kind == "Excel" and source.file_kind == "Excel":
        return Reading(header=getattr(source, "reading", Reading()).header)
    if kind != "CSV":
        return Reading()
    columns = getattr(source, "columns", None)
    is_tab = file_of(target).suffix.lower() in TAB_SUFFIXES
    if not isinstance(columns, LargeText):
        return Reading("\t" if is_tab else ",", ".", "utf-8", header=True)
    dialect = columns.dialect
    given = columns.reading
    return Reading("\t" if is_tab else dialect.delimiter, given.decimal, given.encoding, dialect.header)
