"""Values that come in batches: some of them chosen, or two columns side by side."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from microagg.model import row_slices
from microagg.model.arrays import IntArray


def chosen_batches(batches: Iterable[list[Any]], records: IntArray | None) -> Iterator[list[Any]]:
    """Yield some of the values of a column, batch by batch.

    Parameters
    ----------
    batches
        All values, in batches of any size.
    records
        Indices of those that are chosen, ascending, each any number of times; None: all.

    Yields
    ------
    list
        The values of the next batch that are chosen.
    """
    if records is None:
        yield from batches
        return
    start = 0
    first = 0
    for batch in batches:
        last = int(np.searchsorted(records, start + len(batch)))
        yield [batch[record - start] for record in records[first:last].tolist()]
        start += len(batch)
        first = last


def in_batches(values: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield values in lists of one size, but for the last.

    Parameters
    ----------
    values
        Any number of values.

    Yields
    ------
    list
        The next values.
    """
    rest = iter(values)
    while batch := list(islice(rest, row_slices.ROWS_PER_SLICE)):
        yield batch
