"""Checks of a column's values before anything is computed with them."""

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray
from microagg.model.errors import InputError

_MAX_SQUARABLE = 1e150  # squares of larger numbers overflow, those of smaller than its inverse vanish
_MAX_ROWS_SHOWN = 3


def checked_numbers(numbers: FloatArray, name: str, of: str = "", *, may_miss: bool = False) -> FloatArray:
    """Return the numbers that are there, all of which can be squared; refuse others, with their count and rows.

    Parameters
    ----------
    numbers
        Of shape (n,).
    name
        Name of their column.
    of
        Which table it is in, for messages: " of the release".
    may_miss
        Whether NaN is allowed, and left out.

    Raises
    ------
    InputError
        If a number is missing or infinite, or if squares of the numbers would overflow or vanish.
    """
    missing = np.isnan(numbers)
    if not may_miss:
        refuse_missing(missing, name, of)
    refuse_missing(np.isinf(numbers), name, of, what="infinite")
    present = numbers[~missing] if missing.any() else numbers
    spread = np.ptp(present) if len(present) else 0.0
    if len(present) and (np.abs(present).max() > _MAX_SQUARABLE or 0 < spread < 1 / _MAX_SQUARABLE):
        raise InputError(f"column {name!r}{of} has numbers too large or too close together to be squared: rescale it")
    return present


def refuse_missing(missing: BoolArray, name: str, of: str = "", what: str = "missing") -> None:
    """Refuse a column if any of its values is missing, with their count and rows.

    Parameters
    ----------
    missing
        Which values are, of shape (n,).
    name
        Name of the column.
    of
        Which table it is in, for messages: " of the release".
    what
        What the values are.

    Raises
    ------
    InputError
        If one is.
    """
    count = int(missing.sum())
    if not count:
        return
    rows = np.flatnonzero(missing)[:_MAX_ROWS_SHOWN] + 1
    where = f"row{'s' * (count > 1)} {', '.join(map(str, rows))}{', …' * (count > len(rows))}"
    advice = "choose what protect does about them, missing='pattern', 'available' or 'drop'; or fill them in"
    if what != "missing":
        advice = "remove or correct these records, or leave the column out"
    raise InputError(f"column {name!r}{of} has {count} {what} value{'s' * (count > 1)} ({where}): {advice}")
