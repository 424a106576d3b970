"""Slices of the rows of large arrays: what is computed slice by slice needs little memory beside them."""

from collections.abc import Iterable, Iterator
from functools import reduce

import numpy as np

from microagg.model.arrays import FloatArray

ROWS_PER_SLICE = 2**16
"""Rows of a slice: the same for every array and machine, so that sums over slices are the same everywhere."""

_COLUMNS_PER_BLOCK = 8  # of float64: a cache line


def row_slices(n: int) -> Iterator[slice]:
    """Yield slices that hold n rows in order.

    Parameters
    ----------
    n
        Number of rows.

    Yields
    ------
    slice
        Rows of the next slice, `ROWS_PER_SLICE` of them but for the last.
    """
    for start in range(0, n, ROWS_PER_SLICE):
        yield slice(start, min(n, start + ROWS_PER_SLICE))


def column_blocks(n: int, d: int) -> Iterator[slice]:
    """Yield slices that hold d columns in order: all at once where one slice holds all rows.

    Parameters
    ----------
    n
        Number of rows.
    d
        Number of columns.

    Yields
    ------
    slice
        Columns of the next block.
    """
    width = d if n <= ROWS_PER_SLICE else _COLUMNS_PER_BLOCK
    for start in range(0, d, width):
        yield slice(start, min(d, start + width))


def sum_of(parts: Iterable[FloatArray]) -> FloatArray:
    """Return the sum of arrays of one shape, added in order.

    Parameters
    ----------
    parts
        At least one.
    """
    return reduce(np.add, parts)
