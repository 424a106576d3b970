"""Delimited text files, every field kept as its text."""

import re
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from microagg.arrays import FloatArray, IntArray, read_only
from microagg.errors import ReadError
from microagg.source.dialect import Dialect
from microagg.source.looks import MISSING, THOUSANDS, mostly_numbers
from microagg.table import FileKind, Kind, Table, number_distinct

if TYPE_CHECKING:
    import polars as pl

Sign = Literal[".", ","]


@dataclass(frozen=True)
class _Parsed:
    """Hold a column of text read as numbers.

    Parameters
    ----------
    numbers
        The numbers, NaN where there is none.
    bad
        The rows that hold neither a number nor a mark of a missing value.
    sign
        The decimal sign that occurs in it, if one does.
    separated
        Whether that sign may separate thousands, three digits following it wherever it stands.
    kind
        What it holds, going by this column alone.
    """

    numbers: FloatArray
    bad: IntArray
    sign: Sign | None
    separated: bool
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

    @cached_property
    def signs(self) -> frozenset[Sign]:
        """The decimal signs that occur in columns of numbers: if both do, one may be no decimal sign at all."""
        if self.dialect.delimiter == ",":
            return frozenset[Sign]((".",))
        parsed = (self._parse(name) for name in self.names)
        return frozenset(column.sign for column in parsed if column.kind == "number" and column.sign is not None)

    def kind(self, name: str) -> Kind:
        """Say what the column holds."""
        parsed = self._parse(name)
        doubtful = parsed.separated or (parsed.sign is not None and len(self.signs) > 1)
        return "mixed" if doubtful else parsed.kind

    def numbers(self, name: str) -> FloatArray:
        """Give the column as numbers; refuse text, naming row and value."""
        parsed = self._parse(name)
        if len(parsed.bad):
            row, more = int(parsed.bad[0]), len(parsed.bad) - 1
            others = f", nor {'is 1 more row' if more == 1 else f'are {more} more rows'}" if more else ""
            raise ReadError(
                f"column {name!r} holds text: row {row + 1} is {self.frame[name][row]!r}, which is no number{others}; "
                "mend it, or leave it out by naming the columns"
            )
        if parsed.separated:
            raise ReadError(
                f"column {name!r} may have thousands separators, three digits following each {parsed.sign!r}; write "
                "its numbers without them, or with other than three decimals, or leave it out by naming the columns"
            )
        return parsed.numbers

    def codes(self, name: str) -> IntArray:
        """Give each distinct value of the column a number.

        In a column of numbers "1.50" and "1.5" are one value, exactly compared, and so are all marks of a missing one.
        """
        import polars as pl

        texts = self.frame[name].fill_null("").str.strip_chars()
        distinct = texts.unique(maintain_order=True)
        keys: list[Any] = distinct.to_list()
        if self._parse(name).kind in ("integer", "number"):
            sign = self._parse(name).sign or "."
            keys = [None if key in MISSING else Decimal(key.replace(sign, ".")) for key in keys]
        codes = texts.replace_strict(distinct, pl.Series(number_distinct(keys)), return_dtype=pl.Int64)
        return np.array(codes.to_numpy(), dtype=np.int64)

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
            return pl.Series(name, values).cast(pl.String).str.replace(".", self._sign(name), literal=True)

        frame = self._with([written(name, values) for name, values in table.changed.items()], table)
        end = "\n" if self.dialect.line_end == "\r" else self.dialect.line_end
        text = frame.write_csv(separator=self.dialect.delimiter, line_terminator=end)
        if self.dialect.line_end == "\r":
            text = text.replace("\n", "\r")
        path.write_bytes(self.dialect.encode(text))

    def _sign(self, name: str) -> Sign:
        """Choose the decimal sign to write: the column's own, else the file's, else what goes with its delimiter."""
        own = self._parse(name).sign
        if own is not None:
            return own
        if len(self.signs) == 1:
            return next(iter(self.signs))
        return "," if self.dialect.delimiter == ";" else "."

    def _with(self, columns: "list[pl.Series]", table: Table) -> "pl.DataFrame":
        frame = self.frame.with_columns(columns)
        return frame if table.order is None else frame[table.order]

    def _parse(self, name: str) -> _Parsed:
        if name not in self._parsed:
            signs: tuple[Sign, ...] = (".",) if self.dialect.delimiter == "," else (".", ",")
            self._parsed[name] = min((self._parse_with(name, sign) for sign in signs), key=lambda one: len(one.bad))
        return self._parsed[name]

    def _parse_with(self, name: str, sign: Sign) -> _Parsed:
        import polars as pl

        raw = self.frame[name].str.strip_chars()
        missing = raw.is_null() | raw.is_in(MISSING)
        text = raw
        if sign == ",":
            text = raw.str.replace_all(".", "?", literal=True).str.replace(",", ".", literal=True)
        numbers = text.cast(pl.Float64, strict=False)
        bad = numbers.is_null() & ~missing
        present = raw.filter(~missing)
        kind: Kind = "number"
        if not len(present):
            kind = "text"
        elif bad.any():
            kind = "mixed" if mostly_numbers(len(present) - int(bad.sum()), raw.filter(bad).to_list()) else "text"
        elif present.str.contains(r"^[+-]?0\d").any():  # 007 is a code: it would lose its zeros
            kind = "text"
        elif present.str.contains(r"^[+-]?\d+$").all():
            kind = "integer"
        signed = present.filter(present.str.contains(re.escape(sign)))
        read = np.array(numbers.fill_null(np.nan).to_numpy())
        read_only(read)
        return _Parsed(
            numbers=read,
            bad=np.flatnonzero(bad.to_numpy()),
            sign=sign if len(signed) else None,
            separated=self.dialect.delimiter != "," and len(signed) > 0 and bool(signed.str.contains(THOUSANDS).all()),
            kind=kind,
        )
