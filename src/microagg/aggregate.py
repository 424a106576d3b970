"""Replace the chosen columns of each record by those of its group."""

from collections.abc import Sequence

import numpy as np

from microagg.arrays import FloatArray, IntArray
from microagg.errors import InputError
from microagg.partition import Partition
from microagg.table import Table, listing


def aggregate(table: Table, partition: Partition, columns: Sequence[str], *, keep_integers: bool = False) -> Table:
    """Give the table with the group's mean in each of `columns`.

    Parameters
    ----------
    keep_integers
        Whether columns that hold whole numbers only stay so: their means are rounded, half to even. Column
        means are then kept only nearly.
    """
    changed: dict[str, FloatArray | IntArray] = {}
    for name in columns:
        values = table.numbers(name)
        means = group_means(values, partition.labels)[partition.labels]
        whole = keep_integers and np.array_equal(values, np.rint(values)) and np.abs(values).max() < 2**63
        changed[name] = np.rint(means).astype(np.int64) if whole else means
    if keep_integers and not any(np.issubdtype(values.dtype, np.integer) for values in changed.values()):
        raise InputError(f"none of {listing(columns)} holds whole numbers only: there are no integers to keep")
    return table.with_numbers(changed)


def group_means(values: FloatArray, labels: IntArray) -> FloatArray:
    """Average each group's values: exact where they are equal, and never outside their range."""
    by_group = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[by_group], prepend=-1))
    lowest = np.minimum.reduceat(values[by_group], starts)
    highest = np.maximum.reduceat(values[by_group], starts)
    above = values - lowest[labels]  # from the group's own end: an outlier elsewhere must not round it away
    means = lowest + np.bincount(labels, weights=above) / np.bincount(labels)
    clipped: FloatArray = np.clip(means, lowest, highest)
    return clipped
