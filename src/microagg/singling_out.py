"""Count the records that some columns single out: by the fewest columns first, by all of them last."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from microagg.model.arrays import IntArray
from microagg.model.inspection import SinglingOut
from microagg.model.pair_codes import pair_codes
from microagg.model.source_protocol import BatchedSource
from microagg.model.table import Table

MAX_STEPS = 4
"""Columns of the largest combination that grows column by column."""


def singling_out(table: Table, names: Sequence[str], tick: Callable[[float], None]) -> tuple[SinglingOut, ...]:
    """Count the records that combinations of columns single out.

    The combinations grow by the column that makes most records unique, from one column to four, unless fewer make all
    unique, and to all of them.
    Exact for every kind of column. O(m n log n) for m columns, four times.

    Parameters
    ----------
    table
        The user's table.
    names
        The columns that others may know.
    tick
        Called with the share that is done.

    Returns
    -------
    tuple of SinglingOut
        Combinations that make some record unique, by the number of their columns; the last one has all columns, even
        where no record is unique.
    """
    if not names or not table.n_records:
        return ()
    codes_of = table.codes if isinstance(table.source, BatchedSource) else cache(table.codes)
    return combinations_of(names, codes_of, table.patterns(names), tick)


def combinations_of(
    names: Sequence[str], codes_of: Callable[[str], IntArray], pattern: IntArray, tick: Callable[[float], None]
) -> tuple[SinglingOut, ...]:
    """Count the records that combinations of columns single out, as `singling_out` does.

    Parameters
    ----------
    names
        The columns.
    codes_of
        Function that returns a number for each distinct value of a column.
    pattern
        A number for each combination of values in all columns.
    tick
        Called with the share that is done.
    """
    found = _growing_combinations(names, codes_of, len(pattern), tick)
    whole = singled_out(names, pattern)
    return (*(one for one in found if one.n_unique and len(one.columns) < len(names)), whole)


def _growing_combinations(
    names: Sequence[str], codes_of: Callable[[str], IntArray], n_records: int, tick: Callable[[float], None]
) -> list[SinglingOut]:
    """Return the combinations that begin with nothing, each with the one column more that makes most records unique."""
    combination: list[str] = []
    pattern = np.zeros(n_records, dtype=np.int64)
    n_cells = 1
    found = []
    n_steps = min(MAX_STEPS, len(names))
    for step in range(n_steps):
        tick(step / n_steps)
        rest = [name for name in names if name not in combination]
        name = rest[0]
        if n_cells < n_records:  # else no column can make more records unique
            name, pairs, (_, n_cells) = _best_refinement(pattern, rest, codes_of)
            pattern = np.unique(pairs, return_inverse=True)[1].astype(np.int64)
        combination.append(name)
        found.append(singled_out(combination, pattern))
        if found[-1].n_unique == n_records:
            break
    return found


class _Refinement(NamedTuple):
    """Pattern with the one column more that makes most records unique: a number for each cell, and its fineness."""

    name: str
    pairs: IntArray
    finest: tuple[int, int]


def _best_refinement(pattern: IntArray, names: Sequence[str], codes_of: Callable[[str], IntArray]) -> _Refinement:
    """Return the first of the refinements that are finest; two of them are in memory at a time."""
    best: _Refinement | None = None
    for name in names:
        pairs = pair_codes(pattern, codes_of(name))
        finest = _finest(pairs)
        if best is None or finest > best.finest:
            best = _Refinement(name, pairs, finest)
    assert best is not None, "there is a column"
    return best


def _finest(pairs: IntArray) -> tuple[int, int]:
    """Return the number of unique records, by which combinations are compared, and of cells, where that is the same."""
    ordered = np.sort(pairs)  # quicker than what returns a cell for each record
    sizes = np.diff(np.flatnonzero(np.diff(ordered)) + 1, prepend=0, append=len(ordered))
    return int((sizes == 1).sum()), len(sizes)


def singled_out(columns: Sequence[str], pattern: IntArray) -> SinglingOut:
    """Count the records that columns single out, by a number for each combination of their values."""
    sizes = np.bincount(pattern)
    return SinglingOut(tuple(columns), *(int(sizes[sizes < size].sum()) for size in (2, 3, 5)))
