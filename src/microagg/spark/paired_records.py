"""Records of an original beside those of its release, paired by their numbers or by an id."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, NamedTuple

import numpy as np

from microagg.model.arrays import IntArray
from microagg.model.by_column import ByColumn
from microagg.model.column import Kind
from microagg.model.errors import InputError
from microagg.model.plan import Plan
from microagg.model.table import Table
from microagg.spark.batch_tables import BatchReader, numbers_of
from microagg.spark.compared_values import compared, hash_of, is_comparable
from microagg.spark.expected_records import expected_records
from microagg.spark.jobs import Jobs
from microagg.spark.named_frames import empty_table, named_frame
from microagg.spark.record_fields import ROW, quoted
from microagg.spark.row_numbers import NumberedRows, check_ids, numbered_rows
from microagg.spark.session import make_session
from microagg.spark.settled_schema import check_marks
from microagg.spark.staging import Staging

ORIGINAL = "__microagg_original_"
"""With which the columns of the original begin, beside those of the release."""

_OLD_ROW = "number of the record before"
_KEY_BEFORE = "__microagg_key_before"
_KEY_AFTER = "__microagg_key_after"
_PAIRS = "pairs"
_STAGE = "compare columns"


class TablePair(NamedTuple):
    """Some records of an original and the same ones of its release.

    Parameters
    ----------
    before, after
        The records.
    rows
        Row of each in the whole release.
    """

    before: Table
    after: Table
    rows: IntArray


@dataclass(frozen=True)
class PairReader:
    """Reads Arrow tables of paired records as two tables.

    Parameters
    ----------
    before, after
        Read the columns of the original, and of the release.
    """

    before: BatchReader
    after: BatchReader

    def tables(self, batch: Any) -> TablePair:
        """Return the two tables of an Arrow table.

        Parameters
        ----------
        batch
            A pyarrow table.
        """
        old_names = [name for name in batch.column_names if name.startswith(ORIGINAL)]
        old = batch.select(old_names).rename_columns([name.removeprefix(ORIGINAL) for name in old_names])
        new = batch.select([name for name in batch.column_names if not name.startswith("__microagg_")])
        rows = numbers_of(batch, ROW) if ROW in batch.column_names else np.arange(batch.num_rows)
        return TablePair(self.before.table(old), self.after.table(new), rows)


@dataclass(frozen=True, eq=False)
class PairedRecords:
    """Original and release, record by record.

    Parameters
    ----------
    frame
        DataFrame of the released columns, those of the original with the prefix `ORIGINAL`, and `ROW`; None where the
        records do not correspond.
    reader
        Reads its records.
    n_before, n_expected
        Number of records of the original, and of those that the plan keeps.
    """

    frame: Any
    reader: PairReader
    n_before: int
    n_expected: int

    @property
    def original(self) -> Any:
        """DataFrame of the records of the original that are paired."""
        from pyspark.sql import functions

        names = [name for name in self.frame.columns if name.startswith(ORIGINAL)]
        return self.frame.select(*(functions.col(quoted(name)).alias(name.removeprefix(ORIGINAL)) for name in names))

    def select(self, released: Sequence[str], original: Sequence[str]) -> Any:
        """Return the DataFrame with some columns of the release and of the original.

        Parameters
        ----------
        released, original
            Names of the columns.
        """
        names = [*dict.fromkeys(released), *(f"{ORIGINAL}{name}" for name in dict.fromkeys(original))]
        return self.frame.select(ROW, *map(quoted, names))


def frame_of(source: Any) -> Any:
    """Return the DataFrame of what the user names: a DataFrame, a folder of Parquet, or a table of the catalogue.

    Parameters
    ----------
    source
        The DataFrame, or its name.
    """
    if isinstance(source, str | PathLike):
        return named_frame(make_session(), fspath(source))
    if not hasattr(source, "mapInArrow"):
        kind = type(source)
        raise InputError(
            "expected a Spark DataFrame or the path of a folder of Parquet, found "
            f"{kind.__module__.partition('.')[0]}.{kind.__name__}: what is in memory needs no cluster, use the "
            "functions of microagg itself, as microagg.protect"
        )
    return source


def reader_of_frame(frame: Any, marks: ByColumn[tuple[Any, ...]]) -> BatchReader:
    """Return what reads the records of a DataFrame.

    Parameters
    ----------
    frame
        The DataFrame.
    marks
        Values of columns that stand for a missing one.

    Raises
    ------
    InputError
        If texts of a column of text are among these: whether its other values are numbers is not known.
    """
    empty = empty_table(frame)
    kinds: dict[str, Kind] = {name: empty.kind(name) for name in empty.names}
    check_marks(marks, kinds)
    return BatchReader(kinds, marks)


def pair_records(
    original: Any, released: NumberedRows, plan: Plan | None, row_id: str | None, staging: Staging, jobs: Jobs
) -> PairedRecords:
    """Pair the records of an original with those of its release.

    Parameters
    ----------
    original
        DataFrame of the original.
    released
        The numbered records of the release.
    plan
        The plan, which may leave records out; None: none is left out.
    row_id
        Column of both that names the same record in both; None: records correspond by their order.
    staging
        Where the pairs are kept.
    jobs
        Carries out the jobs.

    Returns
    -------
    PairedRecords
        Without a DataFrame where they are not as many, or have not the same ids.

    Raises
    ------
    InputError
        If ids of the original are missing or not unique, or of another kind than those of the release.
    """
    marks: ByColumn[tuple[Any, ...]] = ByColumn() if plan is None else plan.missing_policy.missing_values
    reader = PairReader(
        reader_of_frame(original, marks), reader_of_frame(released.frame.select(*map(quoted, released.names)), marks)
    )
    if row_id is not None:
        _check_ids_of_original(original, row_id, reader, jobs)
    if row_id is None:
        rows = numbered_rows(original, None, staging, jobs, "original")
        n_before = rows.n_records
        kept = rows.frame if plan is None else expected_records(rows.frame, plan, reader.before, jobs)
        rows = _in_order(kept, original.columns, staging, jobs, "kept") if kept is not rows.frame else rows
        if rows.end != rows.n_records:
            rows = _in_order(rows.frame, original.columns, staging, jobs, "original")
        frame = rows.frame
        n_expected = rows.n_records
        if released.end != released.n_records:
            released = _in_order(released.frame, released.names, staging, jobs, "released")
    else:
        n_before = jobs("rows", original.count)
        frame = original if plan is None else expected_records(original, plan, reader.before, jobs)
        n_expected = n_before if frame is original else jobs("rows", frame.count)
    if n_expected != released.n_records:
        return PairedRecords(None, reader, n_before, n_expected)
    stored = _joined(frame, list(original.columns), released, row_id, staging, jobs)
    n_paired = jobs("pair records", stored.count)
    return PairedRecords(stored if n_paired == n_expected else None, reader, n_before, n_expected)


def _check_ids_of_original(original: Any, row_id: str, reader: PairReader, jobs: Jobs) -> None:
    """Check that the ids of an original are there, unique, and of the kind of those of the release."""
    if row_id not in original.columns:
        raise InputError(f"row_id {row_id!r} is no column of the original, which has {', '.join(original.columns)}")
    kinds = [reader.before.kinds[row_id], reader.after.kinds[row_id]]
    if kinds[0] != kinds[1]:
        raise InputError(
            f"row_id {row_id!r} is of kind {kinds[0]!r} in the original, and {kinds[1]!r} in the release: give both "
            "the same type, so that an id is the same in both"
        )
    check_ids(original, row_id, jobs)


def _in_order(frame: Any, names: Sequence[str], staging: Staging, jobs: Jobs, what: str) -> NumberedRows:
    """Give records new numbers, in the same order, without gaps."""
    renamed = frame.withColumnRenamed(ROW, _OLD_ROW)
    rows = numbered_rows(renamed, _OLD_ROW, staging, jobs, what)
    return NumberedRows(rows.frame.drop(_OLD_ROW), rows.n_records, rows.n_files, tuple(names), rows.end)


def _joined(
    original: Any, names: Sequence[str], released: NumberedRows, row_id: str | None, staging: Staging, jobs: Jobs
) -> Any:
    """Store the columns of the original beside those of the release."""
    from pyspark.sql import functions

    key = ROW if row_id is None else row_id
    old = original.select(
        functions.col(quoted(key)).alias(_KEY_BEFORE),
        *(functions.col(quoted(name)).alias(f"{ORIGINAL}{name}") for name in names),
    )
    new = released.frame.withColumn(_KEY_AFTER, functions.col(quoted(key)))
    joined = new.join(old, new[_KEY_AFTER] == old[_KEY_BEFORE]).drop(_KEY_AFTER, _KEY_BEFORE)
    jobs("pair records", lambda: staging.store(joined, _PAIRS))
    return staging.load(_PAIRS)


def same_records(before: Any, after: Any, names: Sequence[str], jobs: Jobs) -> bool:
    """Check whether two DataFrames hold the same records in some columns, in any order, by hashes of 64 bits.

    Parameters
    ----------
    before, after
        The DataFrames.
    names
        The columns.
    jobs
        Carries out the jobs.
    """
    return _are_same(before, after, [names], jobs)[0]


def _are_same(before: Any, after: Any, combinations: Sequence[Sequence[str]], jobs: Jobs) -> list[bool]:
    """Check of each of several combinations of columns whether both DataFrames hold the same values, in any order."""
    from pyspark.sql import functions

    found = []
    for frame in (before, after):
        totals = [functions.sum(hash_of(frame, names).cast("decimal(38,0)")) for names in combinations]
        found.append(jobs(_STAGE, frame.agg(functions.count("*"), *totals).collect)[0])
    (n_before, *old), (n_after, *new) = found
    return [n_before == n_after and one == other for one, other in zip(old, new, strict=True)]


def moved_columns(before: Any, released: NumberedRows, names: Sequence[str], jobs: Jobs) -> list[str]:
    """Return those of some columns that hold the same values in both, in other records or in the same.

    Parameters
    ----------
    before
        DataFrame of the original.
    released
        The release.
    names
        Columns of both.
    jobs
        Carries out the jobs.
    """
    after = released.frame
    alike = [name for name in names if before.schema[name].dataType == after.schema[name].dataType]
    single = [name for name in alike if is_comparable(before, name)]
    if not single:
        return []
    are_same = _are_same(before, after, [[name] for name in single], jobs)
    return [name for name, is_same in zip(single, are_same, strict=True) if is_same]


def in_other_order(
    pairs: PairedRecords, released: NumberedRows, names: Sequence[str], changed: Collection[str], jobs: Jobs
) -> bool:
    """Check whether columns show that records are paired with others: values moved, and none that differ stayed.

    Parameters
    ----------
    pairs
        The paired records.
    released
        The release.
    names
        Columns that should be as they were.
    changed
        Those of them that are not.
    jobs
        Carries out the jobs.
    """
    before = pairs.original
    if not moved_columns(before, released, [name for name in names if name in changed], jobs):
        return False
    in_place = [name for name in names if name not in changed and is_comparable(before, name)]
    return all(_is_constant(before, name, jobs) for name in in_place)


def _is_constant(frame: Any, name: str, jobs: Jobs) -> bool:
    """Check whether a column has one value in all records; a missing one is a value of its own."""
    distinct = frame.select(compared(frame, name).alias("value")).distinct().limit(2)
    return len(jobs(_STAGE, distinct.collect)) <= 1
