"""Dates as numbers of days."""

import numpy as np

from microagg.model.arrays import FloatArray
from microagg.model.column import Column

DAYS = "days since 1970-01-01"
"""Unit in which dates and times are measured."""

_MICROSECONDS_A_DAY = 24 * 60 * 60 * 10**6


def days_since_1970(column: Column) -> FloatArray:
    """Return dates as days since 1970, of shape (n,); NaN where one is missing."""
    days = column.values.astype("datetime64[us]").astype(np.int64) / _MICROSECONDS_A_DAY
    if column.missing is not None:
        days[column.missing] = np.nan
    return np.asarray(days)
