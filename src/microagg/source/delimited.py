"""Delimited text files as a source of columns, every field kept as its text."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column import NUMERIC, Column, Kind
from microagg.model.errors import ReadError
from microagg.model.reading import Reading
from microagg.model.source_protocol import Changes, FileKind
from microagg.source.dialect import Dialect
from microagg.source.number_like_text import MISSING_MARKS, is_number_like
from microagg.source.polars_columns import detached, released_part, series_over, unnamed
from microagg.source.polars_files import save_frame
from microagg.source.text_column import TextColumn
from microagg.source.text_files import save_texts
from microagg.source.text_parsing import DecimalSign
from microagg.source.text_rendering import rendered

if TYPE_CHECKING:
    import polars as pl

_PLAIN_NUMBER = r"[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?"
_LETTER = r"[^\W\d_]"
_FIRST_LINE = "the first line may be a record and not the names of the columns, as {name!r} {reason}"
_CERTAIN = 2  # names over numbers


@dataclass(frozen=True, eq=False, repr=False)
class DelimitedSource:
    """Source of the columns of a delimited text file.

    Parameters
    ----------
    frame
        The fields, all text; null where there is nothing between two delimiters.
    dialect
        The encoding and layout of the file.
    path
        The path of the file; None for standard input.
    sha256
        The checksum of the bytes that were read.
    reading
        The user's options for reading it.
    file_signs
        The decimal signs of the whole file, if `frame` has only some of its columns; None: those of `frame`.
    """

    frame: "pl.DataFrame"
    dialect: Dialect
    path: Path | None
    sha256: str
    reading: Reading = field(default_factory=Reading)
    file_signs: frozenset[DecimalSign] | None = None
    file_kind: ClassVar[FileKind | None] = "CSV"
    may_hold_identifiers: ClassVar[bool] = True
    _text_columns: dict[str, TextColumn] = field(default_factory=dict)

    def __repr__(self) -> str:
        file = "standard input" if self.path is None else repr(self.path.name)
        dialect = self.dialect
        layout = (
            f"delimiter {dialect.delimiter!r}, {dialect.encoding}, {'with' if dialect.header else 'without'} header"
        )
        return f"DelimitedSource({file}, {self.n_records} records, {len(self.names)} columns, {layout})"

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle, without what can be computed again."""
        return {each.name: getattr(self, each.name) for each in fields(self)} | {"_text_columns": {}}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(self.frame.columns)

    @property
    def n_records(self) -> int:
        """The number of records."""
        return self.frame.height

    @cached_property
    def decimal_signs(self) -> frozenset[DecimalSign]:
        """The decimal signs that occur in columns of numbers; if both do, one of them may separate thousands."""
        if self.file_signs is not None:
            return self.file_signs
        signs = {column.decimal_sign for column in map(self._column, self.names) if column.kind == "number"}
        return frozenset(sign for sign in signs if sign is not None)

    @property
    def read_as(self) -> dict[str, str]:
        """How the file was read, in words."""
        return read_as(self.dialect, self.reading, self.decimal_signs)

    def header_doubt(self) -> str | None:
        """Describe why the first line may be a record and not a header; None if it is not doubtful, or was given."""
        if self.reading.header is not None:
            return None
        return doubt_of_names(self.names, lambda _: self)

    def kind(self, name: str) -> Kind:
        """Return the kind of a column."""
        column = self._column(name)
        if column.kind != "number" or column.decimal_sign is None:
            return column.kind
        return "mixed" if column.thousands_ambiguous or len(self.decimal_signs) > 1 else "number"

    def column(self, name: str) -> Column:
        """Return a column with its type."""
        return self._column(name).column(name, self.kind(name))

    def numbers(self, name: str) -> FloatArray:
        """Return a column as floats; raise `ReadError`, naming row and value, if it holds text."""
        column = self._column(name)
        if len(column.other_rows):
            row = int(column.other_rows[0])
            n_more = len(column.other_rows) - 1
            others = f", nor {'is 1 more row' if n_more == 1 else f'are {n_more} more rows'}" if n_more else ""
            raise ReadError(
                f"column {name!r} holds text: row {row + 1} is {self.frame[name][row]!r}, which is no number{others}; "
                "correct it, or leave it out by naming the columns"
            )
        if column.thousands_ambiguous:
            raise ReadError(
                f"column {name!r} may have thousands separators, three digits following each {column.decimal_sign!r}: "
                "give its decimal sign (decimal='.' or ',', --decimal), or write its numbers without separators"
            )
        return column.numbers

    def codes(self, name: str) -> IntArray:
        """Return a number for each value of a column, equal for equal values; "1.5" equals "1.50"."""
        return self._column(name).codes()

    def values(self, name: str) -> list[Any]:
        """Return the original fields of a column."""
        return self.frame[name].to_list()

    def description(self, name: str | None) -> Mapping[str, Any]:
        """Return the decimal sign of a column, or with None the dialect of the file."""
        if name is None:
            return self.dialect.described()
        return {"decimal sign": self._column(name).decimal_sign if self.kind(name) == "number" else None}

    def native(self, changes: Changes) -> "pl.DataFrame":
        """Return the edited table as a polars dataframe; what is not a number, boolean or date is text."""
        frame: pl.DataFrame = detached(self._typed(changes), changes)
        return frame

    def _typed(self, changes: Changes) -> "pl.DataFrame":
        import polars as pl

        new = {column.name: column for column in changes.replaced}
        series = {}  # by name, as polars names a nameless series itself
        for name in changes.names:
            typed = self._column(name).typed(self.kind(name))
            if name in new:
                typed = series_over(new[name], self._column(name).without_blanks(typed), changes.as_read.get(name))
            series[name] = typed
        return released_part(pl.DataFrame(series), changes)

    def save(self, changes: Changes, path: Path, kind: FileKind) -> None:
        """Write the edited table as a file; a text file in the same dialect, with every unedited field unchanged."""
        frame = self.written(changes, kind)
        if kind == "CSV":
            save_texts([frame], path, self.dialect)
        else:
            save_frame(frame, path, kind)

    def written(self, changes: Changes, kind: FileKind) -> "pl.DataFrame":
        """Return the dataframe that is written as a file of this kind: in a text file, the fields."""
        if kind != "CSV":
            return self._typed(changes)
        new = [
            rendered(
                column, self._column(column.name), self._output_sign(column.name), changes.as_read.get(column.name)
            )
            for column in changes.replaced
        ]
        frame = self.frame.with_columns(new)[list(changes.names)]  # not `select`: a name may look like a pattern
        return frame if changes.order is None else frame[changes.order]

    def _column(self, name: str) -> TextColumn:
        if name not in self._text_columns:
            given = self.reading.decimal
            thousands_possible = given is None and self.dialect.delimiter != ","
            self._text_columns[name] = TextColumn(unnamed(self.frame, name), self._possible_signs(), thousands_possible)
        return self._text_columns[name]

    def _possible_signs(self) -> tuple[DecimalSign, ...]:
        given = self.reading.decimal
        if given is not None:
            return ("." if given == "." else ",",)
        return (".",) if self.dialect.delimiter == "," else (".", ",")

    def number_named(self, name: str) -> str | None:
        """Return why a name may be a number of a record."""
        text = name.strip()
        if re.fullmatch(_PLAIN_NUMBER, text):
            return "is a number"
        if not re.search(_LETTER, text) and is_number_like(text):  # 100m and 5K may be names
            return "looks like a number"
        return None

    def is_own_value(self, name: str) -> bool:
        """Check whether a name is a value of its column too."""
        text = name.strip()
        return text != "" and self.n_records > 1 and bool((unnamed(self.frame, name).str.strip_chars() == text).any())

    def _output_sign(self, name: str) -> DecimalSign:
        """Return the decimal sign to write: the column's own, else the file's, else the usual one."""
        column = self._column(name)
        if column.decimal_sign is not None:
            return column.decimal_sign
        if len(column.possible_signs) == 1:
            return column.possible_signs[0]
        if len(self.decimal_signs) == 1:
            return next(iter(self.decimal_signs))
        return "."


def read_as(dialect: Dialect, reading: Reading, signs: Collection[DecimalSign]) -> dict[str, str]:
    """Say how a text file was read whose columns of numbers have these decimal signs."""
    none = "'.'" if dialect.delimiter == "," else "none occurs, '.' is written"
    described = dialect.described()
    return {
        "delimiter": described["delimiter"],
        "decimal sign": " or ".join(map(repr, [reading.decimal] if reading.decimal else sorted(signs))) or none,
        "encoding": described["encoding"],
    }


def doubt_of_names(names: Sequence[str], source_of: Callable[[str], DelimitedSource]) -> str | None:
    """Return why the first line may be a record and not the names of the columns; None if it is not doubtful.

    A name that is a value of its own column too ("married") is no reason where names of others stand over numbers.
    """
    for name in names:
        if (reason := source_of(name).number_named(name)) is not None:
            return _FIRST_LINE.format(name=name, reason=reason)
    own = next((name for name in names if source_of(name).is_own_value(name)), None)
    if own is None or names_stand_over_numbers(names, lambda name: source_of(name).kind(name)):
        return None
    return _FIRST_LINE.format(name=own, reason="is a value of its own column too")


def names_stand_over_numbers(names: Iterable[str], kind_of: Callable[[str], Kind]) -> bool:
    """Check whether several names, in letters, are those of columns of numbers, and so are names for certain."""
    lettered = (name for name in names if re.search(_LETTER, name) and name.strip() not in MISSING_MARKS)
    return sum(1 for _ in islice((name for name in lettered if kind_of(name) in NUMERIC), _CERTAIN)) == _CERTAIN
