"""Dataframe of plain values, made by this package itself."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl


def plain_frame(columns: Mapping[str, Sequence[Any]]) -> "pl.DataFrame":
    """Return columns of equal length as a dataframe of polars; one without any value is text."""
    import polars as pl

    frame = pl.DataFrame({name: list(values) for name, values in columns.items()})
    return frame.with_columns(pl.col(pl.Null).cast(pl.String))
