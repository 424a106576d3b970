"""Numpy arrays."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from microagg.arrays import FloatArray, IntArray
from microagg.errors import InputError, ReadError, WriteError
from microagg.table import FileKind, Kind, Table, number_distinct


@dataclass(frozen=True, eq=False)
class ArraySource:
    """Be an array of shape (n, d), or (n,) for one column; its columns are named "0", "1", …."""

    array: npt.NDArray[Any]
    path: ClassVar[Path | None] = None
    file_kind: ClassVar[FileKind | None] = None

    @cached_property
    def columns(self) -> npt.NDArray[Any]:
        """The array with shape (n, d)."""
        return self.array[:, None] if self.array.ndim == 1 else self.array

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every column, in order."""
        return tuple(str(j) for j in range(self.columns.shape[1]))

    @property
    def n_records(self) -> int:
        """How many rows there are."""
        return len(self.array)

    def kind(self, name: str) -> Kind:
        """Say what the column holds."""
        kinds: dict[str, Kind] = {"i": "integer", "u": "integer", "f": "number"}
        return kinds.get(self.array.dtype.kind, "text")

    def numbers(self, name: str) -> FloatArray:
        """Give the column as numbers; refuse an array of anything else."""
        column = self.columns[:, int(name)]
        if self.kind(name) == "text":
            found = f": row 1 of column {name} holds {column[0]!r}" if len(column) else ""
            raise ReadError(f"expected an array of numbers, found one of type {self.array.dtype}{found}")
        return column.astype(np.float64)

    def codes(self, name: str) -> IntArray:
        """Give each distinct value of the column a number."""
        if self.kind(name) == "text":
            return number_distinct(self.values(name))
        return np.unique(self.columns[:, int(name)], return_inverse=True)[1].astype(np.int64)

    def values(self, name: str) -> list[Any]:
        """Give the column as it came."""
        return list(self.columns[:, int(name)].tolist())

    def native(self, table: Table) -> npt.NDArray[Any]:
        """Make an array of the same shape; integers become floats where a column is no longer whole."""
        types = [self.array.dtype, *(values.dtype for values in table.changed.values())]
        integers = all(np.issubdtype(dtype, np.integer) for dtype in types)
        keep = integers or not np.issubdtype(self.array.dtype, np.integer)
        columns = self.columns.astype(self.array.dtype if keep else np.float64)
        if not keep and (columns.astype(self.array.dtype) != self.columns).any():
            raise InputError(
                "the array has integers that floats cannot hold: protect a dataframe, or keep the integers"
            )
        for name, values in table.changed.items():
            columns[:, int(name)] = values
        columns = columns if table.order is None else columns[table.order]
        return columns.reshape(self.array.shape)

    def save(self, table: Table, path: Path) -> None:
        """Refuse: an array was not read from a file."""
        raise WriteError(f"an array was not read from a file: save it yourself, not as {path}")
