"""The records of one file or dataframe, whatever it is made of."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np

from microagg.model.arrays import FloatArray, IntArray, ReadOnlyArrays, read_only
from microagg.model.column import Column, Kind
from microagg.model.errors import InputError
from microagg.model.names import listing, nearest

FileKind = Literal["CSV", "Parquet", "Arrow"]
"""What a file is."""


@dataclass(frozen=True, eq=False)
class Edition(ReadOnlyArrays):
    """What of a source is to be written, and how it differs from what was read.

    Parameters
    ----------
    names
        The columns to be written, in order.
    replaced
        New values of some of them, in the order of the source.
    order
        Which record of the source stands in each row, of shape (n,); None: as they came.
    """

    names: tuple[str, ...]
    replaced: tuple[Column, ...] = ()
    order: IntArray | None = field(default=None, repr=False)


class Source(Protocol):
    """Backend that reads columns and writes them back: an array, a dataframe, a file."""

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

    @property
    def sha256(self) -> str | None:
        """The checksum of that file, as it was read."""

    @property
    def guessed(self) -> bool:
        """Whether what the columns are had to be guessed, by their names and looks: not so of an array."""

    def doubt(self) -> str | None:
        """Say why the names of the columns may be none, if so."""

    def kind(self, name: str) -> Kind:
        """Say what the column holds."""

    def column(self, name: str) -> Column:
        """Give the column with its type: codes and categories where it is no number, date or boolean."""

    def numbers(self, name: str) -> FloatArray:
        """Give the column as numbers, missing ones as NaN; refuse text, naming row and value."""

    def codes(self, name: str) -> IntArray:
        """Give each distinct value of the column a number: equal if and only if the values are."""

    def values(self, name: str) -> list[Any]:
        """Give the column as it came, missing values as None."""

    def native(self, edition: Edition) -> Any:
        """Make the kind of object that was read; of a file, a polars dataframe with typed columns."""

    def save(self, edition: Edition, path: Path, kind: FileKind) -> None:
        """Write a file; one of the kind that was read keeps everything that is not replaced as it came."""


@dataclass(frozen=True, eq=False)
class Table(ReadOnlyArrays):
    """Named columns of a source, some with new values.

    Parameters
    ----------
    source
        Where the columns come from; those not in `replaced` are never converted.
    replaced
        Columns with new values, in the order of the source's records.
    dropped
        Columns that are left out.
    order
        Which record of the source stands in each row, of shape (n,); None: as they came.
    """

    source: Source = field(repr=False)
    replaced: tuple[Column, ...] = field(default=(), repr=False)
    dropped: tuple[str, ...] = field(default=(), repr=False)
    order: IntArray | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        where = "" if self.path is None else f", from {self.path.name!r}"
        return f"Table({self.n_records} records, {len(self.names)} columns{where})"

    @property
    def names(self) -> tuple[str, ...]:
        """Every column, in order."""
        return tuple(name for name in self.source.names if name not in self.dropped)

    @property
    def n_records(self) -> int:
        """How many rows there are."""
        return self.source.n_records

    @property
    def path(self) -> Path | None:
        """The file that the table was read from, if it was one."""
        return self.source.path

    @property
    def edition(self) -> Edition:
        """What is to be written."""
        return Edition(self.names, self.replaced, self.order)

    def kind(self, name: str) -> Kind:
        """Say what the column holds."""
        new = self._new(name)
        return self.source.kind(name) if new is None else new.kind

    def column(self, name: str) -> Column:
        """Give the column with its type, as it is now."""
        new = self._new(name)
        column = self.source.column(name) if new is None else new
        return column if self.order is None else column.in_order(self.order)

    def numbers(self, name: str) -> FloatArray:
        """Give the column as numbers, as it is now; refuse text, naming row and value."""
        new = self._new(name)
        numbers = self.source.numbers(name) if new is None else new.numbers()
        return numbers if self.order is None else numbers[self.order]

    def codes(self, name: str) -> IntArray:
        """Give each distinct value of the column as it is now a number."""
        new = self._new(name)
        codes = self.source.codes(name) if new is None else new.codes()
        return codes if self.order is None else codes[self.order]

    def values(self, name: str) -> list[Any]:
        """Give the column as it is now, missing values as None."""
        new = self._new(name)
        values = self.source.values(name) if new is None else new.objects()
        return values if self.order is None else [values[record] for record in self.order]

    def patterns(self, names: Sequence[str]) -> IntArray:
        """Give each distinct combination of values in some columns a number.

        Exact for every kind of column: two records get the same number if and only if
        they agree in each of `names`. O(n log n) a column.
        """
        combined = np.zeros(self.n_records, dtype=np.int64)
        for name in names:
            codes = self.codes(name)
            of_pattern = np.zeros(combined.max(initial=0) + 1, dtype=np.int64)
            of_pattern[combined] = codes
            if np.array_equal(of_pattern[combined], codes):
                continue  # the columns before tell all that this one does: in a release, after the first few
            pairs = combined * (codes.max(initial=0) + 1) + codes
            combined = np.unique(pairs, return_inverse=True)[1].astype(np.int64)
        return combined

    def with_columns(self, columns: Sequence[Column]) -> "Table":
        """Give the same table with new values in some columns, in the order of its rows."""
        for column in columns:
            if column.name not in self.names or len(column) != self.n_records:
                raise ValueError(
                    f"expected {self.n_records} values for a column of the table, found {column.name!r}: {len(column)}"
                )
        if self.order is not None:
            columns = [column.in_order(np.argsort(self.order)) for column in columns]  # that of the source
        new = {column.name: column for column in (*self.replaced, *columns)}
        return replace(self, replaced=tuple(new.values()))

    def without(self, names: Sequence[str]) -> "Table":
        """Give the same table without some columns."""
        for name in names:
            self.check_name(name)
        dropped = tuple(dict.fromkeys([*self.dropped, *names]))
        return replace(self, dropped=dropped, replaced=tuple(new for new in self.replaced if new.name not in dropped))

    def in_order(self, order: IntArray) -> "Table":
        """Give the same records in another order of its rows."""
        order = np.array(order if self.order is None else self.order[order])
        read_only(order)
        return replace(self, order=order)

    def check_name(self, name: str) -> None:
        """Refuse a name that no column has, and say which was probably meant."""
        if name not in self.names:
            meant = nearest(name, self.names)
            hint = f"did you mean {meant!r}?" if meant else f"the table has {listing(self.names)}"
            raise InputError(f"there is no column {name!r}: {hint}")

    def _new(self, name: str) -> Column | None:
        return next((column for column in self.replaced if column.name == name), None)
