"""Words that findings share."""

from collections.abc import Sequence

from microagg.model.arrays import IntArray
from microagg.model.names import listing

_MAX_ROWS_SHOWN = 5


def row_list(rows: IntArray) -> str:
    """Name the rows of some records, counted from 1; the first few of many."""
    first = ", ".join(str(row + 1) for row in rows[:_MAX_ROWS_SHOWN])
    more = ", …" * (len(rows) > _MAX_ROWS_SHOWN)
    return f"row{'s' * (len(rows) > 1)} {first}{more}"


def where(columns: Sequence[str], strata: Sequence[str] = ()) -> str:
    """Say in which columns records are compared."""
    within = f" within strata of {listing(strata)}" if strata else ""
    return f"in {listing(columns)}{within}"
