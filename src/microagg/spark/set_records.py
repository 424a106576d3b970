"""Records of a column set in a task: which are kept, which part each is in, and where it is as a point."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.encoding import Encoding
from microagg.model.table import Table
from microagg.spark.batch_tables import BatchReader, column_at_level, gathered, numbers_of
from microagg.spark.cluster_parts import KeptRecords, PartKey, PartKeys
from microagg.spark.record_fields import ROW


class SomeRecords(NamedTuple):
    """Some of the kept records.

    Parameters
    ----------
    batch
        The Arrow table of them.
    table
        The same, as a table.
    rows
        Number of each record.
    """

    batch: Any
    table: Table
    rows: IntArray


class RecordsOfParts(NamedTuple):
    """Some of the kept records, and their parts.

    Parameters
    ----------
    batch, table, rows
        As in `SomeRecords`.
    parts
        Part of each record.
    """

    batch: Any
    table: Table
    rows: IntArray
    parts: IntArray


@dataclass(frozen=True)
class AllRecords:
    """Reads the kept records.

    Parameters
    ----------
    reader
        Reads Arrow tables.
    kept
        Which records are released.
    """

    reader: BatchReader
    kept: KeptRecords

    def records(self, batches: Iterable[Any]) -> Iterator[SomeRecords]:
        """Yield the kept records of Arrow batches, many at a time."""
        for batch in gathered(batches):
            table = self.reader.table(batch)
            if not self.kept.are_all:
                kept = np.flatnonzero(self.kept.mask(table))
                if not len(kept):
                    continue
                batch = batch.take(kept)
                table = self.reader.table(batch)
            yield SomeRecords(batch, table, numbers_of(batch, ROW))


@dataclass(frozen=True)
class RecordReader:
    """Reads the kept records of a column set, and tells which part each is in.

    Parameters
    ----------
    kept
        Reads the kept records.
    keys
        Keys of the parts.
    numbers
        Number of each part, by key.
    """

    kept: AllRecords
    keys: PartKeys
    numbers: dict[PartKey, int]

    def records(self, batches: Iterable[Any]) -> Iterator[RecordsOfParts]:
        """Yield the kept records of Arrow batches with their parts, many at a time."""
        for batch, table, rows in self.kept.records(batches):
            codes, keys = self.keys.codes(table)
            parts = np.array([self.numbers[key] for key in keys], dtype=np.int64)[codes]
            yield RecordsOfParts(batch, table, rows, parts)


@dataclass(frozen=True)
class PointMaker:
    """Makes points of records: the coordinates in which a column set is grouped.

    Parameters
    ----------
    encoding
        How the columns become coordinates.
    gone
        Coordinates that no record of a part has, by the number of the part: they are 0 there.
    """

    encoding: Encoding
    gone: dict[int, BoolArray]

    def points(self, table: Table) -> tuple[FloatArray, BoolArray | None]:
        """Return the points of a table's records, and which of their cells are missing."""
        numbers = [one.read(column_at_level(table, one.name, one.level)) for one in self.encoding.columns]
        return self.encoding.coordinates(numbers)

    def points_of_parts(self, table: Table, parts: IntArray) -> FloatArray:
        """Return the points of a table's records as they are routed: 0 in coordinates that their part has not.

        Parameters
        ----------
        table
            The records.
        parts
            Part of each.
        """
        X, missing = self.points(table)
        if missing is not None and self.gone:
            for part in np.unique(parts).tolist():
                if part in self.gone:
                    X[np.ix_(parts == part, self.gone[part])] = 0.0
        return X
