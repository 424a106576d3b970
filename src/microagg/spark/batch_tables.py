"""Tables of records that arrive in a task as Arrow batches."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from microagg.model.arrays import IntArray
from microagg.model.by_column import ByColumn
from microagg.model.column import Column, Kind
from microagg.model.table import Table
from microagg.model.treatment import Level
from microagg.read import read
from microagg.remarks import marks_found
from microagg.source.frame import FrameSource

RECORDS_AT_ONCE = 2**16
"""Records that a task works on at a time, where nothing else keeps them together."""


@dataclass(frozen=True)
class BatchReader:
    """Reads Arrow tables as the whole DataFrame is to be read: no kind of a column depends on some of its values.

    Parameters
    ----------
    kinds
        Kind of each column.
    missing_values
        Values of columns that stand for a missing one.
    """

    kinds: dict[str, Kind]
    missing_values: ByColumn[tuple[Any, ...]]

    def table(self, batch: Any) -> Table:
        """Return an Arrow table as a table.

        Parameters
        ----------
        batch
            A pyarrow table.

        Returns
        -------
        Table
            With those of its columns whose kinds are known.
        """
        names = [name for name in batch.column_names if name in self.kinds]
        source = FrameSource(batch.select(names), _kinds={name: self.kinds[name] for name in names})
        return Table(source).with_missing_values(self.missing_values.among(names))


@dataclass(frozen=True)
class MarksFound:
    """Values that stand for a missing one and occur in the records of a task: see `marks_found`."""

    reader: BatchReader

    def __call__(self, batches: Iterable[Any]) -> Iterator[frozenset[tuple[str | None, Any]]]:
        """Yield what occurs in some records at a time."""
        for batch in gathered(batches):
            yield marks_found(self.reader.missing_values, self.reader.table(batch))


def reader_of(types: Mapping[str, Any], missing_values: ByColumn[tuple[Any, ...]]) -> BatchReader:
    """Return what reads columns of known types.

    Parameters
    ----------
    types
        Arrow type of each column.
    missing_values
        Values of columns that stand for a missing one.
    """
    import pyarrow as pa

    empty = read(pa.schema(list(types.items())).empty_table())
    return BatchReader({name: empty.kind(name) for name in empty.names}, missing_values)


def column_at_level(table: Table, name: str, level: Level) -> Column:
    """Return a column as it is encoded: numbers as floats, anything else, integers too, with its type."""
    if level == "number" and table.kind(name) != "integer":
        return Column.of_numbers(name, table.numbers(name))
    return table.column(name)


def gathered(batches: Iterable[Any], n_records: int = RECORDS_AT_ONCE) -> Iterator[Any]:
    """Yield the records of Arrow batches as tables of at least some number of records, but for the last.

    Parameters
    ----------
    batches
        Record batches of one schema.
    n_records
        The number.

    Yields
    ------
    pyarrow.Table
        One that is not empty.
    """
    import pyarrow as pa

    waiting: list[Any] = []
    n_waiting = 0
    for batch in batches:
        waiting.append(batch)
        n_waiting += batch.num_rows
        if n_waiting >= n_records:
            yield pa.Table.from_batches(waiting).combine_chunks()
            waiting = []
            n_waiting = 0
    if n_waiting:
        yield pa.Table.from_batches(waiting).combine_chunks()


def runs_of_equal(batches: Iterable[Any], names: Sequence[str]) -> Iterator[Any]:
    """Yield the records of Arrow batches in runs that have the same numbers in some columns.

    Parameters
    ----------
    batches
        Record batches of one schema, in which equal records come one after another.
    names
        Columns of whole numbers, none of which is missing.

    Yields
    ------
    pyarrow.Table
        All records of a run; it is in memory as a whole.
    """
    import pyarrow as pa

    waiting: list[Any] = []
    last: tuple[int, ...] | None = None
    for batch in batches:
        if not batch.num_rows:
            continue
        numbers = np.column_stack([numbers_of(batch, name) for name in names])
        starts = np.flatnonzero((numbers[1:] != numbers[:-1]).any(axis=1)) + 1
        bounds = [0, *starts.tolist(), len(numbers)]
        for start, end in pairwise(bounds):
            key = tuple(numbers[start].tolist())
            if waiting and key != last:
                yield pa.Table.from_batches(waiting).combine_chunks()
                waiting = []
            last = key
            waiting.append(batch.slice(start, end - start))
    if waiting:
        yield pa.Table.from_batches(waiting).combine_chunks()


def numbers_of(batch: Any, name: str) -> IntArray:
    """Return a column of whole numbers, none of which is missing, of an Arrow batch or table.

    Parameters
    ----------
    batch
        The batch or table.
    name
        Name of the column.
    """
    column = batch.column(batch.schema.get_field_index(name))
    return np.asarray(column, dtype=np.int64)
