"""Text that people read as a number but Python does not: "12%", "€ 5", "(705.47)", "1'000".

A column of such text must not be released unprotected without a warning.
"""

import sys
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

MISSING_MARKS = ("", ".", "NA", "N/A", "NaN", "nan", "null", "NULL")
"""Text that marks a missing value in a column of numbers, booleans or dates."""

_UNICODE_VARIANTS = {  # an ASCII character, and the characters used in its place in numbers
    "-": "\u2212\u2010\u2011\u2012\u2013\u2014\u2015\ufe58\ufe63\uff0d",
    "+": "\ufe62\uff0b",
    ".": "\uff0e\ufe52\u066b",
    ",": "\uff0c\ufe50\u066c",
    "'": "\u2019\u2018\u02bc\uff07",
    " ": "\u00a0\u2002\u2003\u2007\u2008\u2009\u200a\u202f\u3000",
    "%": "\uff05\u066a\ufe6a",
    "(": "\uff08",
    ")": "\uff09",
    "": "\u200e\u200f\u061c\u2066\u2067\u2068\u2069\ufeff\u200b",  # direction marks, zero-width characters
}
_CURRENCIES = (
    "AED|ARS|AUD|BGN|BRL|CAD|CHF|CLP|CNY|COP|CZK|DEM|DKK|EGP|ESP|EUR|FRF|GBP|HKD|HRK|HUF|IDR|ILS|INR|ISK|ITL|JPY|KES|"
    "KRW|MAD|MXN|MYR|NGN|NLG|NOK|NZD|PEN|PHP|PKR|PLN|RMB|RON|RSD|RUB|SAR|SEK|SGD|THB|TRY|TWD|UAH|USD|VND|ZAR"
)
_CURRENCY_WORDS = "[Ee]uros?|[Dd]ollars?|US\\$|A\\$|C\\$|R\\$|kr\\.?|Kč|zł|Ft|lei|лв\\.?|руб\\.?|Rs\\.?|Fr\\.?|SFr\\.?"
_UNITS = (
    "kg|g|mg|t|lbs?|oz|km|m|cm|mm|mi|ft|m²|m2|km²|km2|ha|l|ml|k?Wh|MWh|k?W|MW|°|°C|°F|k|K|M|bn|[Tt]sd\\.?|[Mm]io\\.?|"
    "[Mm]rd\\.?|[Mm]illions?|[Bb]illions?|bps?|pp|pct\\.?|[Pp]ercent|[Pp]rozent|%|‰"
)

_INTEGER = "(?:[1-9][0-9]*|0)"  # 007 is a code
_MANTISSA = rf"(?:{_INTEGER}(?:[.,][0-9]*)?|[.,][0-9]+)"
_EXPONENT = r"(?: ?[eE][+-]?[0-9]+|[dDqQ][+-][0-9]+| ?[x×*·] ?10(?:\^|\*\*)?[+-]?[0-9]+)"
_FORTRAN = r"[0-9]+\.[0-9]*[dDqQ][0-9]+"
_GROUPED = (
    r"[1-9][0-9]{0,2}(?:(?:\.[0-9]{3})+(?:,[0-9]*)?|(?:,[0-9]{3})+(?:\.[0-9]*)?|(?:'[0-9]{3})+(?:[.,][0-9]*)?"
    r"|(?:_[0-9]{3})+(?:\.[0-9]*)?)"
)
_SPACED = r"[1-9][0-9]{0,2}(?: [0-9]{3})+(?:[.,][0-9]*)?"
_INDIAN = r"[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]*)?"
_RADIX_PREFIXED = r"0[xX][0-9A-Fa-f]+|0[oO][0-7]+|0[bB][01]+"
_SIGNED_NUMBER = (  # a plus before digit groups separated by spaces is a telephone number
    rf"(?:[+-]? ?(?:{_MANTISSA}{_EXPONENT}?|{_FORTRAN}|{_GROUPED}|{_INDIAN}|{_RADIX_PREFIXED})|(?:- ?)?{_SPACED})"
)
_CURRENCY = rf"(?:\p{{Sc}}|{_CURRENCIES}|{_CURRENCY_WORDS})"
_AMOUNT = rf"(?:[+-]? ?{_CURRENCY} ?)?{_SIGNED_NUMBER}(?: ?(?:{_CURRENCY}|{_UNITS}))?(?: ?(?:-|CR|DR|\*{{1,3}}))?"
_NUMBER = rf"^[~≈]?(?:{_AMOUNT}|-?{_CURRENCY}? ?\( ?{_AMOUNT} ?\)(?: ?(?:{_CURRENCY}|{_UNITS}))?)$"


def number_like(texts: "pl.Series") -> "pl.Series":
    """Check of each text whether it was probably meant as a number; null where the text is null.

    Percentages, amounts of money, accounting parentheses, thousands separators, Fortran exponents, digits of other
    scripts and the like count; codes with leading zeros, dates, times, ranges and versions do not.
    """
    non_ascii = texts.str.len_bytes() != texts.str.len_chars()
    if non_ascii.any():
        ascii_of = _ascii_of()
        translated = texts.str.replace_many(list(ascii_of), list(ascii_of.values()))
        texts = translated.zip_with(non_ascii, texts)
    return texts.str.strip_chars(" \t\r\n\f\v\"'=").str.contains(_NUMBER)


def mostly_numbers(n_numbers: int, others: "pl.Series") -> bool:
    """Check whether at least half of a column are numbers or, among its `others`, number-like texts."""
    n_like = n_numbers + int(number_like(others).sum())
    return 2 * n_like >= n_numbers + len(others) and n_like > 0


def is_number_like(text: str) -> bool:
    """Check whether one text was probably meant as a number."""
    import polars as pl

    return bool(number_like(pl.Series([text], dtype=pl.String))[0])


def texts_of(objects: Sequence[object]) -> "pl.Series":
    """Return the texts among some objects, and an empty text for every other object."""
    import polars as pl

    return pl.Series([value if isinstance(value, str) else _decoded(value) for value in objects], dtype=pl.String)


def _decoded(value: object) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else ""


@cache
def _ascii_of() -> dict[str, str]:
    """Map the Unicode characters that stand for an ASCII digit or sign to that character."""
    mapping = {variant: plain for plain, variants in _UNICODE_VARIANTS.items() for variant in variants}
    for code in range(0x80, sys.maxunicode + 1):
        if unicodedata.category(chr(code)) == "Nd":
            mapping[chr(code)] = str(unicodedata.decimal(chr(code)))
    return mapping
