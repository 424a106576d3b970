"""Hostile columns: generators of what real files hold and clean tables do not."""

import datetime as dt
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

from numpy.random import Generator

Expectation = Literal["plain", "doubtful", "number-like", "other", "open"]
"""What must become of a column if no columns are named.

"plain": averaged, or an error. "doubtful", "number-like": an error, unless it is excluded. "other": never averaged.
"open": anything.
"""

Values = list[Any]


@dataclass(frozen=True)
class HostileColumn:
    """Generated column.

    Parameters
    ----------
    generator
        The name of its generator.
    name
        The column's name.
    values
        Numbers, texts and other objects; None where one is missing.
    expected
        What must become of it if no columns are named.
    """

    generator: str
    name: str
    values: Values
    expected: Expectation

    def renamed(self, name: str) -> "HostileColumn":
        """Return the same column under another name."""
        return replace(self, name=name)

    def open(self) -> "HostileColumn":
        """Return the same column, without an expectation."""
        return replace(self, expected="open")


@dataclass(frozen=True)
class ColumnGenerator:
    """Way to generate a column.

    Parameters
    ----------
    draw
        Draws a number of values.
    expected
        What must become of the column if no columns are named.
    at_least
        How many records it takes to recognise it; with fewer there is no expectation.
    name
        The name that the column must have to be recognised, if any.
    """

    draw: Callable[[Generator, int], Values]
    expected: Expectation
    at_least: int = 1
    name: str | None = None


GENERATORS: dict[str, ColumnGenerator] = {}
"""Every generator, by its name."""


def generates(expected: Expectation, at_least: int = 1, name: str | None = None) -> Callable[[Any], Any]:
    """Register a function as the generator of its name."""

    def register(draw: Callable[[Generator, int], Values]) -> Callable[[Generator, int], Values]:
        GENERATORS[draw.__name__] = ColumnGenerator(draw, expected, at_least, name)
        return draw

    return register


def generate(which: str, rng: Generator, n: int, name: str) -> HostileColumn:
    """Generate a column of n records, named by the generator if that needs a name, else by `name`."""
    chosen = GENERATORS[which]
    expected = chosen.expected if n >= chosen.at_least else "open"
    return HostileColumn(which, chosen.name or name, chosen.draw(rng, n), expected)


def _amounts(rng: Generator, n: int) -> list[float]:
    """Draw amounts with so many digits that none occurs by chance in a report."""
    return [round(float(value), 4) for value in rng.lognormal(9, 0.7, n)]


# Numbers that may be averaged without a question.


@generates("plain")
def amounts(rng: Generator, n: int) -> Values:
    """Draw positive amounts with decimals."""
    return list(_amounts(rng, n))


@generates("plain")
def balances(rng: Generator, n: int) -> Values:
    """Draw amounts of either sign."""
    return [round(float(value), 3) + 0.0001 for value in rng.normal(0, 1e5, n)]


@generates("plain")
def whole_amounts(rng: Generator, n: int) -> Values:
    """Draw whole amounts."""
    return [int(value) for value in rng.integers(10_000, 5_000_000, n)]


@generates("plain")
def tiny_amounts(rng: Generator, n: int) -> Values:
    """Draw numbers that are written with an exponent."""
    return [float(value) for value in rng.lognormal(-30, 1, n)]


@generates("open")
def constant(rng: Generator, n: int) -> Values:
    """Repeat one number."""
    return [_amounts(rng, 1)[0]] * n


@generates("open")
def zeros_and_amounts(rng: Generator, n: int) -> Values:
    """Draw amounts, most of them zero."""
    return [value if rng.random() < 0.3 else 0.0 for value in _amounts(rng, n)]


# Numbers that cannot be averaged as they are.


@generates("plain")
def amounts_with_missing(rng: Generator, n: int) -> Values:
    """Draw amounts, some of them missing."""
    return [value if rng.random() < 0.8 else None for value in _amounts(rng, n)]


@generates("plain")
def amounts_with_nan(rng: Generator, n: int) -> Values:
    """Draw amounts, some of them NaN."""
    return [value if rng.random() < 0.8 else math.nan for value in _amounts(rng, n)]


@generates("open")
def amounts_with_infinity(rng: Generator, n: int) -> Values:
    """Draw amounts, some of them infinite."""
    return [value if rng.random() < 0.8 else math.inf * int(rng.choice([-1, 1])) for value in _amounts(rng, n)]


@generates("plain")
def enormous(rng: Generator, n: int) -> Values:
    """Draw numbers whose squares overflow."""
    return [value * 1e300 for value in _amounts(rng, n)]


@generates("open")
def beyond_floats(rng: Generator, n: int) -> Values:
    """Draw integers that floats cannot hold, and that fit in 64 bits."""
    return [2**53 + 1 + 2 * int(value) for value in rng.integers(0, 2**40, n)]


@generates("open")
def beyond_64_bits(rng: Generator, n: int) -> Values:
    """Draw integers of any size."""
    return [10**20 + int(value) for value in rng.integers(0, 2**40, n)]


@generates("open")
def all_missing(rng: Generator, n: int) -> Values:
    """Repeat a missing value."""
    return [None] * n


# Numbers that are not to be averaged.


@generates("doubtful", at_least=6)
def counted_records(rng: Generator, n: int) -> Values:
    """Count the records, in any order."""
    return [int(value) for value in rng.permutation(n) + int(rng.integers(0, 5000))]


@generates("doubtful", at_least=6, name="household")
def households(rng: Generator, n: int) -> Values:
    """Return the numbers of households of two records each."""
    return [int(value) // 2 + 100 for value in range(n)]


@generates("doubtful", name="PersonID")
def identifiers(rng: Generator, n: int) -> Values:
    """Draw large numbers, under the name of an identifier."""
    return [int(value) for value in rng.integers(10**6, 10**7, n)]


@generates("doubtful", name="sampling_weight")
def weights(rng: Generator, n: int) -> Values:
    """Draw sampling weights."""
    return [round(float(value), 3) for value in rng.lognormal(3, 0.5, n)]


@generates("doubtful", at_least=20)
def codes(rng: Generator, n: int) -> Values:
    """Draw one of five codes, two of them at least."""
    return [1, 2, *(int(value) for value in rng.integers(1, 6, n))][:n]


@generates("doubtful", name="region")
def regions(rng: Generator, n: int) -> Values:
    """Draw one of many codes."""
    return [int(value) for value in rng.integers(1, 200, n)]


@generates("doubtful", name="birth_year")
def years(rng: Generator, n: int) -> Values:
    """Draw years."""
    return [int(value) for value in rng.integers(1930, 2020, n)]


@generates("doubtful", at_least=6)
def day_numbers(rng: Generator, n: int) -> Values:
    """Write days as 19960131."""
    return [int(f"{rng.integers(1950, 2024)}{rng.integers(1, 13):02}{rng.integers(1, 29):02}") for _ in range(n)]


@generates("doubtful", at_least=12, name="age")
def ages_with_sentinel(rng: Generator, n: int) -> Values:
    """Draw ages, 999 where one is not known."""
    return [*(int(value) for value in rng.integers(15, 95, n)), 999][-n:] if n else []


@generates("doubtful", at_least=12)
def amounts_with_minus_nine(rng: Generator, n: int) -> Values:
    """Draw amounts, -9 where one is not known."""
    return [*_amounts(rng, n), -9.0][-n:] if n else []


# Texts that look like numbers.


@generates("number-like")
def numbers_as_text(rng: Generator, n: int) -> Values:
    """Write amounts as texts."""
    return [str(value) for value in _amounts(rng, n)]


@generates("number-like")
def percent(rng: Generator, n: int) -> Values:
    """Write percentages."""
    space = rng.choice(["", " ", "\u00a0"])
    return [f"{value:.1f}{space}%" for value in rng.uniform(0, 100, n)]


@generates("number-like")
def currency(rng: Generator, n: int) -> Values:
    """Write amounts with the sign of a currency before or after."""
    before, after = rng.choice([("€", ""), ("$", ""), ("£ ", ""), ("", " €"), ("", " EUR"), ("CHF ", "")])
    return [f"{before}{value:.2f}{after}" for value in _amounts(rng, n)]


@generates("number-like")
def accounting(rng: Generator, n: int) -> Values:
    """Write negative amounts in parentheses."""
    return [f"({value:.2f})" if rng.random() < 0.7 else f"{value:.2f}" for value in _amounts(rng, n)]


@generates("number-like")
def thousands(rng: Generator, n: int) -> Values:
    """Separate the thousands."""
    sign = rng.choice([",", "'", " ", "\u00a0", "\u202f", "_", "’"])
    return [f"{int(value) + 1000:,}".replace(",", sign) for value in _amounts(rng, n)]


@generates("number-like")
def other_digits(rng: Generator, n: int) -> Values:
    """Write Arabic-Indic, Devanagari or full-width digits."""
    zero = int(rng.choice([0x0660, 0x0966, 0xFF10]))
    digits = {ord("0") + digit: chr(zero + digit) for digit in range(10)}
    return [str(int(value)).translate(digits) for value in _amounts(rng, n)]


@generates("number-like")
def other_minus(rng: Generator, n: int) -> Values:
    """Write a real minus, or a dash, before most amounts."""
    minus = rng.choice(["−", "–", "－"])
    return [f"{minus if rng.random() < 0.8 else ''}{value:.2f}" for value in _amounts(rng, n)]


@generates("number-like")
def hexadecimal(rng: Generator, n: int) -> Values:
    """Write whole numbers in base 16."""
    return [hex(int(value)) for value in _amounts(rng, n)]


@generates("number-like")
def fortran(rng: Generator, n: int) -> Values:
    """Write exponents with a D."""
    return [f"{value:.3E}".replace("E", "D") for value in _amounts(rng, n)]


@generates("number-like", at_least=8)
def numbers_and_words(rng: Generator, n: int) -> Values:
    """Write amounts, and words in place of a few."""
    words = ["unknown", "refused", "see note"]
    values: Values = [str(value) if rng.random() < 0.9 else str(rng.choice(words)) for value in _amounts(rng, n)]
    return ["unknown", *map(str, _amounts(rng, n // 2)), *values][:n]


@generates("open")
def numbers_and_marks(rng: Generator, n: int) -> Values:
    """Write amounts, and marks of a missing value in place of some."""
    marks = ["", ".", "NA", "N/A", "NaN", "null", "-", "?", "*", "#N/A", "..", " "]
    return [str(value) if rng.random() < 0.7 else str(rng.choice(marks)) for value in _amounts(rng, n)]


@generates("open")
def with_units(rng: Generator, n: int) -> Values:
    """Write amounts with a unit."""
    return [f"{value:.1f} kg" for value in _amounts(rng, n)]


# Texts and other values that are not numbers.


@generates("other")
def words(rng: Generator, n: int) -> Values:
    """Draw words, some of which need quotes or another encoding."""
    hard = ["a,b", 'say "no"', "two\nlines", "semi;colon", "ta\tb", "", " ", "ñandú", "Ж", "😀", "'", "\\", "NA", "#"]
    return [str(rng.choice(hard)) if rng.random() < 0.5 else f"word{rng.integers(1000)}" for _ in range(n)]


@generates("other")
def leading_zeros(rng: Generator, n: int) -> Values:
    """Draw codes that begin with a zero."""
    return [f"0{rng.integers(1000, 10_000)}" for _ in range(n)]


@generates("other")
def days(rng: Generator, n: int) -> Values:
    """Draw ISO dates, as texts."""
    return [str(dt.date(1990, 1, 1) + dt.timedelta(int(value))) for value in rng.integers(0, 9000, n)]


@generates("other")
def booleans(rng: Generator, n: int) -> Values:
    """Draw booleans."""
    return [bool(value) for value in rng.integers(0, 2, n)]


@generates("other")
def long_texts(rng: Generator, n: int) -> Values:
    """Draw texts, a few of them long."""
    return ["x" * int(rng.integers(0, 5000)) if rng.random() < 0.1 else "y" for _ in range(n)]


FOR_FILES = tuple(GENERATORS)
"""The generators whose values can be written to a text file."""


# Objects, for dataframes only.


@generates("open")
def decimals(rng: Generator, n: int) -> Values:
    """Draw exact decimals."""
    return [Decimal(str(value)) for value in _amounts(rng, n)]


@generates("open")
def fractions(rng: Generator, n: int) -> Values:
    """Draw exact fractions."""
    return [Fraction(int(value), 7) for value in _amounts(rng, n)]


@generates("open")
def complex_numbers(rng: Generator, n: int) -> Values:
    """Draw complex numbers."""
    return [complex(value, 1) for value in _amounts(rng, n)]


@generates("other")
def moments(rng: Generator, n: int) -> Values:
    """Draw date-times, with or without a time zone."""
    zones = (dt.UTC, dt.timezone(dt.timedelta(hours=5, minutes=30)), None)
    zone = zones[int(rng.integers(len(zones)))]
    start = dt.datetime(1999, 12, 31, 23, 59, 59, tzinfo=zone)
    return [start + dt.timedelta(seconds=int(value)) for value in rng.integers(0, 10**9, n)]


@generates("other")
def dates(rng: Generator, n: int) -> Values:
    """Draw dates, some of them missing."""
    start = dt.date(1950, 1, 1)
    return [start + dt.timedelta(int(value)) if value % 7 else None for value in rng.integers(0, 9000, n)]


@generates("open")
def durations(rng: Generator, n: int) -> Values:
    """Draw durations."""
    return [dt.timedelta(seconds=int(value)) for value in rng.integers(0, 10**6, n)]


@generates("other")
def lists(rng: Generator, n: int) -> Values:
    """Draw lists of numbers, some empty."""
    return [_amounts(rng, int(rng.integers(0, 4))) for _ in range(n)]


@generates("other")
def structs(rng: Generator, n: int) -> Values:
    """Draw dictionaries."""
    return [{"a": value, "b": "x"} for value in _amounts(rng, n)]


@generates("other")
def raw_bytes(rng: Generator, n: int) -> Values:
    """Draw bytes."""
    return [rng.bytes(int(rng.integers(0, 6))) for _ in range(n)]


@generates("open")
def anything(rng: Generator, n: int) -> Values:
    """Draw objects of all types."""
    kinds: Values = [1, 2.5, "text", None, math.nan, True, (1, 2), Decimal("1.5"), b"raw", dt.date(2000, 1, 1), 10**30]
    return [kinds[int(rng.integers(len(kinds)))] for _ in range(n)]


ODD_NAMES = (
    *("a", "income", "x y", "tax, paid", 'the "sum"', "two\nlines", "größe", "收入", "😀", " spaced ", "semi;colon"),
    *("ta\tb", "'", "\\", "100", "3.14", "True", "None", "nan", "__index_level_0__", "", "A" * 300, "a\u2028b", "="),
)
"""Names that columns have in real files, some by mistake."""
