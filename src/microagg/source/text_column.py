"""One column of a text file: its fields, and the values they are read as."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column import CODED, NUMERIC, Column, Kind, number_distinct
from microagg.source.number_like_text import MISSING_MARKS, mostly_numbers
from microagg.source.object_columns import integers
from microagg.source.polars_columns import array_of_series, codes_of_texts, column_of_series, with_nulls
from microagg.source.text_parsing import (
    DATE,
    DATETIME,
    INTEGER,
    LEADING_ZERO,
    THOUSANDS,
    DecimalSign,
    parse_dates,
    parse_datetimes,
    parse_floats,
)

if TYPE_CHECKING:
    import polars as pl

N_FIRST_FIELDS = 100
"""Number of fields that are checked first, as checking all of them takes longer."""


class _Numbers(NamedTuple):
    """Fields read as numbers with one decimal sign.

    Parameters
    ----------
    values
        The numbers, NaN where there is none.
    other_rows
        The rows that hold neither a number nor a missing value.
    """

    decimal_sign: DecimalSign
    values: FloatArray
    other_rows: IntArray


@dataclass(frozen=True, eq=False, repr=False)
class TextColumn:
    """Column of a text file.

    Parameters
    ----------
    texts
        The original fields; null where there is nothing between two delimiters.
    possible_signs
        The decimal signs that numbers may have here; ties go to the first.
    thousands_possible
        Whether such a sign may separate thousands instead.
    """

    texts: "pl.Series"
    possible_signs: tuple[DecimalSign, ...]
    thousands_possible: bool

    @cached_property
    def kind(self) -> Kind:
        """The kind of the column, judged by its own fields alone."""
        if not len(self.present):
            return "text"
        if not len(self.other_rows):
            return self._numeric_kind()
        n_numbers = len(self.present) - len(self.other_rows)
        if not n_numbers and (kind := self._typed_kind()) is not None:
            return kind
        return "mixed" if mostly_numbers(n_numbers, self.stripped.gather(self.other_rows)) else "text"

    @property
    def numbers(self) -> FloatArray:
        """The numbers, NaN where there is none."""
        return self._numbers.values

    @property
    def other_rows(self) -> IntArray:
        """The rows that hold neither a number nor a missing value."""
        return self._numbers.other_rows

    @cached_property
    def decimal_sign(self) -> DecimalSign | None:
        """The decimal sign that occurs in numbers, if one does."""
        return self._numbers.decimal_sign if len(self._numbers_with_sign) else None

    @cached_property
    def thousands_ambiguous(self) -> bool:
        """Whether the decimal sign may separate thousands: three digits follow it wherever it occurs."""
        if not self.thousands_possible or len(self.other_rows) or self.decimal_sign is None:
            return False
        first = self._numbers_with_sign.head(N_FIRST_FIELDS)
        return bool(first.str.contains(THOUSANDS).all() and self._numbers_with_sign.str.contains(THOUSANDS).all())

    @cached_property
    def stripped(self) -> "pl.Series":
        """The fields without spaces around them."""
        all_numbers = self._unstripped_numbers.null_count() == self.texts.null_count()
        return self.texts if all_numbers else self.texts.str.strip_chars()

    @cached_property
    def missing(self) -> "pl.Series":
        """Whether each field is missing, in a column of numbers, booleans or dates."""
        return self.stripped.is_null() | self.stripped.is_in(MISSING_MARKS)

    @cached_property
    def present(self) -> "pl.Series":
        """The fields that are not missing, stripped."""
        if not len(self.other_rows) and not np.isnan(self.numbers).any():
            return self.stripped
        return self.stripped.filter(~self.missing)

    def codes(self) -> IntArray:
        """Return a number for each value, equal for equal values, of shape (n,).

        Numbers are compared exactly: "1.50" and "1.5" are the same value. Marks of a missing one, such as "NA" and ".",
        are told apart, as whoever reads the file can do that.
        """
        codes = self._codes_of_values()
        if self.kind in CODED:
            return codes
        missing = array_of_series(self.missing)
        if not missing.any():
            return codes
        marks = codes_of_texts(self.stripped.filter(self.missing).fill_null(""))[0]
        told_apart = codes.copy()
        told_apart[missing] = codes.max() + 1 + marks
        return told_apart

    def _codes_of_values(self) -> IntArray:
        """Return a number for each value, the same for all that are missing."""
        import polars as pl

        if self.kind in ("boolean", "date", "datetime"):
            return self.column("", self.kind).codes()
        stripped = self.stripped.fill_null("")
        numeric = self.kind in NUMERIC
        if numeric and stripped.n_unique() == pl.Series(self.numbers).n_unique():  # each text is a float of its own
            return Column.of_numbers("", self.numbers).codes()
        codes, texts, _ = codes_of_texts(stripped)
        if not numeric:
            return codes
        sign = self._numbers.decimal_sign
        keys = number_distinct(None if text in MISSING_MARKS else Decimal(text.replace(sign, ".")) for text in texts)
        return np.asarray(keys[codes])

    def column(self, name: str, kind: Kind) -> Column:
        """Return the column as one of this kind: its own, or a coded one."""
        import polars as pl

        if kind == "number":
            return Column.of_numbers(name, self.numbers)
        if kind not in CODED:
            series = self.typed(kind)
            if series.dtype != pl.String:
                return column_of_series(name, series, kind)
            missing = np.isnan(self.numbers)
            values = integers(self.stripped.to_list(), missing)
            return Column(name, kind, values, missing=missing if missing.any() else None)
        return column_of_series(name, self.without_blanks(self.texts), kind)

    def typed(self, kind: Kind) -> "pl.Series":
        """Return the fields with the polars type of their kind, or as texts if no type holds them."""
        import polars as pl

        if kind in CODED:
            return self.texts
        if kind == "number":
            return pl.Series(self.texts.name, self.numbers, nan_to_null=True)
        if kind == "integer":
            series = self.stripped.cast(pl.Int64, strict=False)
            all_fit = len(series) - series.null_count() == len(self.present)
            return series if all_fit else self.texts
        texts = with_nulls(self.stripped, array_of_series(self.missing))
        if kind == "boolean":
            return texts.str.to_lowercase() == "true"
        if kind == "date":
            return parse_dates(texts)
        datetimes = parse_datetimes(texts)
        assert datetimes is not None, "the kind was detected from the same texts"
        return datetimes

    def without_blanks(self, fields: "pl.Series") -> "pl.Series":
        """Return the fields, as texts or typed, with null wherever a text is blank: such a value is missing."""
        return with_nulls(fields, array_of_series(self.stripped == "", False))

    @cached_property
    def _unstripped_numbers(self) -> "pl.Series":
        """The fields parsed as they are: null where one has spaces or marks a missing value, too."""
        return parse_floats(self.texts, self.possible_signs[0])

    @cached_property
    def _numbers(self) -> _Numbers:
        best = self._numbers_by(self.possible_signs[0])
        for sign in self.possible_signs[1:]:
            if len(best.other_rows) and self.texts.str.contains(sign, literal=True).any():
                best = min(best, self._numbers_by(sign), key=lambda numbers: len(numbers.other_rows))
        return best

    def _numbers_by(self, sign: DecimalSign) -> _Numbers:
        """Read the fields as numbers; look for spaces and marks of missing values only if some may be there."""
        numbers = self._unstripped_numbers if sign == self.possible_signs[0] else parse_floats(self.texts, sign)
        other_rows = np.empty(0, dtype=np.int64)
        if numbers.null_count() > self.texts.null_count():
            numbers = parse_floats(self.stripped, sign)
            other_rows = np.flatnonzero(array_of_series(numbers.is_null() & ~self.missing))
        return _Numbers(sign, array_of_series(numbers, np.nan), other_rows)

    @cached_property
    def _numbers_with_sign(self) -> "pl.Series":
        """The texts of the numbers that have a decimal sign."""
        texts = self.stripped if self.present is self.stripped else self.stripped.filter(~np.isnan(self.numbers))
        return texts.filter(texts.str.contains(self._numbers.decimal_sign, literal=True))

    def _numeric_kind(self) -> Kind:
        """Return the kind of fields that can all be read as numbers: codes with leading zeros are text."""
        present = self.present
        with_zeros = present.str.contains(LEADING_ZERO)
        if with_zeros.any():
            padded = present.str.len_chars().n_unique() == 1 or 2 * with_zeros.sum() >= len(present)
            return "text" if padded or present.str.contains(INTEGER).all() else "mixed"
        return "integer" if self.decimal_sign is None and present.str.contains(INTEGER).all() else "number"

    def _typed_kind(self) -> Literal["boolean", "date", "datetime"] | None:
        """Return boolean, date or datetime if all fields are of that kind."""
        present = self.present
        first = present.head(N_FIRST_FIELDS)
        if _are_booleans(first):
            return "boolean" if _are_booleans(present) else None
        if first.str.contains(DATE).all():
            all_dates = present.str.contains(DATE).all() and not parse_dates(present, strict=False).null_count()
            return "date" if all_dates else None
        if first.str.contains(DATETIME).all():
            datetimes = parse_datetimes(present) if present.str.contains(DATETIME).all() else None
            return None if datetimes is None else "datetime"
        return None


def _are_booleans(texts: "pl.Series") -> bool:
    return bool(texts.str.to_lowercase().is_in(["true", "false"]).all())
