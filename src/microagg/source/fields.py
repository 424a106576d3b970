"""One column of a text file: its fields, what they are read as, and how others are written in their place."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column import CODED, NUMERIC, Column, Kind, number_distinct
from microagg.source.looks import MISSING, mostly_numbers
from microagg.source.objects import integers
from microagg.source.polars_columns import (
    array_of_series,
    codes_of_texts,
    column_of_series,
    series_of_column,
    with_nulls,
)

if TYPE_CHECKING:
    import polars as pl

Sign = Literal[".", ","]

_SEPARATED = r"^[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}$"
_CODE = r"^[+-]?0[0-9]"  # 007 would lose its zeros
_INTEGER = r"^[+-]?[0-9]+$"
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_ZONE = r"(?:Z|[+-][0-9]{2}:?[0-9]{2})$"
_TIME = r"[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?"
_DATETIME = f"{_DATE[:-1]}{_TIME}(?:{_ZONE}|$)"
_NANOSECONDS = r"\.[0-9]{7}"
_WORDS = (("false", "true"), ("False", "True"), ("FALSE", "TRUE"))
_SOME = 100  # fields looked at before all are


class _Parsed(NamedTuple):
    """Fields read as numbers, with one decimal sign.

    Parameters
    ----------
    numbers
        The numbers, NaN where there is none.
    bad
        The rows that hold neither a number nor a mark of a missing value.
    """

    sign: Sign
    numbers: FloatArray
    bad: IntArray


@dataclass(frozen=True, eq=False, repr=False)
class Fields:
    """Fields of one column.

    Parameters
    ----------
    texts
        The fields as they came; null where there is nothing between two delimiters.
    signs
        The decimal signs that numbers may have here, the first of equals.
    separable
        Whether such a sign may separate thousands instead.
    """

    texts: "pl.Series"
    signs: tuple[Sign, ...]
    separable: bool

    @cached_property
    def kind(self) -> Kind:
        """What the fields hold, going by this column alone."""
        present = self._present
        if not len(present):
            return "text"
        if not len(self.bad):
            return self._numeric_kind(present)
        numbers = len(present) - len(self.bad)
        if not numbers and (typed := self._typed_kind) is not None:
            return typed
        return "mixed" if mostly_numbers(numbers, self._stripped.gather(self.bad)) else "text"

    @property
    def numbers(self) -> FloatArray:
        """The numbers, NaN where there is none."""
        return self._parsed.numbers

    @property
    def bad(self) -> IntArray:
        """The rows that hold neither a number nor a mark of a missing value."""
        return self._parsed.bad

    @cached_property
    def sign(self) -> Sign | None:
        """The decimal sign that occurs in numbers, if one does."""
        return self._parsed.sign if len(self._signed) else None

    @cached_property
    def separated(self) -> bool:
        """Whether the sign may separate thousands, three digits following it wherever it stands."""
        if not self.separable or len(self.bad) or self.sign is None:
            return False
        some = self._signed.head(_SOME).str.contains(_SEPARATED).all()
        return bool(some and self._signed.str.contains(_SEPARATED).all())

    def codes(self) -> IntArray:
        """Give each distinct value a number.

        Of numbers, "1.50" and "1.5" are one value, exactly compared, and so are all marks of a missing one.
        """
        import polars as pl

        if self.kind in ("boolean", "date", "datetime"):
            return self.column("", self.kind).codes()
        stripped = self._stripped.fill_null("")
        numeric = self.kind in NUMERIC
        if numeric and stripped.n_unique() == pl.Series(self.numbers).n_unique():  # each text is a float of its own
            return Column.of_numbers("", self.numbers).codes()
        codes, texts, _ = codes_of_texts(stripped)
        if not numeric:
            return codes
        sign = self._parsed.sign
        keys = number_distinct(None if text in MISSING else Decimal(text.replace(sign, ".")) for text in texts)
        return np.asarray(keys[codes])

    def column(self, name: str, kind: Kind) -> Column:
        """Give the column, as what it is taken for: its kind, or codes."""
        import polars as pl

        if kind == "number":
            return Column.of_numbers(name, self.numbers)
        if kind not in CODED:
            series = self.typed(kind)
            if series.dtype != pl.String:
                return column_of_series(name, series, kind)
            missing = np.isnan(self.numbers)
            values = integers(self._stripped.to_list(), missing)
            return Column(name, kind, values, missing=missing if missing.any() else None)
        blank = array_of_series(self._stripped == "", False)
        return column_of_series(name, with_nulls(self.texts, blank), kind)

    def typed(self, kind: Kind) -> "pl.Series":
        """Give the fields with the type of their kind, or as texts where there is none that holds them."""
        import polars as pl

        if kind in CODED:
            return self.texts
        if kind == "number":
            return pl.Series(self.texts.name, self.numbers, nan_to_null=True)
        if kind == "integer":
            series = self._stripped.cast(pl.Int64, strict=False)
            whole = len(series) - series.null_count() == len(self._present)
            return series if whole else self.texts
        texts = with_nulls(self._stripped, array_of_series(self._missing))
        if kind == "boolean":
            return texts.str.to_lowercase() == "true"
        if kind == "date":
            return texts.str.to_date("%Y-%m-%d")
        instants = _instants(texts)
        assert instants is not None, "the kind was told from the same texts"
        return instants

    def written(self, column: Column, sign: Sign) -> "pl.Series":
        """Give the fields of another column in this one's place, as texts or as numbers that are written so."""
        import polars as pl

        series = series_of_column(column)
        if column.kind in CODED:
            series = self._written_objects(column)
        elif column.kind == "boolean":
            no, yes = self._words
            series = pl.Series([no, yes]).gather(series.cast(pl.Int64)).alias(column.name)
        elif column.kind in ("date", "datetime"):
            series = self._written_instants(series)
        elif column.kind == "number":
            if column.missing is None and sign == ".":
                return series
            series = series.cast(pl.String).str.replace(".", sign, literal=True)
        elif series.dtype == pl.Object:
            series = self._written_objects(Column.of_objects(column.name, column.objects()))
        else:
            series = series.cast(pl.String)
        return series if column.missing is None or not self._mark else series.fill_null(self._mark)

    @cached_property
    def _direct(self) -> "pl.Series":
        """The fields read as numbers as they are: a blank or a mark of a missing value is none."""
        return _floats(self.texts, self.signs[0])

    @cached_property
    def _stripped(self) -> "pl.Series":
        """The fields without blanks around them."""
        plain = self._direct.null_count() == self.texts.null_count()
        return self.texts if plain else self.texts.str.strip_chars()

    @cached_property
    def _missing(self) -> "pl.Series":
        return self._stripped.is_null() | self._stripped.is_in(MISSING)

    @cached_property
    def _present(self) -> "pl.Series":
        """The fields that are not missing."""
        if not len(self.bad) and not np.isnan(self.numbers).any():
            return self._stripped
        return self._stripped.filter(~self._missing)

    @cached_property
    def _signed(self) -> "pl.Series":
        """The numbers that have the decimal sign."""
        sign = self._parsed.sign
        numbers = self._stripped if self._present is self._stripped else self._stripped.filter(~np.isnan(self.numbers))
        return numbers.filter(numbers.str.contains(sign, literal=True))

    @cached_property
    def _parsed(self) -> _Parsed:
        parsed = self._parsed_with(self.signs[0])
        for sign in self.signs[1:]:
            if len(parsed.bad) and self.texts.str.contains(sign, literal=True).any():
                parsed = min(parsed, self._parsed_with(sign), key=lambda one: len(one.bad))
        return parsed

    def _parsed_with(self, sign: Sign) -> _Parsed:
        """Read the fields as numbers; look for blanks and marks of missing values only where there may be some."""
        numbers = self._direct if sign == self.signs[0] else _floats(self.texts, sign)
        bad = np.empty(0, dtype=np.int64)
        if numbers.null_count() > self.texts.null_count():
            numbers = _floats(self._stripped, sign)
            bad = np.flatnonzero(array_of_series(numbers.is_null() & ~self._missing))
        return _Parsed(sign, array_of_series(numbers, np.nan), bad)

    def _numeric_kind(self, present: "pl.Series") -> Kind:
        """Say what fields that can all be read as numbers hold: codes with leading zeros are none."""
        coded = present.str.contains(_CODE)
        if coded.any():
            padded = present.str.len_chars().n_unique() == 1 or 2 * coded.sum() >= len(present)
            return "text" if padded or present.str.contains(_INTEGER).all() else "mixed"
        return "integer" if self.sign is None and present.str.contains(_INTEGER).all() else "number"

    @cached_property
    def _typed_kind(self) -> Literal["boolean", "date", "datetime"] | None:
        """Boolean, date or date-time, if the fields are that all the way."""
        present = self._present
        some = present.head(_SOME)
        if some.str.to_lowercase().is_in(["true", "false"]).all():
            return "boolean" if present.str.to_lowercase().is_in(["true", "false"]).all() else None
        if some.str.contains(_DATE).all():
            dates = present.str.contains(_DATE).all() and not present.str.to_date("%Y-%m-%d", strict=False).null_count()
            return "date" if dates else None
        if some.str.contains(_DATETIME).all():
            instants = _instants(present) if present.str.contains(_DATETIME).all() else None
            return None if instants is None else "datetime"
        return None

    @cached_property
    def _mark(self) -> str:
        """What stands for a missing value here: the most frequent, nothing in a column of texts."""
        if self.kind in CODED:
            return ""
        marks = self._stripped.fill_null("").filter(self._missing)
        counts = marks.value_counts(sort=True)
        return str(counts[marks.name][0]) if len(counts) else ""

    @cached_property
    def _words(self) -> tuple[str, str]:
        """What false and true are written as."""
        first = set(self._present.head(_SOME).to_list())
        for words in (*_WORDS, ("0", "1")):
            if first & set(words) and (words[0] != "0" or self._present.is_in(["0", "1"]).all()):
                return words
        return _WORDS[0]

    def _written_objects(self, column: Column) -> "pl.Series":
        assert column.categories is not None
        texts = Column(column.name, "text", column.values, tuple(map(str, column.categories)), column.missing)
        return series_of_column(texts)

    def _written_instants(self, series: "pl.Series") -> "pl.Series":
        import polars as pl

        if series.dtype == pl.Date:
            return series.dt.to_string("%Y-%m-%d")
        first = str(self._present[0]) if self.kind == "datetime" else "T"
        zone = "Z" if self.kind == "datetime" and self._present.head(1).str.contains(_ZONE)[0] else ""
        return series.dt.to_string(f"%Y-%m-%d{'T' if 'T' in first else ' '}%H:%M:%S%.f{zone}")


def _floats(texts: "pl.Series", sign: Sign) -> "pl.Series":
    """Read texts as numbers with this decimal sign and no other; null where one is none."""
    import polars as pl

    if sign == ",":
        texts = texts.str.replace_all(".", "?", literal=True).str.replace(",", ".", literal=True)
    return texts.cast(pl.Float64, strict=False)


def _instants(texts: "pl.Series") -> "pl.Series | None":
    """Read ISO date-times, in UTC where they have zones; None where one is none, or only some have zones."""
    zoned = texts.str.contains(_ZONE)
    if zoned.any() != zoned.all():
        return None
    zone = "%#z" if zoned.any() else ""
    unit: Literal["ns", "us"] = "ns" if texts.str.contains(_NANOSECONDS).any() else "us"
    joined = texts.str.replace(" ", "T", literal=True)
    full = joined.str.to_datetime(f"%Y-%m-%dT%H:%M:%S%.f{zone}", strict=False, time_unit=unit)
    short = joined.str.to_datetime(f"%Y-%m-%dT%H:%M{zone}", strict=False, time_unit=unit)
    instants = full.zip_with(full.is_not_null(), short)
    return instants if instants.null_count() == texts.null_count() else None
