"""Histogram of a column of numbers or dates, over all records."""

import math
from typing import Any

import numpy as np

from microagg.measure.day_numbers import days_since_1970
from microagg.measure.distributions import bins_of, counts_in
from microagg.model.arrays import FloatArray
from microagg.model.column import NUMERIC
from microagg.model.table import Table

_MAX_BINS = 30
_TIMES = ("date", "datetime")


def column_histogram(table: Table, name: str) -> dict[str, Any] | None:
    """Return the histogram of a column; None where it holds neither numbers nor dates.

    Parameters
    ----------
    table
        The table; the column is read, and given up again.
    name
        Name of the column.

    Returns
    -------
    dict or None
        `edges` of at most 30 bins, the `counts` of each, and the `unit`: "days" since 1970 for dates, None for numbers.
    """
    kind = table.kind(name)
    if kind not in (*NUMERIC, *_TIMES):
        return None
    numbers = days_since_1970(table.column(name)) if kind in _TIMES else table.numbers(name)
    ordered = np.sort(numbers[np.isfinite(numbers)])
    if not len(ordered):
        return None
    edges = _integer_bins(ordered) if kind in ("integer", "date") else bins_of(ordered)
    counts = counts_in(edges, ordered)
    return {"edges": edges.tolist(), "counts": list(counts), "unit": "days" if kind in _TIMES else None}


def _integer_bins(ordered: FloatArray) -> FloatArray:
    """Return edges between integers, so that each bin has as many of them."""
    lowest = float(ordered[0])
    span = float(ordered[-1]) - lowest + 1.0
    width = max(1.0, math.ceil(span / _MAX_BINS))
    if not math.isfinite(span) or lowest + 0.5 == lowest:  # too large for a half to be told
        return bins_of(ordered)
    return np.asarray(lowest - 0.5 + width * np.arange(math.ceil(span / width) + 1), dtype=np.float64)
