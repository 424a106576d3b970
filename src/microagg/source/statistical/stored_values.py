"""New values of a column as a statistical file stores them: numbers or texts."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray
from microagg.model.column import CODED, EXACT_INTEGER_LIMIT, Column
from microagg.model.errors import WriteError
from microagg.source.file_handler import with_article
from microagg.source.statistical.date_formats import date_unit
from microagg.source.statistical.statistical_source import StatisticalSource


@dataclass(frozen=True, eq=False)
class StoredValues:
    """New values of a column.

    Parameters
    ----------
    name
        Name of the column.
    numbers
        Numbers, dates as the file counts them, of shape (n,); None if it holds texts.
    texts
        Texts; None if it holds numbers.
    missing
        Which values are missing, of shape (n,); `numbers` and `texts` have no meaning there.
    as_read
        Which values stay as they were read, of shape (n,): missing ones, with the code that stands for them.
    are_codes
        Whether values are still codes, which the labels of the column go with.
    """

    name: str
    numbers: FloatArray | None
    texts: list[str] | None
    missing: BoolArray
    as_read: BoolArray
    are_codes: bool

    @property
    def are_whole(self) -> bool:
        """Whether all numbers are whole."""
        numbers = self.present_numbers
        return bool((numbers == np.rint(numbers)).all())

    @property
    def present_numbers(self) -> FloatArray:
        """Numbers that are not missing."""
        assert self.numbers is not None
        return self.numbers[~self.missing]


def stored_values(source: StatisticalSource, column: Column, as_read: BoolArray | None) -> StoredValues:
    """Return the new values of a column as they are stored in place of the old ones.

    Parameters
    ----------
    source
        The file that was read.
    column
        The new values.
    as_read
        Which of them stay as they were read, of shape (n,); None: none of them.

    Raises
    ------
    WriteError
        If a number is too large to be stored exactly, or dates are to be stored where there were none.
    """
    n_records = len(column)
    missing = np.zeros(n_records, dtype=np.bool_) if column.missing is None else column.missing
    kept = np.zeros(n_records, dtype=np.bool_) if as_read is None else as_read
    are_codes = column.kind == "category" == source.kind(column.name)
    numbers = _numbers(source, column, missing)
    if numbers is None:
        texts = ["" if value is None else str(value) for value in column.objects()]
        return StoredValues(column.name, None, texts, missing, kept, are_codes)
    return StoredValues(column.name, numbers, None, missing, kept, are_codes)


def _numbers(source: StatisticalSource, column: Column, missing: BoolArray) -> FloatArray | None:
    """Return values as numbers; None if they are texts."""
    if column.kind in ("date", "datetime"):
        unit = date_unit(source.file_kind, source.book.entries[column.name].format)
        if unit is None:
            raise WriteError(
                f"column {column.name!r} would have dates in place of other values, for which its format has no room: "
                "write another kind of file"
            )
        return unit.numbers(np.where(missing, np.datetime64("1970-01-01"), column.values))
    if column.kind not in CODED:
        numbers = np.where(missing, 0.0, column.numbers())
    elif all(_is_number(category) for category in column.categories or ()):
        numbers = np.array([*(column.categories or ()), 0.0], dtype=np.float64)[np.where(missing, -1, column.values)]
    else:
        return None
    if column.kind == "integer" and (np.abs(numbers) >= EXACT_INTEGER_LIMIT).any():
        raise WriteError(
            f"column {column.name!r} has integers of more than 53 bits, which {with_article(source.file_kind)} cannot "
            "hold exactly: drop it, or write another kind of file"
        )
    return numbers


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
