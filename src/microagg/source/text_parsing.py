"""Parsing of whole columns of text: numbers with either decimal sign, ISO dates and date-times."""

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import polars as pl

DecimalSign = Literal[".", ","]

INTEGER = r"^[+-]?[0-9]+$"
LEADING_ZERO = r"^[+-]?0[0-9]"  # 007 would lose its zeros
THOUSANDS = r"^[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}$"  # 1.234, whose sign may be a decimal sign or separate thousands
DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
TIME_ZONE = r"(?:Z|[+-][0-9]{2}:?[0-9]{2})$"
_TIME = r"[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?"
DATETIME = f"{DATE[:-1]}{_TIME}(?:{TIME_ZONE}|$)"
_NANOSECONDS = r"\.[0-9]{7}"


def parse_floats(texts: "pl.Series", decimal_sign: DecimalSign) -> "pl.Series":
    """Parse numbers with this decimal sign and no other; null where a text is not a number."""
    import polars as pl

    if decimal_sign == ",":
        texts = texts.str.replace_all(".", "?", literal=True).str.replace(",", ".", literal=True)
    return texts.cast(pl.Float64, strict=False)


def parse_dates(texts: "pl.Series", *, strict: bool = True) -> "pl.Series":
    """Parse ISO dates; for other text, fail if strict, else return null there."""
    return texts.str.to_date("%Y-%m-%d", strict=strict)


def parse_datetimes(texts: "pl.Series") -> "pl.Series | None":
    """Parse ISO date-times, to UTC if they have time zones; None if one is invalid, or only some have zones."""
    zoned = texts.str.contains(TIME_ZONE)
    if zoned.any() != zoned.all():
        return None
    zone = "%#z" if zoned.any() else ""
    unit: Literal["ns", "us"] = "ns" if texts.str.contains(_NANOSECONDS).any() else "us"
    joined = texts.str.replace(" ", "T", literal=True)
    with_seconds = joined.str.to_datetime(f"%Y-%m-%dT%H:%M:%S%.f{zone}", strict=False, time_unit=unit)
    without_seconds = joined.str.to_datetime(f"%Y-%m-%dT%H:%M{zone}", strict=False, time_unit=unit)
    datetimes = with_seconds.zip_with(with_seconds.is_not_null(), without_seconds)
    return datetimes if datetimes.null_count() == texts.null_count() else None
