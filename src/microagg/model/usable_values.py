"""Checks of a column's values before anything is computed with them."""

from dataclasses import dataclass

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.column import CODED, EXACT_INTEGER_LIMIT, Kind
from microagg.model.errors import InputError

_MAX_SQUARABLE = 1e150  # squares of larger numbers overflow, those of smaller than its inverse vanish
_MAX_ROWS_SHOWN = 3
_MIN_NAMES = 6  # fewer different values may all be categories that occur once


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
    if len(present):
        refuse_unsquarable(float(present.min()), float(present.max()), name, of)
    return present


def refuse_unsquarable(lowest: float, highest: float, name: str, of: str = "") -> None:
    """Refuse a column whose squares would overflow or vanish.

    Parameters
    ----------
    lowest, highest
        Range of its numbers.
    name, of
        As in `checked_numbers`.

    Raises
    ------
    InputError
        If they would.
    """
    if max(abs(lowest), abs(highest)) > _MAX_SQUARABLE or 0 < highest - lowest < 1 / _MAX_SQUARABLE:
        raise InputError(f"column {name!r}{of} has numbers too large or too close together to be squared: rescale it")


def refuse_inexact_integers(lowest: float, highest: float, name: str, of: str = "") -> None:
    """Refuse a column of integers that floats do not hold.

    Parameters
    ----------
    lowest, highest
        Range of its integers.
    name, of
        As in `checked_numbers`.

    Raises
    ------
    InputError
        If there are any.
    """
    if max(abs(lowest), abs(highest)) >= EXACT_INTEGER_LIMIT:
        raise InputError(
            f"column {name!r}{of} has integers beyond 2^53, which arithmetic would damage: leave it out, or treat it "
            f"as categories, as in nominal=[{name!r}] (--nominal)"
        )


def refuse_names(n_categories: int, n_present: int, name: str, kind: Kind) -> None:
    """Refuse text that differs in every record: the mode of a group would be the name of one of its records.

    Parameters
    ----------
    n_categories
        Number of different values of the column.
    n_present
        Number of values that are there.
    name, kind
        Name and kind of the column.

    Raises
    ------
    InputError
        If it differs so.
    """
    if kind in CODED and n_categories >= _MIN_NAMES and n_categories == n_present:
        raise InputError(
            f"column {name!r} is {kind} that differs in every record, as names do: leave it out of the "
            f"release, as in identifiers=[{name!r}] (--identifiers), or do not name it in columns"
        )


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
    FoundRows.of(missing, None).refuse(name, of, what)


@dataclass(frozen=True)
class FoundRows:
    """How many rows have something that is looked for, and the first of them; those of parts can be merged.

    Parameters
    ----------
    count
        Number of rows.
    first
        The first few row numbers, counted from 0, ascending.
    """

    count: int = 0
    first: tuple[int, ...] = ()

    @classmethod
    def of(cls, found: BoolArray, rows: IntArray | None) -> "FoundRows":
        """Return the rows that are marked.

        Parameters
        ----------
        found
            Which are, of shape (n,).
        rows
            Number of each row, of shape (n,); None: 0, 1, ….
        """
        marked = np.flatnonzero(found) if rows is None else np.sort(rows[found])
        return cls(len(marked), tuple(marked[:_MAX_ROWS_SHOWN].tolist()))

    def merged(self, other: "FoundRows") -> "FoundRows":
        """Return the rows of both parts together."""
        return FoundRows(self.count + other.count, tuple(sorted(self.first + other.first)[:_MAX_ROWS_SHOWN]))

    def refuse(self, name: str, of: str = "", what: str = "missing") -> None:
        """Refuse a column that has any of them.

        Parameters
        ----------
        name, of, what
            As in `refuse_missing`.

        Raises
        ------
        InputError
            If it has.
        """
        count = self.count
        if not count:
            return
        rows = ", ".join(str(row + 1) for row in self.first)
        where = f"row{'s' * (count > 1)} {rows}{', …' * (count > len(self.first))}"
        advice = (
            "choose what protect does about them, as missing='pattern' ('fill', 'blank' and 'drop' keep k, too; "
            "'available' promises less); or fill them in"
        )
        if what != "missing":
            advice = "remove or correct these records, or leave the column out"
        raise InputError(f"column {name!r}{of} has {count} {what} value{'s' * (count > 1)} ({where}): {advice}")
