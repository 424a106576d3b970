"""Doubt columns of numbers that nobody may have meant to average: identifiers, weights, codes, dates, sentinels."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column import EXACT, NUMERIC, Column
from microagg.model.errors import Doubt, InputError
from microagg.model.table import Table


def _vocabulary(words: str) -> frozenset[str]:
    return frozenset(words.split())


# What a source advises begins so; the selection gives a better advice.
_ADVICE = re.compile(r"[;:] (?:correct|convert|give) ")
# What R and pandas call the column that numbers the rows.
_ROW_NUMBERS = re.compile(r"|__index_level_\d+__")

# Identifiers: "id" and its kin anywhere in a name; words for a number at its end ("case_no", but not "no_of_rooms").
_IDENTIFIERS = _vocabulary("id ids uid uids uuid guid pid hid hhid idno idnr idnum ssn")
_NUMBERINGS = _vocabulary("key keys nr no num number phone telephone mobile fax account acct iban")

# A name may run together, as UTILITYID does; these words end so and name something else.
_NO_IDENTIFIERS = _vocabulary(
    "aid medicaid bid kid lid mid rid did said laid maid raid acid amid arid avid void grid valid invalid rigid vivid "
    "rapid solid centroid asteroid android thyroid opioid squid orchid pyramid plasmid skid madrid"
)
_NO_IDENTIFIER_ENDINGS = ("paid", "fluid", "liquid", "humid", "hybrid", "covid", "lipid", "steroid", "avoid")

# Fewer records than this are often in order, or in a narrow range, by chance.
_TELLING = 6
# A household's number repeats; of fewer different values nothing can be told.
_FEWEST_HOUSEHOLDS = 3
# Different numbers of so many digits each are rather social security, phone or article numbers than amounts.
_IDENTIFIER_DIGITS = 9

# Sampling weights: these words and endings, and WTFINL or wtmec; a weight in kg or of a body is measured.
_WEIGHT_ENDINGS = ("weight", "weights", "wgt", "wgts", "wt", "wts", "gewicht")
_MEASURED = _vocabulary(
    "kg lb lbs oz g gram grams pound pounds ton tons tonnes body bodyweight birth birthweight net gross "
    "overweight underweight"
)

# Codes of a classification or a design anywhere in a name; other categories where they end it, or come before "of";
# what is to be predicted where it stands alone: "financial_outcome" is an amount.
_CLASSIFICATIONS = _vocabulary(
    "code codes zip zipcode postcode postal plz nace isco isic sic naics nuts fips stratum strata psu"
)
_CATEGORIES = _vocabulary(
    "region sex gender race ethnicity cluster class type status flag cd category state county "
    "country district province municipality"
)
_TARGETS = _vocabulary("target outcome label")
# Whole numbers with at most so many different values, each of which occurs so often on average, may be codes.
_MOST_CODES = 15
_RECORDS_PER_CODE = 4

# Words for a date, and what makes whole numbers plausible ones: "income_year" holds none.
_DATE_WORDS = _vocabulary("date dates dob birth birthday birthdate")
_FIRST_YEAR, _LAST_YEAR = 1800, 2200
_LEAST_DATE = 10_000  # day counts of spreadsheets, 960131, 19960131, seconds since 1970: all are larger
# Without such a word, whole numbers within these years, unless all are round, as amounts are.
_FIRST_LIKELY_YEAR, _LAST_LIKELY_YEAR = 1900, 2100
_ROUND = 5
_MONTH_DAYS = np.array([31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])

# Sentinels: 9, 97 to 99, 997 to 999, …, 77, 88, …, 99.9; negative ones also -1 and their like.
_SENTINEL = re.compile(r"9|9+[789]|77+|88+|99+\.9+")
_NEGATIVE_SENTINEL = re.compile(r"-(?:[12789]|9+[789]|77+|88+|99+\.9+)")
# How many different sentinels one column may have: refused, not known, does not apply, …
_MOST_SENTINELS = 6
# Of fewer other values nothing can be told.
_FEWEST_OTHERS = 3
# A gap to the other values larger than this share of their range is far.
_FAR = 0.5
# So many records, this share of all, and so many times those of the next value, are a pile.
_PILE = 5
_PILE_SHARE = 0.01
_PILE_TIMES = 5


def doubts(table: Table, names: Sequence[str]) -> tuple[Doubt, ...]:
    """Doubt those columns of numbers, and those that may hold numbers, that may not be meant to be averaged.

    Parameters
    ----------
    table
        The user's table.
    names
        The columns to look at; those of other kinds than numbers draw no doubt.

    Returns
    -------
    tuple of Doubt
        One for each doubtful column, in the order of `names`; its reason completes "column 'x' …" and shows no value
        but a sentinel. O(n log n) a column.
    """
    found = ((name, _reason(table, name)) for name in names)
    return tuple(Doubt(name, reason) for name, reason in found if reason is not None)


def numbers_rows(table: Table, name: str) -> bool:
    """Say whether a column is one by which R and pandas number the rows: by its name, and rising or without gaps."""
    if not _ROW_NUMBERS.fullmatch(name) or table.kind(name) not in NUMERIC:
        return False
    look = _Look.at(table.column(name))
    if not look.whole or len(look.values) < table.n_records:
        return False
    return bool((look.values[1:] > look.values[:-1]).all()) or _count_records(look)


def _reason(table: Table, name: str) -> str | None:
    kind = table.kind(name)
    if kind == "mixed":
        return _why_mixed(table, name)
    if kind not in NUMERIC:
        return None
    if _ROW_NUMBERS.fullmatch(name) and not numbers_rows(table, name):
        return "has a name that row numbers have, but does not count the rows"
    look = _Look.at(table.column(name))
    reasons = (rule(look) for rule in _RULES)
    return next((reason for reason in reasons if reason is not None), None)


def _why_mixed(table: Table, name: str) -> str:
    """Say what keeps a column from being one of numbers: the source knows row and value."""
    try:
        table.numbers(name)
    except InputError as refused:
        return _ADVICE.split(str(refused).removeprefix(f"column {name!r} "))[0]
    settled = " (decimal='.' or decimal=',' may settle it)" if table.source.file_kind == "CSV" else ""
    return f"may or may not hold numbers{settled}"


@dataclass(frozen=True, eq=False)
class _Look:
    """What the rules see of a column.

    Parameters
    ----------
    words
        The words of its name in small letters, split at anything but letters and at changes of case.
    runs
        The same, not split at changes of case.
    values
        Its finite values in the order of the records.
    """

    words: tuple[str, ...]
    runs: tuple[str, ...]
    values: npt.NDArray[Any]

    @classmethod
    def at(cls, column: Column) -> "_Look":
        """Look at a column."""
        runs = re.findall(r"[^\W\d_]+", column.name)
        words = [word for run in runs for word in re.split(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})", run)]
        values = column.values if column.missing is None else column.values[~column.missing]
        if values.dtype.kind == "f":
            values = values[np.isfinite(values)].astype(np.float64)  # half precision overflows where dates are sought
        return cls(tuple(word.casefold() for word in words), tuple(run.casefold() for run in runs), values)

    @property
    def all_words(self) -> frozenset[str]:
        """The words, split and not."""
        return frozenset((*self.words, *self.runs))

    @property
    def last_words(self) -> frozenset[str]:
        """The last word, split and not."""
        return frozenset(words[-1] for words in (self.words, self.runs) if words)

    @property
    def heads(self) -> frozenset[str]:
        """What the name says that the column is: its last word, or the one before "of"."""
        before_of = {word for word, of in zip(self.words, self.words[1:], strict=False) if of == "of"}
        return self.last_words | before_of

    @cached_property
    def whole(self) -> bool:
        """Whether all values are whole numbers."""
        return self.values.dtype.kind != "f" or bool((self.values == np.rint(self.values)).all())

    @cached_property
    def _counted(self) -> tuple[npt.NDArray[Any], IntArray]:
        distinct, counts = np.unique(self.values, return_counts=True)
        return distinct, counts.astype(np.int64)

    @property
    def distinct(self) -> npt.NDArray[Any]:
        """The different values, rising."""
        return self._counted[0]

    @property
    def counts(self) -> IntArray:
        """How often each of them occurs."""
        return self._counted[1]

    def within(self, low: float, high: float) -> bool:
        """Say whether there are values and all of them lie in a range."""
        return len(self.values) > 0 and bool(self.values.min() >= low and self.values.max() <= high)


def _identifier_by_name(look: _Look) -> str | None:
    named = bool(look.all_words & _IDENTIFIERS)
    numbering = bool(look.last_words & _NUMBERINGS)
    run_together = any(_ends_in_id(word) for word in look.last_words)
    if named or ((numbering or run_together) and look.whole):
        return "looks like an identifier, by its name"
    return None


def _ends_in_id(word: str) -> bool:
    return word.endswith("id") and word not in _NO_IDENTIFIERS and not word.endswith(_NO_IDENTIFIER_ENDINGS)


def _weight_by_name(look: _Look) -> str | None:
    weighing = any(word.endswith(_WEIGHT_ENDINGS) or word.startswith("wt") for word in look.all_words)
    if weighing and not look.all_words & _MEASURED:
        return "looks like a sampling weight, by its name"
    return None


def _code_by_name(look: _Look) -> str | None:
    alone = look.words if len(look.words) == 1 else ()
    named = bool(look.all_words & _CLASSIFICATIONS or look.heads & _CATEGORIES or _TARGETS & set(alone))
    run_together = any(word.endswith("code") for word in look.last_words)
    if (named or run_together) and look.whole:
        return "looks like a code, by its name"
    return None


def _date_by_name(look: _Look) -> str | None:
    if not look.whole:
        return None
    year = look.within(0, 99) or look.within(_FIRST_YEAR, _LAST_YEAR)
    plausible = (
        (any(word.endswith(("year", "yr")) for word in look.all_words) and year)
        or (look.all_words & {"month", "mon"} and (look.within(1, 12) or _year_months(look)))
        or ("day" in look.all_words and look.within(1, 366))
        or (look.all_words & _DATE_WORDS and (year or look.within(_LEAST_DATE, np.inf)))
    )
    return "may be a year or a date, by its name" if plausible else None


def _beyond_floats(look: _Look) -> str | None:
    if look.values.dtype.kind == "f" or not len(look.values) or look.within(-EXACT, EXACT):
        return None
    return "has integers beyond 2^53, as identifiers do"


def _date_by_values(look: _Look) -> str | None:
    if not look.whole or len(look.values) < _TELLING:
        return None
    if _years(look) or _year_months(look) or _year_month_days(look):
        return "may be a year or a date"
    return None


def _years(look: _Look) -> bool:
    if not look.within(_FIRST_LIKELY_YEAR, _LAST_LIKELY_YEAR):
        return False
    return len(look.distinct) > 1 and bool((look.distinct % _ROUND != 0).any())


def _year_months(look: _Look) -> bool:
    if not look.within(_FIRST_LIKELY_YEAR * 100, _LAST_LIKELY_YEAR * 100 + 12):
        return False
    months = look.values % 100
    return bool(((months >= 1) & (months <= 12)).all())


def _year_month_days(look: _Look) -> bool:
    if not look.within(_FIRST_YEAR * 10_000, _LAST_YEAR * 10_000 + 1231):
        return False
    values = look.values.astype(np.int64)
    months = values // 100 % 100
    days = values % 100
    if ((months < 1) | (months > 12)).any():
        return False
    return bool(((days >= 1) & (days <= _MONTH_DAYS[months - 1])).all())


def _identifier_by_values(look: _Look) -> str | None:
    values = look.values
    if not look.whole or len(values) < _TELLING or values.min() == values.max():
        return None
    if (values[1:] > values[:-1]).all() or (values[1:] < values[:-1]).all():
        return "looks like an identifier: whole numbers in order, all different"
    if _count_records(look):
        return "looks like an identifier: whole numbers that count the records"
    different = len(look.distinct)
    if _without_gaps(look) and different >= _FEWEST_HOUSEHOLDS and (values[1:] >= values[:-1]).all():
        return "looks like an identifier: whole numbers that count up, as those of households do"
    digits = len(str(int(values.max())))
    if different == len(values) and digits >= _IDENTIFIER_DIGITS and int(values.min()) >= 10 ** (digits - 1):
        return f"looks like an identifier: different whole numbers of {digits} digits each"
    return None


def _count_records(look: _Look) -> bool:
    return len(look.distinct) == len(look.values) and _without_gaps(look)


def _without_gaps(look: _Look) -> bool:
    if not len(look.values):
        return False
    return int(look.values.max()) - int(look.values.min()) == len(look.distinct) - 1


def _code_or_sentinel(look: _Look) -> str | None:
    """Find codes and sentinels: a sentinel of one digit among codes is one of them."""
    sentinels, why = _sentinels(look)
    if _is_code(look) and all(abs(value) < 10 for value in sentinels):
        return f"looks like a code: whole numbers with only {len(look.distinct)} different values"
    if sentinels:
        what = "a sentinel" if len(sentinels) == 1 else "sentinels"
        shown = ", ".join(_written(value) for value in sentinels)
        return f"has what may be {what} for a missing value: {shown}, {why}"
    return None


def _is_code(look: _Look) -> bool:
    different = len(look.distinct)
    return look.whole and 2 <= different <= _MOST_CODES and len(look.values) >= _RECORDS_PER_CODE * different


def _sentinels(look: _Look) -> tuple[list[float], str]:
    """Find the sentinels of a column, and say why they may be some."""
    distinct = look.distinct.astype(np.float64)
    n_negative = int(np.searchsorted(distinct, 0.0))
    if 0 < n_negative <= min(_MOST_SENTINELS, len(distinct) - _FEWEST_OTHERS):
        negative: list[float] = distinct[:n_negative].tolist()
        if all(_NEGATIVE_SENTINEL.fullmatch(_written(value)) for value in negative):
            return negative, "the only negative value" + "s" * (n_negative > 1)
    highest, why = _highest_sentinels(distinct, look.counts)
    if highest:
        return highest, why
    lowest, why = _highest_sentinels(-distinct[::-1], look.counts[::-1])
    return [-value for value in lowest if value > 9], why


def _highest_sentinels(distinct: FloatArray, counts: IntArray) -> tuple[list[float], str]:
    """Find the most sentinels at the upper end that lie far from all other values, or are piled up there."""
    most = min(_MOST_SENTINELS, len(distinct) - _FEWEST_OTHERS)
    at_end = 0
    while at_end < most and _SENTINEL.fullmatch(_written(distinct[-1 - at_end])):
        at_end += 1
    for number in range(at_end, 0, -1):
        found = distinct[-number:].tolist()
        others = distinct[:-number]
        if found[0] - others[-1] > _FAR * (others[-1] - others[0]):
            return found, "far from all others"
        pile = max(_PILE, _PILE_SHARE * counts.sum(), _PILE_TIMES * counts[-number - 1])
        if counts[-number:].min() >= pile:
            return found, "far more often than the value next to it"
    return [], ""


def _written(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))


_RULES: tuple[Callable[[_Look], str | None], ...] = (
    _identifier_by_name,
    _weight_by_name,
    _code_by_name,
    _date_by_name,
    _beyond_floats,
    _date_by_values,
    _identifier_by_values,
    _code_or_sentinel,
)
"""What is looked for, in this order; the first that is found is the reason."""
