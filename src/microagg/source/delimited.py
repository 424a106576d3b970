"""Delimited text files, every field kept as its text."""

import os
import re
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column import Column, Kind
from microagg.model.errors import ReadError
from microagg.model.reading import Reading
from microagg.model.source_protocol import Changes, FileKind
from microagg.source.dialect import Dialect
from microagg.source.fields import Fields, Sign
from microagg.source.files import save_frame
from microagg.source.looks import looks_like_a_number
from microagg.source.polars_columns import series_of_column

if TYPE_CHECKING:
    import polars as pl

_TABBED = (".tsv", ".tab")  # endings of files whose fields are separated by tabs


@dataclass(frozen=True, eq=False, repr=False)
class DelimitedSource:
    """Delimited text file.

    Parameters
    ----------
    frame
        The fields, all text; null where there is nothing between two delimiters.
    dialect
        How the file is written.
    path
        Where it was read from; None: from standard input.
    sha256
        The checksum of the bytes that were read.
    reading
        What the user said of it.
    """

    frame: "pl.DataFrame"
    dialect: Dialect
    path: Path | None
    sha256: str
    reading: Reading = field(default_factory=Reading)
    file_kind: ClassVar[FileKind | None] = "CSV"
    may_hold_identifiers: ClassVar[bool] = True
    _fields: dict[str, Fields] = field(default_factory=dict)

    def __repr__(self) -> str:
        where = "standard input" if self.path is None else repr(self.path.name)
        dialect = self.dialect
        how = f"delimiter {dialect.delimiter!r}, {dialect.encoding}, {'with' if dialect.header else 'without'} header"
        return f"DelimitedSource({where}, {self.n_records} records, {len(self.names)} columns, {how})"

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what can be found again."""
        return {one.name: getattr(self, one.name) for one in fields(self)} | {"_fields": {}}

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
        signs = {column.sign for column in map(self._column, self.names) if column.kind == "number"}
        return frozenset(sign for sign in signs if sign is not None)

    def header_doubt(self) -> str | None:
        """Say why the first line may be a record and no header, if nobody said which it is."""
        if self.reading.header is not None:
            return None
        for name in self.names:
            reason = self._doubt(name)
            if reason is not None:
                return f"the first line may be a record and not the names of the columns, as {name!r} {reason}"
        return None

    def kind(self, name: str) -> Kind:
        """Say what the column holds."""
        column = self._column(name)
        if column.kind != "number" or column.sign is None:
            return column.kind
        return "mixed" if column.separated or len(self.signs) > 1 else "number"

    def column(self, name: str) -> Column:
        """Give the column with its type."""
        return self._column(name).column(name, self.kind(name))

    def numbers(self, name: str) -> FloatArray:
        """Give the column as numbers; refuse text, naming row and value."""
        column = self._column(name)
        if len(column.bad):
            row, more = int(column.bad[0]), len(column.bad) - 1
            others = f", nor {'is 1 more row' if more == 1 else f'are {more} more rows'}" if more else ""
            raise ReadError(
                f"column {name!r} holds text: row {row + 1} is {self.frame[name][row]!r}, which is no number{others}; "
                "mend it, or leave it out by naming the columns"
            )
        if column.separated:
            raise ReadError(
                f"column {name!r} may have thousands separators, three digits following each {column.sign!r}: say "
                "which decimal sign it has (decimal='.' or ',', --decimal), or write its numbers without separators"
            )
        return column.numbers

    def codes(self, name: str) -> IntArray:
        """Give each distinct value of the column a number; numbers are compared exactly, not as texts."""
        return self._column(name).codes()

    def values(self, name: str) -> list[Any]:
        """Give the column as it came."""
        return self.frame[name].to_list()

    def native(self, changes: Changes) -> "pl.DataFrame":
        """Make a polars dataframe with typed columns: what is no number, boolean or date is text."""
        import polars as pl

        new = {column.name: column for column in changes.replaced}
        series = {}  # by name, as polars gives a series of no name another one
        for name in changes.names:
            typed = self._column(name).typed(self.kind(name))
            series[name] = series_of_column(new[name], typed.dtype) if name in new else typed
        frame = pl.DataFrame(series)
        return frame if changes.order is None else frame[changes.order]

    def save(self, changes: Changes, path: Path, kind: FileKind) -> None:
        """Write a file; as a text file in the same dialect, with the same text in every field that is not new."""
        if kind == "CSV":
            self._save_text(changes, path)
        else:
            save_frame(self.native(changes), path, kind)

    def _column(self, name: str) -> Fields:
        if name not in self._fields:
            said, delimiter = self.reading.decimal, self.dialect.delimiter
            signs: tuple[Sign, ...] = (".",) if delimiter == "," else (".", ",")
            if said is not None:
                signs = ("." if said == "." else ",",)
            self._fields[name] = Fields(self.frame[name], signs, separable=said is None and delimiter != ",")
        return self._fields[name]

    def _doubt(self, name: str) -> str | None:
        text = name.strip()
        if re.fullmatch(r"[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?", text):
            return "is a number"
        if not re.search(r"[^\W\d_]", text) and looks_like_a_number(text):  # 100m and 5K may be names
            return "looks like a number"
        if text and self.n_records > 1 and (self.frame[name].str.strip_chars() == text).any():
            return "is a value of its own column too"
        return None

    def _sign(self, name: str) -> Sign:
        """Choose the decimal sign to write: the column's own, else the file's, else what goes with its delimiter."""
        column = self._column(name)
        if column.sign is not None:
            return column.sign
        if len(column.signs) == 1:
            return column.signs[0]
        if len(self.signs) == 1:
            return next(iter(self.signs))
        return "," if self.dialect.delimiter == ";" else "."

    def _save_text(self, changes: Changes, path: Path) -> None:
        dialect = self.dialect if path.suffix.lower() not in _TABBED else replace(self.dialect, delimiter="\t")
        new = [self._column(column.name).written(column, self._sign(column.name)) for column in changes.replaced]
        frame = self.frame.with_columns(new).select(changes.names)
        frame = frame if changes.order is None else frame[changes.order]
        empty = frame.width == 1 and frame.height > 0 and frame[-1, 0] is None  # it would be lost with its line end
        if dialect.encoding == "utf-8" and dialect.line_end != "\r":
            self._write_directly(frame, path, dialect, closed=dialect.closed or empty)
        else:
            text = frame.write_csv(**_options(dialect))
            text = text if dialect.closed or empty else text.removesuffix(dialect.line_end).removesuffix("\n")
            text = text.replace("\n", "\r") if dialect.line_end == "\r" else text
            path.write_bytes(dialect.mark + dialect.encode(text))

    def _write_directly(self, frame: "pl.DataFrame", path: Path, dialect: Dialect, closed: bool) -> None:
        """Let polars write the file."""
        with path.open("wb") as file:
            file.write(dialect.mark)
            file.flush()
            frame.write_csv(file, **_options(dialect))
        if not closed:
            os.truncate(path, path.stat().st_size - len(dialect.line_end))


def _options(dialect: Dialect) -> dict[str, Any]:
    """Give the options with which polars writes a dialect."""
    end = "\n" if dialect.line_end == "\r" else dialect.line_end
    return {"include_header": dialect.header, "separator": dialect.delimiter, "line_terminator": end}
