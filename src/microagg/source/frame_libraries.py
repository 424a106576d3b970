"""Adapters of dataframe libraries: polars, pyarrow, and pandas with those that behave like it."""

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from microagg.model.column import Column, Kind
from microagg.model.source_protocol import Changes
from microagg.source.arrow_columns import (
    arrow_of_column,
    column_of_arrow,
    field_of,
    kind_of_arrow,
    values_of_arrow,
    with_occurring_values,
)
from microagg.source.pandas_columns import (
    column_of_pandas,
    index_of_occurring,
    kind_of_pandas,
    pandas_of_column,
    values_of_pandas,
    with_occurring_levels,
)
from microagg.source.polars_columns import (
    column_of_series,
    kind_of_series,
    released_part,
    series_over,
    unnamed,
    values_of_series,
)

if TYPE_CHECKING:
    import narwhals as nw


class FrameLibrary(Protocol):
    """What differs between the libraries of dataframes."""

    def kind(self, frame: Any, name: str) -> Kind:
        """Return the kind of a column."""

    def type_name(self, frame: Any, name: str) -> str:
        """Return the name of a column's type, without its categories."""

    def values(self, frame: Any, name: str) -> list[Any]:
        """Return a column as Python objects, None where one is missing."""

    def column(self, frame: Any, name: str, kind: Kind) -> Column:
        """Return a column of this kind."""

    def edited(self, frame: Any, changes: Changes) -> Any:
        """Return the dataframe that changes describe; what is edited declares only categories that occur in it."""


class PolarsLibrary:
    """Polars."""

    def kind(self, frame: Any, name: str) -> Kind:
        """Return the kind of a column."""
        return kind_of_series(unnamed(frame, name))

    def type_name(self, frame: Any, name: str) -> str:
        """Return the name of a column's type, without its categories."""
        dtype = unnamed(frame, name).dtype
        text = str(dtype)
        return dtype.base_type().__name__ if "ategories" in text else text

    def values(self, frame: Any, name: str) -> list[Any]:
        """Return a column as Python objects, None where one is missing."""
        return values_of_series(unnamed(frame, name))

    def column(self, frame: Any, name: str, kind: Kind) -> Column:
        """Return a column of this kind."""
        return column_of_series(name, unnamed(frame, name), kind)

    def edited(self, frame: Any, changes: Changes) -> Any:
        """Return the dataframe that changes describe."""
        new = [
            series_over(column, unnamed(frame, column.name), changes.as_read.get(column.name)).alias(column.name)
            for column in changes.replaced
        ]
        return released_part(frame.with_columns(new), changes)


class ArrowLibrary:
    """Pyarrow."""

    def kind(self, frame: Any, name: str) -> Kind:
        """Return the kind of a column."""
        return kind_of_arrow(frame[name])

    def type_name(self, frame: Any, name: str) -> str:
        """Return the name of a column's type."""
        return str(frame[name].type)

    def values(self, frame: Any, name: str) -> list[Any]:
        """Return a column as Python objects, None where one is missing."""
        return values_of_arrow(frame[name])

    def column(self, frame: Any, name: str, kind: Kind) -> Column:
        """Return a column of this kind."""
        return column_of_arrow(name, frame[name], kind)

    def edited(self, frame: Any, changes: Changes) -> Any:
        """Return the table that changes describe."""
        for column in changes.replaced:
            position = frame.column_names.index(column.name)
            new = arrow_of_column(column, frame[column.name], changes.as_read.get(column.name))
            frame = frame.set_column(position, field_of(frame.schema.field(position), new), new)
        frame = frame.select(list(changes.names))
        frame = frame if changes.order is None else frame.take(changes.order)
        for name in changes.edited:
            position = frame.column_names.index(name)
            new = with_occurring_values(frame[name])
            frame = frame.set_column(position, field_of(frame.schema.field(position), new), new)
        return frame


class PandasLibrary:
    """Pandas, and libraries that behave like it."""

    def kind(self, frame: Any, name: str) -> Kind:
        """Return the kind of a column."""
        return kind_of_pandas(_pandas_series(frame, name))

    def type_name(self, frame: Any, name: str) -> str:
        """Return the name of a column's type."""
        return str(_pandas_series(frame, name).dtype)

    def values(self, frame: Any, name: str) -> list[Any]:
        """Return a column as Python objects, None where one is missing."""
        return values_of_pandas(_pandas_series(frame, name))

    def column(self, frame: Any, name: str, kind: Kind) -> Column:
        """Return a column of this kind."""
        return column_of_pandas(name, _pandas_series(frame, name), kind)

    def edited(self, frame: Any, changes: Changes) -> Any:
        """Return the dataframe that changes describe, with the same index unless it is reordered."""
        new = frame.copy(deep=False)
        for name in frame.columns:
            if name not in changes.names:
                del new[name]
        for column in changes.replaced:
            before = _pandas_series(frame, column.name)
            new[column.name] = pandas_of_column(column, before, changes.as_read.get(column.name))
        if changes.order is not None:
            new = new.iloc[changes.order]
            if (np.diff(changes.order) < 0).any():
                new = new.reset_index(drop=True)  # the old index would reveal the old order
            new.index = index_of_occurring(new.index)
        for name in changes.edited:
            series = new[name]
            occurring = with_occurring_levels(series)
            if occurring is not series:
                new[name] = occurring
        return new


def library_of(frame: Any) -> FrameLibrary:
    """Return the adapter of a dataframe's library."""
    implementation = narwhals_frame(frame).implementation
    if implementation.is_polars():
        return PolarsLibrary()
    return ArrowLibrary() if implementation.is_pyarrow() else PandasLibrary()


def narwhals_frame(frame: Any) -> "nw.DataFrame[Any]":
    """Return a dataframe of any library, wrapped by narwhals."""
    import narwhals as nw

    return nw.from_native(frame, eager_only=True)


def _pandas_series(frame: Any, name: str) -> Any:
    return narwhals_frame(frame)[name].to_pandas()
