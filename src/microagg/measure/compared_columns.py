"""Protected columns of two tables, read as arrays: in memory, or in files where the run is out of core."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from microagg.control.mapped_arrays import MappedArrays
from microagg.control.run import Run
from microagg.measure.common_cells import CellCounts, common_column
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.day_numbers import DAYS, days_since_1970
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column import Column
from microagg.model.column_encoding import ColumnEncoding, NominalColumn, ScaledColumn
from microagg.model.column_values import UNKNOWN, Categories
from microagg.model.encoding import percent_lost

MISSING = -1
"""Code of a missing value."""


@dataclass(frozen=True, eq=False)
class ComparedNumbers:
    """Numbers of one column before and after, or dates as numbers of days.

    Parameters
    ----------
    name
        Name of the column.
    before, after
        Of shape (n,); NaN where a value is missing, which it is in both or in none.
    unit
        Unit of dates; None of other columns.
    """

    name: str
    before: FloatArray
    after: FloatArray
    unit: str | None = None


@dataclass(frozen=True, eq=False)
class ComparedCategories:
    """Categories of one column before and after.

    Parameters
    ----------
    name
        Name of the column.
    before, after
        Code of each value, of shape (n,): its place among `categories`, their number where it is none of them, and
        `MISSING` where it is missing.
    categories
        Categories of the original, as text.
    """

    name: str
    before: IntArray
    after: IntArray
    categories: tuple[str, ...]


class ComparedColumns(NamedTuple):
    """All protected columns before and after.

    Parameters
    ----------
    numbers, categories
        The columns, by their level of measurement.
    information_loss
        What is lost in all of them together, in percent.
    cells
        How many values are missing in one table only, and are left out.
    """

    numbers: tuple[ComparedNumbers, ...]
    categories: tuple[ComparedCategories, ...]
    information_loss: float
    cells: CellCounts = CellCounts()


def read_columns(tables: ComparedTables, run: Run) -> ComparedColumns:
    """Read the protected columns of two tables one after another.

    A value that is missing in one table only, as it was suppressed or imputed, is left out of both.

    Parameters
    ----------
    tables
        The tables.
    run
        The run; out of core, its arrays hold what is read.

    Returns
    -------
    ComparedColumns
        The columns.
    """
    numbers = []
    categories = []
    lost = []
    cells = []
    for place, encoded in enumerate(tables.encoding.columns):
        run.tick("read columns", place / len(tables.names))
        common = common_column(*tables.pair(encoded))
        before, after = common.before, common.after
        cells.append(common.counts)
        places = encoded.read(before), encoded.read(after)
        lost.append((encoded.lost(*places), encoded.total if common.counts.are_whole else encoded.total_of(places[0])))
        if encoded.level == "number":
            old, new = (kept(one, run.arrays) for one in places)
            numbers.append(ComparedNumbers(encoded.name, old, new))
        elif encoded.level == "date":
            old, new = (kept(days_since_1970(one), run.arrays) for one in (before, after))
            numbers.append(ComparedNumbers(encoded.name, old, new, DAYS))
        else:
            categories.append(_categories(encoded, before, places, run.arrays))
    return ComparedColumns(tuple(numbers), tuple(categories), percent_lost(lost), CellCounts.merged(cells))


def _categories(
    encoded: ColumnEncoding, before: Column, places: tuple[FloatArray, FloatArray], arrays: MappedArrays | None
) -> ComparedCategories:
    assert isinstance(encoded, NominalColumn | ScaledColumn), "there are no other encodings"
    assert isinstance(encoded.values, Categories), "of a column that is neither number nor date"
    known = tuple(map(str, encoded.values.values))
    codes = [kept(_codes(one, len(known)), arrays) for one in places]
    return ComparedCategories(before.name, codes[0], codes[1], known)


def _codes(places: FloatArray, n_categories: int) -> IntArray:
    codes = np.full(len(places), MISSING, dtype=np.int64)
    present = ~np.isnan(places)
    found = places[present]
    codes[present] = np.where(found == UNKNOWN, n_categories, found).astype(np.int64)
    return codes


def kept(values: Any, arrays: MappedArrays | None) -> Any:
    """Return an array, or a copy of it where the arrays of a run out of core are kept."""
    return values if arrays is None else arrays.copy(values)
