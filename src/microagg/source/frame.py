"""Dataframes of any library that narwhals knows, and typed files read into one."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from microagg.arrays import FloatArray, IntArray
from microagg.errors import ReadError
from microagg.source.looks import is_number, kind_of_objects
from microagg.table import FileKind, Kind, Table, number_distinct

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
        What pandas had for its columns, where these are not plain strings.
    path, file_kind
        The file it was read from, if it was; then `frame` is one of polars.
    """

    frame: "nw.DataFrame[Any]"
    labels: Any = None
    path: Path | None = None
    file_kind: FileKind | None = None
    _kinds: dict[str, Kind] = field(default_factory=dict, repr=False)

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
        if name not in self._kinds:
            self._kinds[name] = self._kind(name)
        return self._kinds[name]

    def _kind(self, name: str) -> Kind:
        import narwhals as nw

        dtype = self.frame[name].dtype
        if dtype.is_integer():
            return "integer"
        if dtype.is_numeric():
            return "number"
        if dtype in (nw.String, nw.Object, nw.Unknown):
            return kind_of_objects(self.values(name))
        if dtype in (nw.Categorical, nw.Enum) and kind_of_objects(self.values(name)) != "text":
            return "mixed"  # categories that are numbers: codes, or amounts
        return "text"

    def numbers(self, name: str) -> FloatArray:
        """Give the column as numbers; refuse anything else, naming the first value."""
        import narwhals as nw

        series = self.frame[name]
        if series.dtype.is_numeric():
            return np.array(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
        values = self.values(name)
        for row, value in enumerate(values):
            if value is not None and not is_number(value):
                raise ReadError(
                    f"column {name!r} is {series.dtype}, not numbers: row {row + 1} holds {value!r}; "
                    "convert it, or leave it out by naming the columns"
                )
        return np.array([np.nan if value is None else float(value) for value in values])

    def codes(self, name: str) -> IntArray:
        """Give each distinct value of the column a number."""
        series = self.frame[name]
        if (series.dtype.is_integer() or series.dtype.is_float()) and not series.is_null().any():
            return np.unique(series.to_numpy(), return_inverse=True)[1].astype(np.int64)
        return number_distinct(self.values(name))

    def values(self, name: str) -> list[Any]:
        """Give the column as it came, missing values as None."""
        series = self.frame[name]
        missing = series.is_null().to_list()
        values = zip(series.to_list(), missing, strict=True)
        return [None if gone or (isinstance(value, float) and value != value) else value for value, gone in values]

    def native(self, table: Table) -> Any:
        """Make a dataframe of the same library, with the same index unless the records are reordered."""
        import narwhals as nw

        frame = self.frame.with_columns(self._series(name, values) for name, values in table.changed.items())
        if table.order is not None:
            frame = nw.maybe_reset_index(frame[table.order.tolist()])  # the old index would tell the old order
        native = frame.to_native()
        if self.labels is not None:
            native.columns = self.labels
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

        before = self.frame[name]
        whole = np.issubdtype(values.dtype, np.integer)
        keep = before.dtype.is_float() or (before.dtype.is_integer() and whole)
        dtype = before.dtype if keep else nw.Int64() if whole else nw.Float64()
        nullable = not isinstance(getattr(before.to_native(), "dtype", None), np.dtype)
        if self.frame.implementation.is_pandas_like() and before.dtype.is_numeric() and nullable:
            return before.cast(dtype).scatter(range(len(before)), values)
        return nw.new_series(name, values, dtype, backend=self.frame.implementation)
