"""Dataframes of any library that narwhals knows, and typed files read into one."""

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column import NUMERIC, Column, Kind, floats, number_distinct
from microagg.model.errors import ReadError, WriteError
from microagg.model.source_protocol import Changes, FileKind
from microagg.source.arrow_columns import arrow_of_column, column_of_arrow, kind_of_arrow, values_of_arrow
from microagg.source.files import save_frame
from microagg.source.objects import is_number
from microagg.source.pandas_columns import column_of_pandas, kind_of_pandas, pandas_of_column, values_of_pandas
from microagg.source.polars_columns import (
    column_of_series,
    kind_of_series,
    series_of_column,
    series_of_objects,
    values_of_series,
)

if TYPE_CHECKING:
    import narwhals as nw
    import polars as pl


class _Library(Protocol):
    """What is done differently for each library of dataframes."""

    def kind(self, frame: Any, name: str) -> Kind:
        """Say what a column holds."""

    def values(self, frame: Any, name: str) -> list[Any]:
        """Give a column as Python's objects, None where one is missing."""

    def column(self, frame: Any, name: str, kind: Kind) -> Column:
        """Give a column of the kind that it holds."""

    def edited(self, frame: Any, changes: Changes) -> Any:
        """Return the dataframe with changes applied."""


class _Polars:
    def kind(self, frame: Any, name: str) -> Kind:
        return kind_of_series(frame[name])

    def values(self, frame: Any, name: str) -> list[Any]:
        return values_of_series(frame[name])

    def column(self, frame: Any, name: str, kind: Kind) -> Column:
        return column_of_series(name, frame[name], kind)

    def edited(self, frame: Any, changes: Changes) -> Any:
        new = [series_of_column(column, frame[column.name].dtype) for column in changes.replaced]
        frame = frame.with_columns(new).select(changes.names)
        return frame if changes.order is None else frame[changes.order]


class _Arrow:
    def kind(self, frame: Any, name: str) -> Kind:
        return kind_of_arrow(frame[name])

    def values(self, frame: Any, name: str) -> list[Any]:
        return values_of_arrow(frame[name])

    def column(self, frame: Any, name: str, kind: Kind) -> Column:
        return column_of_arrow(name, frame[name], kind)

    def edited(self, frame: Any, changes: Changes) -> Any:
        for column in changes.replaced:
            place = frame.column_names.index(column.name)
            frame = frame.set_column(place, column.name, arrow_of_column(column, frame[column.name]))
        frame = frame.select(list(changes.names))
        return frame if changes.order is None else frame.take(changes.order)


class _Pandas:
    """Pandas, and libraries that behave as it does."""

    def kind(self, frame: Any, name: str) -> Kind:
        return kind_of_pandas(self._series(frame, name))

    def values(self, frame: Any, name: str) -> list[Any]:
        return values_of_pandas(self._series(frame, name))

    def column(self, frame: Any, name: str, kind: Kind) -> Column:
        return column_of_pandas(name, self._series(frame, name), kind)

    def edited(self, frame: Any, changes: Changes) -> Any:
        new = frame.copy(deep=False)
        for name in frame.columns:
            if name not in changes.names:
                del new[name]
        for column in changes.replaced:
            new[column.name] = pandas_of_column(column, self._series(frame, column.name))
        if changes.order is not None:
            new = new.iloc[changes.order].reset_index(drop=True)  # the old index would tell the old order
        return new

    def _series(self, frame: Any, name: str) -> Any:
        return _narwhals(frame)[name].to_pandas()


@dataclass(frozen=True, eq=False, repr=False)
class FrameSource:
    """Dataframe, as it came or as it was read from a typed file.

    Parameters
    ----------
    frame
        The dataframe, its columns named by strings.
    labels
        What pandas had for its columns, where these are not plain strings.
    path, file_kind, sha256
        The file it was read from, if it was; then `frame` is one of polars.
    """

    frame: Any
    labels: Any = None
    path: Path | None = None
    file_kind: FileKind | None = None
    sha256: str | None = None
    may_hold_identifiers: ClassVar[bool] = True
    _kinds: dict[str, Kind] = field(default_factory=dict)

    def __repr__(self) -> str:
        where = "" if self.path is None else f"{self.path.name!r}, "
        library = type(self.frame).__module__.partition(".")[0]
        return f"FrameSource({where}{library}, {self.n_records} records, {len(self.names)} columns)"

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what can be found again."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name != "_kinds"} | {"_kinds": {}}

    @property
    def names(self) -> tuple[str, ...]:
        """Every column, in order."""
        return tuple(_narwhals(self.frame).columns)

    @property
    def n_records(self) -> int:
        """How many rows there are."""
        return len(self.frame)

    @property
    def has_index(self) -> bool:
        """Whether records have labels of their own, as in pandas: these are in no column, but in what is handed out."""
        index: Any = getattr(self.frame, "index", None)
        if not hasattr(index, "equals"):
            return False
        return not index.equals(type(self.frame)(index=range(len(index))).index)

    def header_doubt(self) -> None:
        """Have none: the names of a dataframe are names."""

    def kind(self, name: str) -> Kind:
        """Say what the column holds."""
        if name not in self._kinds:
            self._kinds[name] = self._library.kind(self.frame, name)
        return self._kinds[name]

    def column(self, name: str) -> Column:
        """Give the column with its type."""
        return self._library.column(self.frame, name, self.kind(name))

    def numbers(self, name: str) -> FloatArray:
        """Give the column as numbers; refuse anything else, naming the first value."""
        if self.kind(name) in NUMERIC:
            return self.column(name).numbers()
        values = self.values(name)
        for row, value in enumerate(values):
            if value is not None and not is_number(value):
                raise ReadError(
                    f"column {name!r} is {_narwhals(self.frame)[name].dtype}, not numbers: row {row + 1} holds "
                    f"{value!r}; convert it, or leave it out by naming the columns"
                )
        return floats(values)

    def codes(self, name: str) -> IntArray:
        """Give each distinct value of the column a number."""
        dtype = _narwhals(self.frame)[name].dtype
        if self.kind(name) == "number" and not dtype.is_float():  # decimals and fractions are no floats
            return number_distinct(self.values(name))
        return self.column(name).codes()

    def values(self, name: str) -> list[Any]:
        """Give the column as it came, missing values as None."""
        return self._library.values(self.frame, name)

    def native(self, changes: Changes) -> Any:
        """Make a dataframe of the same library, with the same index unless the records are reordered."""
        native = self._library.edited(self.frame, changes)
        if self.labels is not None:
            native.columns = self.labels[[self.names.index(name) for name in changes.names]]
        if getattr(self.frame, "attrs", None):
            native.attrs = dict(self.frame.attrs)
        return native

    def save(self, changes: Changes, path: Path, kind: FileKind) -> None:
        """Write a file; the index of pandas is left out."""
        import polars as pl

        edited = FrameSource(self._library.edited(self.frame, changes))
        frame = edited.frame
        if not isinstance(frame, pl.DataFrame):
            frame = pl.DataFrame({name: edited._polars(name) for name in edited.names})
        save_frame(frame, path, kind)

    def _polars(self, name: str) -> "pl.Series":
        """Give the column as one of polars; Arrow, the usual way there, does not survive every Python object."""
        import polars as pl

        series = _narwhals(self.frame)[name]
        if _holds_objects(series.to_native()):
            typed = series_of_objects(self.values(name)).alias(name)
            return typed if typed.dtype != pl.Object else series_of_column(self.column(name))
        try:
            return series.to_polars().alias(name)
        except ImportError:
            raise WriteError(
                f"column {name!r} cannot be written to a file without the package pyarrow: install it"
            ) from None
        except (TypeError, ValueError, NotImplementedError, OverflowError, pl.exceptions.PolarsError):
            return series_of_column(self.column(name))

    @property
    def _library(self) -> _Library:
        implementation = _narwhals(self.frame).implementation
        if implementation.is_polars():
            return _Polars()
        return _Arrow() if implementation.is_pyarrow() else _Pandas()


def _holds_objects(series: Any) -> bool:
    """Say whether a series of pandas holds Python objects, or categories that are such."""
    dtype = getattr(series, "dtype", None)
    categories = getattr(dtype, "categories", None)
    return getattr(dtype if categories is None else categories.dtype, "char", "") == "O"


def _narwhals(frame: Any) -> "nw.DataFrame[Any]":
    import narwhals as nw

    return nw.from_native(frame, eager_only=True)
