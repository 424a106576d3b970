"""Hold the records of one file or dataframe, whatever it is made of."""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, Protocol

import numpy as np

from microagg.arrays import FloatArray, IntArray
from microagg.errors import InputError

Kind = Literal["integer", "number", "mixed", "text"]
"""What a column holds: whole numbers, numbers, what may or may not be numbers, or anything else."""

FileKind = Literal["CSV", "Parquet", "Arrow"]
"""What a file is."""

_LARGEST = 1e150  # squares of larger numbers overflow, those of smaller than its inverse vanish
_ROW_NUMBERS = r"|__index_level_\d+__"  # what R and pandas call the column that numbers the rows


class Source(Protocol):
    """Be what a table came from: `read` makes one, `write` turns it back."""

    @property
    def names(self) -> tuple[str, ...]:
        """Every column, in order."""

    @property
    def n_records(self) -> int:
        """How many rows there are."""

    @property
    def path(self) -> Path | None:
        """The file that was read, if it was one."""

    @property
    def file_kind(self) -> FileKind | None:
        """The kind of that file."""

    def kind(self, name: str) -> Kind:
        """Say what the column holds."""

    def numbers(self, name: str) -> FloatArray:
        """Give the column as numbers, missing ones as NaN; refuse text, naming row and value."""

    def codes(self, name: str) -> IntArray:
        """Give each distinct value of the column a number: equal if and only if the values are."""

    def values(self, name: str) -> list[Any]:
        """Give the column as it came, missing values as None."""

    def native(self, table: "Table") -> Any:
        """Turn a table of this source, perhaps changed, back into the kind of object it came from."""

    def save(self, table: "Table", path: Path) -> None:
        """Write a table of this source, perhaps changed, as the kind of file it came from."""


@dataclass(frozen=True, eq=False)
class Table:
    """Carry every column as it came, with new numbers in some of them.

    Parameters
    ----------
    source
        Where the columns come from; those not in `changed` are never converted.
    changed
        New numbers for some columns, each of shape (n,): integers or floats.
    order
        Which record of the source stands in each row, of shape (n,); None: as they came.
    """

    source: Source
    changed: Mapping[str, FloatArray | IntArray] = field(default_factory=lambda: MappingProxyType({}))
    order: IntArray | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Every column, in order."""
        return self.source.names

    @property
    def n_records(self) -> int:
        """How many rows there are."""
        return self.source.n_records

    def kind(self, name: str) -> Kind:
        """Say what the column held when it was read."""
        return self.source.kind(name)

    def numbers(self, name: str) -> FloatArray:
        """Give the column as numbers, as it is now."""
        numbers = self.changed[name].astype(np.float64) if name in self.changed else self.source.numbers(name)
        return numbers if self.order is None else numbers[self.order]

    def codes(self, name: str) -> IntArray:
        """Give each distinct value of the column as it is now a number."""
        if name in self.changed:
            codes = np.unique(self.changed[name], return_inverse=True)[1].astype(np.int64)
        else:
            codes = self.source.codes(name)
        return codes if self.order is None else codes[self.order]

    def values(self, name: str) -> list[Any]:
        """Give the column as it is now, missing values as None."""
        values = self.changed[name].tolist() if name in self.changed else self.source.values(name)
        return values if self.order is None else [values[record] for record in self.order]

    def patterns(self, names: Sequence[str]) -> IntArray:
        """Give each distinct combination of values in some columns a number.

        Exact for every kind of column: two records get the same number if and only if
        they agree in each of `names`. O(n log n) a column.
        """
        combined = np.zeros(self.n_records, dtype=np.int64)
        for name in names:
            codes = self.codes(name)
            pairs = combined * (codes.max(initial=0) + 1) + codes
            combined = np.unique(pairs, return_inverse=True)[1].astype(np.int64)
        return combined

    def with_numbers(self, changed: Mapping[str, FloatArray | IntArray]) -> "Table":
        """Give the same table with new numbers in some columns."""
        for name, numbers in changed.items():
            if name not in self.names or numbers.shape != (self.n_records,):
                raise ValueError(
                    f"expected {self.n_records} numbers for a column of the table, found {name!r}: {numbers.shape}"
                )
        return Table(self.source, MappingProxyType({**self.changed, **changed}), self.order)

    def in_order(self, order: IntArray) -> "Table":
        """Give the same records in another order."""
        return Table(self.source, self.changed, order)

    def select(self, columns: Iterable[Hashable] | None) -> tuple[str, ...]:
        """Check the user's choice of columns; None chooses every column of numbers."""
        if columns is None:
            return self._numeric()
        if isinstance(columns, str | bytes) or not isinstance(columns, Iterable):
            raise InputError(f"columns must be a list of names, found {columns!r}: put it into a list")
        names = tuple(str(name) for name in columns)
        if not names:
            raise InputError("columns is empty: name at least one column, or leave it out to take every numeric one")
        for name in names:
            if name not in self.names:
                raise InputError(f"there is no column {name!r}: the table has {listing(self.names)}")
            if names.count(name) > 1:
                raise InputError(f"column {name!r} is chosen {names.count(name)} times: name it once")
        return names

    def _numeric(self) -> tuple[str, ...]:
        if not self.n_records:
            raise InputError(f"the table has no records, only the columns {listing(self.names)}")
        kinds = {name: self.kind(name) for name in self.names if not re.fullmatch(_ROW_NUMBERS, name)}
        for name, kind in kinds.items():
            if kind == "mixed":
                self.numbers(name)  # tells the value that is in the way, if one is
                raise InputError(f"column {name!r} may or may not hold numbers: name the columns to be protected")
        numeric = tuple(name for name, kind in kinds.items() if kind != "text")
        if not numeric:
            raise InputError(f"there is no numeric column to protect: the table has {listing(self.names)}")
        return numeric


def listing(names: Sequence[str], most: int = 12) -> str:
    """Join names for a sentence, the first `most` of them."""
    shown = ", ".join(repr(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def number_distinct(keys: Iterable[Any]) -> IntArray:
    """Give each distinct key a number, in the order in which they come; lists go by what is in them."""
    seen: dict[Hashable, int] = {}
    numbered = []
    for key in keys:
        try:
            numbered.append(seen.setdefault(key, len(seen)))
        except TypeError:
            items = key.tolist() if hasattr(key, "tolist") else key.to_list() if hasattr(key, "to_list") else key
            numbered.append(seen.setdefault(("not hashable", repr(items)), len(seen)))
    return np.array(numbered, dtype=np.int64)


def checked_numbers(table: Table, name: str, of: str = "") -> FloatArray:
    """Give a column as numbers that can be squared; refuse missing and infinite ones, saying how many and where."""
    values = table.numbers(name)
    column = f"column {name!r}{of}"
    for what, bad in (("missing", np.isnan(values)), ("infinite", np.isinf(values))):
        if bad.any():
            count, rows = int(bad.sum()), np.flatnonzero(bad)[:3] + 1
            where = f"row{'s' * (count > 1)} {', '.join(map(str, rows))}{', …' * (count > len(rows))}"
            raise InputError(
                f"{column} has {count} {what} value{'s' * (count > 1)} ({where}): "
                "remove or fill in these records, or leave the column out"
            )
    spread = np.ptp(values) if len(values) else 0.0
    if len(values) and (np.abs(values).max() > _LARGEST or 0 < spread < 1 / _LARGEST):
        raise InputError(f"{column} has numbers too large or too close together to be squared: rescale it")
    return values
