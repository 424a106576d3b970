"""Table: the named columns of a source, some of them replaced."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray, ReadOnlyArrays, read_only
from microagg.model.by_column import ByColumn
from microagg.model.column import Column, Kind, numeric_marks
from microagg.model.errors import InputError
from microagg.model.missing_as_read import MissingAsRead
from microagg.model.names import listing, nearest, quantity
from microagg.model.pair_codes import pair_codes
from microagg.model.source_protocol import BatchedSource, Changes, CodebookSource, Source
from microagg.model.value_batches import chosen_batches

_PLAIN_NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")  # 007 is a code


@dataclass(frozen=True, eq=False, repr=False)
class Table(ReadOnlyArrays):
    """Named columns of a source, some of them replaced.

    Parameters
    ----------
    source
        Where the columns come from; those not in `replaced` are never converted.
    replaced
        Columns with new values, in the order of the source's records.
    dropped
        Columns that are left out.
    order
        Record of the source in each row, of shape (n,); None if all are there, in the order of the source.
    missing_values
        Values of columns that stand for a missing one. They are missing to `numbers` and `column`; `codes` and `values`
        have them as they were read, and so does a file that is written.

    Examples
    --------
    >>> import microagg
    >>> table = microagg.read([[1.0, 2.0], [3.0, 4.0]])
    >>> table.names, table.numbers("1").tolist()
    (('0', '1'), [2.0, 4.0])
    """

    source: Source
    replaced: tuple[Column, ...] = ()
    dropped: tuple[str, ...] = ()
    order: IntArray | None = None
    missing_values: ByColumn[tuple[Any, ...]] = field(default_factory=ByColumn)

    def __repr__(self) -> str:
        where = "" if self.path is None else f", from {self.path.name!r}"
        return f"Table({quantity(self.n_records, 'record')}, {quantity(len(self.names), 'column')}{where})"

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all columns, in order."""
        return tuple(name for name in self.source.names if name not in self.dropped)

    @property
    def n_records(self) -> int:
        """Number of records."""
        return self.source.n_records if self.order is None else len(self.order)

    @property
    def path(self) -> Path | None:
        """The file that the table was read from, if it was one."""
        return self.source.path

    @property
    def changes(self) -> Changes:
        """Changes that are to be written in place of what was read."""
        names = tuple(column.name for column in self.replaced if column.missing is not None)
        without_index = tuple(name for name in self.dropped if name in self.index_names)
        return Changes(
            self.names, self.replaced, self.order, MissingAsRead(names, self._missing_as_read), without_index
        )

    @property
    def index_names(self) -> tuple[str, ...]:
        """Names of the labels of records, where the source is a dataframe that has such: they are in no column."""
        names: tuple[str, ...] = getattr(self.source, "index_names", ())
        return names

    @property
    def index(self) -> "Table | None":
        """The labels of records as columns; None where none is released: records that are reordered lose them."""
        names = tuple(name for name in self.index_names if name in self.dropped)
        is_reordered = self.order is not None and bool((np.diff(self.order) < 0).any())
        if len(names) == len(self.index_names) or is_reordered:
            return None
        source: Any = self.source
        return Table(source.index_columns(), dropped=names, order=self.order)

    def kind(self, name: str) -> Kind:
        """Return the kind of a column.

        Parameters
        ----------
        name
            Name of the column.

        Returns
        -------
        str
            "integer", "number", "boolean", "date", "datetime", "category", "text", or "mixed", which may or may not be
            numbers.
        """
        new = self._replacement(name) or self._numbers_among_marks(name)
        return self.source.kind(name) if new is None else new.kind

    def column(self, name: str) -> Column:
        """Return a column with its type, as it is now.

        Parameters
        ----------
        name
            Name of the column.

        Returns
        -------
        Column
            Its values, in the order of the rows.
        """
        new = self._replacement(name) or self._numbers_among_marks(name)
        column = self._with_missing_values(self.source.column(name)) if new is None else new
        return column if self.order is None else column.in_order(self.order)

    def numbers(self, name: str) -> FloatArray:
        """Return a column as numbers, as it is now.

        Parameters
        ----------
        name
            Name of the column.

        Returns
        -------
        ndarray of shape (n,)
            NaN where a value is missing.

        Raises
        ------
        InputError
            If a value is no number; it is named with its row.
        """
        new = self._replacement(name) or self._numbers_among_marks(name)
        numbers = self._without_missing_values(name, self.source.numbers(name)) if new is None else new.numbers()
        return numbers if self.order is None else numbers[self.order]

    def codes(self, name: str) -> IntArray:
        """Return a number for each distinct value of a column, as it is now.

        Parameters
        ----------
        name
            Name of the column.

        Returns
        -------
        ndarray of shape (n,)
            Equal if and only if the values are.
        """
        new = self._replacement(name)
        codes = self.source.codes(name) if new is None else self._codes_as_written(new)
        return codes if self.order is None else codes[self.order]

    def values(self, name: str) -> list[Any]:
        """Return a column as it is now.

        Parameters
        ----------
        name
            Name of the column.

        Returns
        -------
        list
            None where a value is missing.
        """
        if self._is_in_batches(name):
            return self._gathered(name)
        new = self._replacement(name)
        values = self.source.values(name) if new is None else new.objects()
        return values if self.order is None else [values[record] for record in self.order]

    def each_value(self, name: str) -> Iterator[Any]:
        """Yield the values of a column as it is now, one after another.

        Of a table larger than memory, few of them are there at a time, unless its rows are in another order than those
        of its source.

        Parameters
        ----------
        name
            Name of the column.

        Yields
        ------
        object
            The next value; None where it is missing.
        """
        ascending = self.order is None or bool((np.diff(self.order) > 0).all())
        if not self._is_in_batches(name) or not ascending:
            yield from self.values(name)
            return
        assert isinstance(self.source, BatchedSource)
        for batch in chosen_batches(self.source.value_batches(name), self.order):
            yield from batch

    def marks(self, name: str) -> list[Any] | None:
        """Return the codes that stand for missing values of a column, where the source is a file that declares some.

        Parameters
        ----------
        name
            Name of the column.

        Returns
        -------
        list or None
            None where there is a value, or simply none. None altogether if the source declares no such codes.
        """
        if not isinstance(self.source, CodebookSource):
            return None
        marks = self.source.marks(name)
        if self._replacement(name) is not None:
            as_read = self._missing_as_read(name).tolist()
            marks = [mark if kept else None for mark, kept in zip(marks, as_read, strict=True)]
        return marks if self.order is None else [marks[record] for record in self.order]

    def missing_codes(self, name: str) -> IntArray:
        """Return what a column lacks, and in which way.

        Parameters
        ----------
        name
            Name of the column.

        Returns
        -------
        ndarray of shape (n,)
            0 where there is a value; where it is missing, a number for each distinct mark of that.

        Examples
        --------
        >>> import microagg
        >>> table = microagg.read([[1.0], [-9.0], [float("nan")]]).with_missing_values({"0": [-9]})
        >>> table.missing_codes("0").tolist()
        [0, 1, 2]
        """
        missing = self.column(name).missing
        found = np.zeros(self.n_records, dtype=np.int64)
        if missing is not None:
            found[missing] = 1 + np.unique(self.codes(name)[missing], return_inverse=True)[1]
        return found

    def patterns(self, names: Sequence[str]) -> IntArray:
        """Return a number for each distinct combination of values in some columns.

        Exact for every kind of column. O(n log n) a column.

        Parameters
        ----------
        names
            Names of the columns.

        Returns
        -------
        ndarray of shape (n,)
            Equal if and only if the records agree in each of `names`.

        Examples
        --------
        >>> import microagg
        >>> microagg.read([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]]).patterns(["0", "1"]).tolist()
        [0, 1, 0]
        """
        combined = np.zeros(self.n_records, dtype=np.int64)
        for name in names:
            codes = self.codes(name)
            of_pattern = np.zeros(combined.max(initial=0) + 1, dtype=np.int64)
            of_pattern[combined] = codes
            if np.array_equal(of_pattern[combined], codes):
                continue  # determined by the columns before: in a release, every column after the first few
            combined = np.unique(pair_codes(combined, codes), return_inverse=True)[1].astype(np.int64)
        return combined

    def with_columns(self, columns: Iterable[Column], kept: Callable[[Column], Column] | None = None) -> "Table":
        """Return the same table with new values in some columns.

        Parameters
        ----------
        columns
            The new columns, in the order of the rows; each has the name of a column of the table. They are taken one
            after another.
        kept
            Function that returns the same column, its values kept elsewhere than in memory.

        Returns
        -------
        Table
            The changed table.

        Raises
        ------
        ValueError
            If the table has no such column, or another number of records.
        """
        new = {column.name: column for column in self.replaced}
        for column in columns:
            if column.name not in self.names or len(column) != self.n_records:
                raise ValueError(
                    f"expected {self.n_records} values for a column of the table, found {column.name!r}: {len(column)}"
                )
            in_place = column if self.order is None else self._in_source_order(column)
            new[column.name] = in_place if kept is None else kept(in_place)
        return replace(self, replaced=tuple(new.values()))

    def without(self, names: Sequence[str]) -> "Table":
        """Return the same table without some columns.

        Parameters
        ----------
        names
            Names of the columns to leave out.

        Returns
        -------
        Table
            The other columns.

        Raises
        ------
        InputError
            If there is no such column.
        """
        for name in names:
            if name not in self.index_names:
                self.check_name(name)
        dropped = tuple(dict.fromkeys([*self.dropped, *names]))
        return replace(self, dropped=dropped, replaced=tuple(new for new in self.replaced if new.name not in dropped))

    def with_missing_values(self, values: Mapping[str, Iterable[Any]] | ByColumn[tuple[Any, ...]]) -> "Table":
        """Return the same table, in which some values of columns stand for a missing one.

        Parameters
        ----------
        values
            Values by the name of their column.

        Returns
        -------
        Table
            The table; nothing of it is written otherwise than before.

        Raises
        ------
        InputError
            If there is no such column.
        """
        if not isinstance(values, ByColumn):
            values = ByColumn(None, tuple((name, tuple(listed)) for name, listed in values.items()))
        for name in values.names:
            self.check_name(name)
        return replace(self, missing_values=values)

    def in_order(self, order: IntArray) -> "Table":
        """Return the same records in another order, or some of them.

        Parameters
        ----------
        order
            Index of the present row at each place, of shape (n,); a record whose index is left out is left out.

        Returns
        -------
        Table
            The table with these rows.

        Examples
        --------
        >>> import numpy as np, microagg
        >>> microagg.read([[1.0], [3.0], [5.0]]).in_order(np.array([2, 0, 1])).numbers("0").tolist()
        [5.0, 1.0, 3.0]
        """
        order = np.array(order if self.order is None else self.order[order])
        read_only(order)
        return replace(self, order=order)

    def check_name(self, name: str) -> None:
        """Refuse a name that no column has, and suggest the one that was probably meant.

        Parameters
        ----------
        name
            Name to look for.

        Raises
        ------
        InputError
            If no column has it.
        """
        if name not in self.names:
            meant = nearest(name, self.names)
            hint = f"did you mean {meant!r}?" if meant else f"the table has {listing(self.names)}"
            raise InputError(f"there is no column {name!r}: {hint}")

    def _is_in_batches(self, name: str) -> bool:
        """Check whether a column is read from a source that is larger than memory."""
        return isinstance(self.source, BatchedSource) and self._replacement(name) is None

    def _gathered(self, name: str) -> list[Any]:
        """Return the values of a column in the order of the rows, from batches."""
        assert isinstance(self.source, BatchedSource)
        batches = self.source.value_batches(name)
        if self.order is None:
            return [value for batch in batches for value in batch]
        places = np.argsort(self.order, kind="stable")
        values: list[Any] = [None] * len(places)
        chosen = (value for batch in chosen_batches(batches, self.order[places]) for value in batch)
        for place, value in zip(places.tolist(), chosen, strict=True):
            values[place] = value
        return values

    def _numbers_among_marks(self, name: str) -> Column | None:
        """Return a column of numbers but for texts that stand for a missing value; None where it is no such column."""
        marks = self.missing_values.of(name) or ()
        texts = {mark for mark in marks if isinstance(mark, str)}
        if not texts or self.source.kind(name) not in ("text", "mixed"):
            return None
        column = self.source.column(name)
        if not all(isinstance(category, str) for category in column.categories or ()):
            return None  # numbers among them are categories of a dataframe
        categories = [category.strip() for category in column.categories or ()]
        others = [category for category in categories if category not in texts]
        if not others or not all(map(_PLAIN_NUMBER.fullmatch, others)):
            return None
        numbers = np.array([np.nan if category in texts else float(category) for category in categories])
        values = numbers[np.clip(column.values, 0, len(numbers) - 1)]
        if column.missing is not None:
            values[column.missing] = np.nan
        return Column.of_numbers(name, values).with_missing(marks)

    def _missing_as_read(self, name: str) -> BoolArray:
        """Return which values of a replaced column were missing before, too: what marked them is written again."""
        column = self._replacement(name)
        assert column is not None
        read = self._numbers_among_marks(name)
        before = (self._with_missing_values(self.source.column(name)) if read is None else read).missing
        if before is None or column.missing is None:
            return np.zeros(len(column), dtype=np.bool_)
        marked: BoolArray = before & column.missing
        return marked if column.blank is None else marked & ~column.blank

    def _codes_as_written(self, column: Column) -> IntArray:
        """Return codes of a replaced column, in which values differ that stand for a missing one and are no blanks."""
        codes = column.codes()
        declares_marks = isinstance(self.source, CodebookSource)
        if column.missing is not None and (declares_marks or self.missing_values.of(column.name)):
            marked = self._missing_as_read(column.name)
            blank = None if declares_marks else self.source.column(column.name).missing
            if blank is not None:
                marked &= ~blank
            codes[marked] = codes.max() + 1 + self.source.codes(column.name)[marked]
        return codes

    def _in_source_order(self, column: Column) -> Column:
        """Return a column in the order of the source's records; those that have no row get any value."""
        assert self.order is not None
        place = np.zeros(self.source.n_records, dtype=np.int64)
        place[self.order] = np.arange(len(self.order))
        return column.in_order(place)

    def _without_missing_values(self, name: str, numbers: FloatArray) -> FloatArray:
        marks = numeric_marks(self.missing_values.of(name) or ())
        return np.where(np.isin(numbers, marks), np.nan, numbers) if marks else numbers

    def _with_missing_values(self, column: Column) -> Column:
        marks = self.missing_values.of(column.name) or ()
        return column.with_missing(marks) if marks else column

    def _replacement(self, name: str) -> Column | None:
        return next((column for column in self.replaced if column.name == name), None)
