"""Replace the chosen columns of each record by the means of its group."""

from collections.abc import Sequence

import numpy as np

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column import Column
from microagg.model.errors import InputError
from microagg.model.names import listing
from microagg.model.partition import Partition
from microagg.model.table import Table

_INT64_LIMIT = 2**63


def aggregate(table: Table, partition: Partition, columns: Sequence[str], *, keep_integers: bool = False) -> Table:
    """Return the table with the group's mean in each of `columns`.

    Parameters
    ----------
    table
        The table.
    partition
        The groups of its records.
    columns
        The columns to replace.
    keep_integers
        Whether columns that hold whole numbers only stay so: their means are rounded, half to even. Column
        means are then kept only nearly.

    Raises
    ------
    InputError
        If integers are to be kept and there are none.
    """
    released = []
    average = GroupMeans(partition.labels)
    for name in columns:
        values = table.numbers(name)
        means = average(values)[partition.labels]
        rounded = keep_integers and _are_integers(values)
        released.append(Column.of_numbers(name, np.rint(means).astype(np.int64) if rounded else means))
    if keep_integers and not any(column.kind == "integer" for column in released):
        raise InputError(f"none of {listing(columns)} holds whole numbers only: there are no integers to keep")
    return table.with_columns(released)


def holds_integers(table: Table, name: str) -> bool:
    """Check whether a column holds whole numbers only, which can be kept."""
    return _are_integers(table.numbers(name))


def _are_integers(values: FloatArray) -> bool:
    return np.array_equal(values, np.rint(values)) and bool(np.abs(values).max() < _INT64_LIMIT)


class GroupMeans:
    """Averages of values by group: exact where they are equal, and never outside their range.

    Parameters
    ----------
    labels
        Group of each record, of shape (n,): 0, 1, ….
    """

    def __init__(self, labels: IntArray) -> None:
        self.labels = labels
        self.sizes = np.bincount(labels)
        self._by_group = np.argsort(labels, kind="stable")
        self._starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])

    def __call__(self, values: FloatArray) -> FloatArray:
        """Return the mean of each group's values, of shape (n_groups,)."""
        ordered = values[self._by_group]
        lowest = np.minimum.reduceat(ordered, self._starts)
        highest = np.maximum.reduceat(ordered, self._starts)
        above = values - lowest[self.labels]  # relative to the group: an outlier elsewhere must not round it away
        means = lowest + np.bincount(self.labels, weights=above) / self.sizes
        clipped: FloatArray = np.clip(means, lowest, highest)
        return clipped
