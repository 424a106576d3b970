"""Profile of a column: the words of its name and the statistics of its values that rules look at."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from microagg.model.arrays import IntArray
from microagg.model.column import Column

MIN_RECORDS = 6
"""Values of fewer records are often in order, or in a narrow range, by chance."""

_LETTERS = re.compile(r"[^\W\d_]+")
_CASE_CHANGE = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")


@dataclass(frozen=True, eq=False)
class ColumnProfile:
    """Name and values of a column, as rules look at them.

    Parameters
    ----------
    name
        Its name, without accents.
    values
        Its finite values in the order of the records.
    """

    name: str
    values: npt.NDArray[Any]

    @classmethod
    def of(cls, column: Column) -> "ColumnProfile":
        """Return the profile of a column of numbers; of another kind, that of its dates, truth values or codes."""
        values = column.values if column.missing is None else column.values[~column.missing]
        if values.dtype.kind == "f":
            values = values[np.isfinite(values)].astype(np.float64)  # half precision overflows at dates
        return cls.of_values(column.name, values)

    @classmethod
    def of_values(cls, name: str, values: npt.NDArray[Any]) -> "ColumnProfile":
        """Return the profile of some values under a name; there may be none."""
        letters = (each for each in unicodedata.normalize("NFKD", name) if not unicodedata.combining(each))
        return cls("".join(letters), values)

    @classmethod
    def named(cls, name: str) -> "ColumnProfile":
        """Return the profile of a name alone."""
        return cls.of_values(name, np.empty(0))

    @cached_property
    def runs(self) -> tuple[str, ...]:
        """Words of the name in lower case, split at anything but letters."""
        return tuple(run.casefold() for run in _LETTERS.findall(self.name))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The same, split at changes of case, too."""
        parts = (word for run in _LETTERS.findall(self.name) for word in _CASE_CHANGE.split(run))
        return tuple(part.casefold() for part in parts)

    @property
    def whole(self) -> str:
        """The name in lower case, with its digits."""
        return self.name.strip().casefold()

    @property
    def all_words(self) -> frozenset[str]:
        """Words of the name, split and not."""
        return frozenset((*self.words, *self.runs))

    @property
    def last_words(self) -> frozenset[str]:
        """Last word of the name, split and not."""
        return frozenset(words[-1] for words in (self.words, self.runs) if words)

    @property
    def head_words(self) -> frozenset[str]:
        """Words that name what the column is: the last one, or the one before "of"."""
        before_of = {word for word, of in zip(self.words, self.words[1:], strict=False) if of == "of"}
        return self.last_words | before_of

    @cached_property
    def integral(self) -> bool:
        """Whether all values are whole numbers."""
        return self.values.dtype.kind != "f" or bool((self.values == np.rint(self.values)).all())

    @cached_property
    def _counted(self) -> tuple[npt.NDArray[Any], IntArray]:
        distinct, counts = np.unique(self.values, return_counts=True)
        return distinct, counts.astype(np.int64)

    @property
    def distinct(self) -> npt.NDArray[Any]:
        """Distinct values, ascending."""
        return self._counted[0]

    @property
    def counts(self) -> IntArray:
        """Number of records that have each of the distinct values."""
        return self._counted[1]

    @cached_property
    def increasing(self) -> bool:
        """Whether each value is larger than the one before."""
        return bool((self.values[1:] > self.values[:-1]).all())

    @property
    def without_gaps(self) -> bool:
        """Whether the distinct values are consecutive whole numbers, if all are whole."""
        if not len(self.values):
            return False
        return int(self.values.max()) - int(self.values.min()) == len(self.distinct) - 1

    @property
    def enumerates(self) -> bool:
        """Whether the values number the records, in any order, if all are whole."""
        return len(self.distinct) == len(self.values) and self.without_gaps

    def within(self, low: float, high: float) -> bool:
        """Check whether there are values and all of them lie in a range, ends included."""
        return len(self.values) > 0 and bool(self.values.min() >= low and self.values.max() <= high)
