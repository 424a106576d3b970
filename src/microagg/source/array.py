"""Numpy arrays as a source of columns."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column import CODED, NUMERIC, Column, Kind, number_distinct
from microagg.model.errors import InputError, ReadError
from microagg.model.source_protocol import Changes, FileKind
from microagg.source.object_columns import column_of_objects, is_missing, kind_of_objects
from microagg.source.polars_columns import series_of_column, series_over
from microagg.source.polars_files import save_frame

if TYPE_CHECKING:
    import polars as pl

_KIND_OF_DTYPE: dict[str, Kind] = {"b": "boolean", "i": "integer", "u": "integer", "f": "number"}
_DATE_UNITS = ("Y", "M", "W", "D")  # numpy's units of time of a day or more


@dataclass(frozen=True, eq=False, repr=False)
class ArraySource:
    """Source of the columns of an array of shape (n, d), or (n,) for one column.

    Parameters
    ----------
    array
        The array.
    labels
        The names of its columns; None: they are named "0", "1", ….
    """

    array: npt.NDArray[Any]
    labels: tuple[str, ...] | None = None
    path: ClassVar[Path | None] = None
    file_kind: ClassVar[FileKind | None] = None
    sha256: ClassVar[str | None] = None
    may_hold_identifiers: ClassVar[bool] = False

    def __repr__(self) -> str:
        return f"ArraySource({self.array.dtype}, {self.n_records} records, {len(self.names)} columns)"

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle, without what can be computed again."""
        return {"array": self.array, "labels": self.labels}

    @property
    def columns(self) -> npt.NDArray[Any]:
        """The array with shape (n, d)."""
        return self.array[:, None] if self.array.ndim == 1 else self.array

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return self.labels or tuple(str(j) for j in range(self.columns.shape[1]))

    @property
    def n_records(self) -> int:
        """The number of records."""
        return len(self.array)

    def header_doubt(self) -> None:
        """Return None: the columns of an array have no names to doubt."""

    def kind(self, name: str) -> Kind:
        """Return the kind of a column."""
        dtype = self.array.dtype
        if dtype.kind == "M":
            return "date" if np.datetime_data(dtype)[0] in _DATE_UNITS else "datetime"
        return kind_of_objects(self.values(name)) if dtype.kind in "OUS" else _KIND_OF_DTYPE.get(dtype.kind, "text")

    def column(self, name: str) -> Column:
        """Return a column with its type."""
        kind = self.kind(name)
        column = self._column(name)
        if kind in CODED or column.dtype == object:
            return column_of_objects(name, self.values(name), kind)
        if kind in NUMERIC:
            return Column.of_numbers(name, column)
        missing = np.isnat(column) if column.dtype.kind == "M" else np.zeros(len(column), dtype=np.bool_)
        return Column(name, kind, column, missing=missing if missing.any() else None)

    def numbers(self, name: str) -> FloatArray:
        """Return a column as floats; raise `ReadError`, naming a value, if it does not hold numbers."""
        if self.kind(name) not in NUMERIC:
            column = self._column(name)
            found = f": row 1 of column {name} holds {column[0]!r}" if len(column) else ""
            raise ReadError(
                f"expected an array of numbers, found one of type {self.array.dtype}{found}; convert it, or name other "
                "columns"
            )
        return self.column(name).numbers()

    def codes(self, name: str) -> IntArray:
        """Return a number for each value of a column, equal for equal values, of shape (n,)."""
        if self.array.dtype == object:  # fractions are compared exactly, not as floats
            return number_distinct(self.values(name))
        return self.column(name).codes()

    def values(self, name: str) -> list[Any]:
        """Return the original values of a column, None where one is missing."""
        if self.array.dtype.kind == "M":
            return self.column(name).objects()
        column = self._column(name)
        values = list(column) if column.dtype.kind == "m" else column.tolist()  # tolist makes integers of nanoseconds
        return [None if is_missing(value) else value for value in values]

    def description(self, name: str | None) -> Mapping[str, Any]:
        """Return the type of a column."""
        return {} if name is None else {"type": str(self.array.dtype)}

    def native(self, changes: Changes) -> npt.NDArray[Any]:
        """Return the edited array; integers become floats if a column has other numbers, or missing ones, now."""
        as_array = _array_of_objects if self.array.dtype == object else _array_of_column
        new = {column.name: as_array(column) for column in changes.replaced}
        if self.array.dtype.kind in "iuf" and all(array.dtype.kind in "iuf" for array in new.values()):
            dtype = self._numeric_type(changes, new)
        else:
            dtype = _common_type([self.array.dtype, *(array.dtype for array in new.values())])
        columns = np.empty((self.n_records, len(changes.names)), dtype=dtype)
        times_as_objects = dtype.kind == "O" and self.array.dtype.kind == "M"  # numpy makes integers of nanoseconds
        for position, name in enumerate(changes.names):
            kept = _array_of_objects(self.column(name)) if times_as_objects else self._column(name)
            columns[:, position] = new.get(name, kept)
            as_read = changes.as_read.get(name)
            if as_read is not None:
                columns[as_read, position] = kept[as_read]
        columns = columns if changes.order is None else columns[changes.order]
        return columns[:, 0] if self.array.ndim == 1 and columns.shape[1] else columns

    def save(self, changes: Changes, path: Path, kind: FileKind) -> None:
        """Write the edited array as a file."""
        save_frame(self.written(changes, kind), path, kind)

    def written(self, changes: Changes, kind: FileKind) -> "pl.DataFrame":
        """Return the polars dataframe that is written as a file."""
        import polars as pl

        new = {column.name: column for column in changes.replaced}
        frame = pl.DataFrame({name: self._series(name, new.get(name), changes) for name in changes.names})
        return frame if changes.order is None else frame[changes.order]

    def _series(self, name: str, new: Column | None, changes: Changes) -> "pl.Series":
        """Return a column as a polars series: the new one, with some values as they were read."""
        as_read = changes.as_read.get(name)
        if new is None or as_read is None:
            return series_of_column(self.column(name) if new is None else new)
        return series_over(new, series_of_column(self.column(name)), as_read)

    def _column(self, name: str) -> npt.NDArray[Any]:
        return self.columns[:, self.names.index(name)]

    def _numeric_type(self, changes: Changes, new: dict[str, npt.NDArray[Any]]) -> np.dtype[Any]:
        """Return the type before, or floats if integers no longer fit; raise `InputError` if that rounds a column."""
        dtype = self.array.dtype
        if dtype.kind == "f":
            return dtype
        if all(array.dtype.kind in "iu" for array in new.values()):
            fits = all((array.astype(dtype) == array).all() for array in new.values())
            return dtype if fits else np.result_type(dtype, *(array.dtype for array in new.values()))
        kept = self.columns[:, [self.names.index(name) for name in changes.names if name not in new]]
        if (kept.astype(np.float64).astype(dtype) != kept).any():
            raise InputError(
                "the array has integers that floats cannot hold: protect a dataframe, or keep the integers"
            )
        return np.dtype(np.float64)


def _array_of_column(column: Column) -> npt.NDArray[Any]:
    """Return a column as an array, of Python objects if numpy has no missing values of its type."""
    if column.kind == "number" or (column.kind == "integer" and column.missing is not None):
        return column.numbers()
    if column.kind in ("date", "datetime"):
        missing = np.zeros(len(column), dtype=np.bool_) if column.missing is None else column.missing
        return np.where(missing, np.datetime64("NaT"), column.values)
    texts = column.categories is not None and all(isinstance(category, str) for category in column.categories)
    if texts and column.missing is None:
        return np.array(column.objects(), dtype=np.str_)
    return _array_of_objects(column) if column.kind in CODED or column.missing is not None else column.values


def _array_of_objects(column: Column) -> npt.NDArray[Any]:
    return np.fromiter(column.objects(), dtype=object, count=len(column))


def _common_type(dtypes: list[np.dtype[Any]]) -> np.dtype[Any]:
    """Return the type that holds values of all these types unchanged."""
    kinds = {dtype.kind for dtype in dtypes}
    dates = {np.datetime_data(dtype)[0] in _DATE_UNITS for dtype in dtypes if dtype.kind == "M"}
    if len(kinds) > 1 or len(dates) > 1:
        return np.dtype(object)
    return np.result_type(*dtypes)
