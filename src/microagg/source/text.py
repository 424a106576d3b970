"""Delimited text files, every field kept as its text."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from microagg.arrays import FloatArray, IntArray
from microagg.errors import ReadError
from microagg.source.dialect import Dialect
from microagg.table import FileKind, Kind, Table

if TYPE_CHECKING:
    import polars as pl

MISSING = ("", ".", "NA", "N/A", "NaN", "nan", "null", "NULL")


@dataclass(frozen=True)
class _Parsed:
    """Hold a column of text read as numbers; `bad` are the rows where that failed."""

    numbers: FloatArray
    bad: IntArray
    kind: Kind


@dataclass(frozen=True, eq=False)
class TextSource:
    """Be a delimited text file.

    Parameters
    ----------
    frame
        The fields, all text; null where there is nothing between two delimiters.
    dialect
        How the file is written.
    path
        Where it was read from.
    """

    frame: "pl.DataFrame"
    dialect: Dialect
    path: Path
    file_kind: ClassVar[FileKind | None] = "CSV"
    _parsed: dict[str, _Parsed] = field(default_factory=dict, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Every column, in order."""
        return tuple(self.frame.columns)

    @property
    def n_records(self) -> int:
        """How many rows there are."""
        return self.frame.height

    def kind(self, name: str) -> Kind:
        """Say what the column holds."""
        return self._parse(name).kind

    def numbers(self, name: str) -> FloatArray:
        """Give the column as numbers; refuse text, naming row and value."""
        parsed = self._parse(name)
        if len(parsed.bad):
            row, more = int(parsed.bad[0]), len(parsed.bad) - 1
            others = f", nor are {more} more rows" if more else ""
            sign = " with a decimal comma" if self.dialect.decimal == "," else ""
            raise ReadError(
                f"column {name!r} holds text: row {row + 1} is {self.frame[name][row]!r}, which is no number{sign}"
                f"{others}; mend it, or leave the column out"
            )
        return parsed.numbers

    def values(self, name: str) -> list[Any]:
        """Give the column as it came."""
        return self.frame[name].to_list()

    def native(self, table: Table) -> "pl.DataFrame":
        """Make a polars dataframe: numbers where they were changed, text elsewhere."""
        import polars as pl

        return self._with([pl.Series(name, values) for name, values in table.changed.items()], table)

    def save(self, table: Table, path: Path) -> None:
        """Write a file in the same dialect; every field that was not changed has the same text."""
        import polars as pl

        def written(name: str, values: FloatArray | IntArray) -> pl.Series:
            text = pl.Series(name, values).cast(pl.String)
            return text.str.replace(".", self.dialect.decimal, literal=True)

        frame = self._with([written(name, values) for name, values in table.changed.items()], table)
        text = frame.write_csv(separator=self.dialect.delimiter, line_terminator=self.dialect.line_end)
        path.write_bytes(text.encode(self.dialect.encoding))

    def _with(self, columns: "list[pl.Series]", table: Table) -> "pl.DataFrame":
        frame = self.frame.with_columns(columns)
        return frame if table.order is None else frame[table.order]

    def _parse(self, name: str) -> _Parsed:
        if name not in self._parsed:
            self._parsed[name] = self._parse_anew(name)
        return self._parsed[name]

    def _parse_anew(self, name: str) -> _Parsed:
        import polars as pl

        text = self.frame[name].str.strip_chars()
        missing = text.is_null() | text.is_in(MISSING)
        if self.dialect.decimal == ",":  # a point would be a thousands separator: rather no number than a wrong one
            text = text.str.replace_all(".", "?", literal=True).str.replace(",", ".", literal=True)
        numbers = text.cast(pl.Float64, strict=False)
        bad = (numbers.is_null() & ~missing).to_numpy()
        n_bad = int(bad.sum())
        n_numbers = len(text) - n_bad - int(missing.sum())
        kind: Kind = "number"
        if not name or not n_numbers:  # a column without a name has R's row numbers
            kind = "text"
        elif n_bad:
            kind = "mixed" if n_numbers > n_bad else "text"
        elif text.str.contains(r"^[+-]?0\d").any():  # 007 is a code: it would lose its zeros
            kind = "text"
        elif (text.str.contains(r"^[+-]?\d+$") | missing).all():
            kind = "integer"
        return _Parsed(np.array(numbers.fill_null(np.nan).to_numpy()), np.flatnonzero(bad), kind)
