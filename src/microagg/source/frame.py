"""Dataframes of any library that narwhals knows, and typed files read into one."""

from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from microagg.arrays import FloatArray, IntArray
from microagg.errors import ReadError
from microagg.table import FileKind, Kind, Table

if TYPE_CHECKING:
    import narwhals as nw


@dataclass(frozen=True, eq=False)
class FrameSource:
    """Be a dataframe.

    Parameters
    ----------
    frame
        The dataframe, its columns named by strings.
    labels
        What its columns were named before, where not by strings.
    path, file_kind
        The file it was read from, if it was; then `frame` is one of polars.
    """

    frame: "nw.DataFrame[Any]"
    labels: tuple[Hashable, ...] | None = None
    path: Path | None = None
    file_kind: FileKind | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Every column, in order."""
        return tuple(self.frame.columns)

    @property
    def n_records(self) -> int:
        """How many rows there are."""
        return len(self.frame)

    def kind(self, name: str) -> Kind:
        """Say what the column holds."""
        dtype = self.frame[name].dtype
        if dtype.is_integer():
            return "integer"
        return "number" if dtype.is_numeric() else "text"

    def numbers(self, name: str) -> FloatArray:
        """Give the column as numbers; refuse any other type, naming the first value."""
        import narwhals as nw

        series = self.frame[name]
        if self.kind(name) == "text":
            values = self.values(name)
            row = next((row for row, value in enumerate(values) if value is not None), None)
            found = f": row {row + 1} holds {values[row]!r}" if row is not None else ""
            raise ReadError(f"column {name!r} is {series.dtype}, not numbers{found}; convert it, or leave it out")
        return np.array(series.cast(nw.Float64).to_numpy(), dtype=np.float64)

    def values(self, name: str) -> list[Any]:
        """Give the column as it came, missing values as None."""
        series = self.frame[name]
        return [None if missing else value for value, missing in zip(series.to_list(), series.is_null(), strict=True)]

    def native(self, table: Table) -> Any:
        """Make a dataframe of the same library, with the same index unless the records are reordered."""
        import narwhals as nw

        frame = self.frame.with_columns(self._series(name, values) for name, values in table.changed.items())
        if table.order is not None:
            frame = nw.maybe_reset_index(frame[table.order.tolist()])  # the old index would tell the old order
        native = frame.to_native()
        if self.labels is not None:
            native.columns = list(self.labels)
        return native

    def save(self, table: Table, path: Path) -> None:
        """Write the kind of file that the frame was read from."""
        import polars as pl

        frame = self.native(table)
        with path.open("wb") as file:
            if self.file_kind == "Parquet":
                frame.write_parquet(file)
            else:
                frame.write_ipc(file, compat_level=pl.CompatLevel.oldest())

    def _series(self, name: str, values: FloatArray | IntArray) -> "nw.Series[Any]":
        """Make a column: floats keep their width, integers theirs while they are whole."""
        import narwhals as nw

        before = self.frame[name].dtype
        keep = before.is_float() or (before.is_integer() and np.issubdtype(values.dtype, np.integer))
        return nw.new_series(name, values, before if keep else nw.Float64(), backend=self.frame.implementation)
