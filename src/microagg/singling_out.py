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

_MAX_STEPS = 4  # columns of the smallest combinations


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
    found = _growing_combinations(table, names, tick)
    whole = _counted(tuple(names), table.patterns(names))
    return (*(one for one in found if one.n_unique and len(one.columns) < len(names)), whole)


def _growing_combinations(table: Table, names: Sequence[str], tick: Callable[[float], None]) -> list[SinglingOut]:
    """Return the combinations that begin with nothing, each with the one column more that makes most records unique."""
    codes_of = table.codes if isinstance(table.source, BatchedSource) else cache(table.codes)
    combination: list[str] = []
    pattern = np.zeros(table.n_records, dtype=np.int64)
    found = []
    n_steps = min(_MAX_STEPS, len(names))
    for step in range(n_steps):
        tick(step / n_steps)
        best = _best_refinement(pattern, [name for name in names if name not in combination], codes_of)
        combination.append(best.name)
        pattern = best.pattern
        found.append(_counted(tuple(combination), pattern))
        if found[-1].n_unique == table.n_records:
            break
    return found


class _Refinement(NamedTuple):
    """Pattern with the one column more that makes most records unique."""

    name: str
    pattern: IntArray


def _best_refinement(pattern: IntArray, names: Sequence[str], codes_of: Callable[[str], IntArray]) -> _Refinement:
    """Return the first of the refinements that are finest; two of them are in memory at a time."""
    best = _Refinement(names[0], _refined(pattern, codes_of(names[0])))
    for name in names[1:]:
        refined = _refined(pattern, codes_of(name))
        if _finest(refined) > _finest(best.pattern):
            best = _Refinement(name, refined)
    return best


def _refined(pattern: IntArray, codes: IntArray) -> IntArray:
    """Return a number for each combination of a pattern and a code."""
    return np.unique(pair_codes(pattern, codes), return_inverse=True)[1].astype(np.int64)


def _finest(pattern: IntArray) -> tuple[int, int]:
    """Return the number of unique records, by which combinations are compared, and of cells, where that is the same."""
    sizes = np.bincount(pattern)
    return int((sizes == 1).sum()), len(sizes)


def _counted(columns: tuple[str, ...], pattern: IntArray) -> SinglingOut:
    sizes = np.bincount(pattern)[pattern]
    return SinglingOut(columns, int((sizes == 1).sum()), int((sizes < 3).sum()), int((sizes < 5).sum()))
