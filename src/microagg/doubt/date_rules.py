"""Rules that recognise years and dates by the name or the values of a column."""

import numpy as np

from microagg.doubt.column_profile import MIN_RECORDS, ColumnProfile
from microagg.doubt.vocabulary import DATES

# The range in which whole numbers are plausible dates, where a word says so: "income_year" holds none.
_FIRST_YEAR = 1800
_LAST_YEAR = 2200
_MIN_DATE = 10_000  # day counts of spreadsheets, 960131, 19960131, seconds since 1970: all are larger
# Without such a word, whole numbers within these years, unless all are round, as amounts are.
_FIRST_LIKELY_YEAR = 1900
_LAST_LIKELY_YEAR = 2100
_ROUND_YEARS = 5
_MONTH_DAYS = np.array([31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])


def date_by_name(profile: ColumnProfile) -> str | None:
    """Return why a column may be a year or a date, by its name."""
    if not profile.integral:
        return None
    words = profile.all_words
    year = profile.within(0, 99) or profile.within(_FIRST_YEAR, _LAST_YEAR)
    plausible = (
        (any(word.endswith(("year", "yr")) for word in words) and year)
        or (words & {"month", "mon"} and (profile.within(1, 12) or _year_months(profile)))
        or ("day" in words and profile.within(1, 366))
        or (words & DATES and (year or profile.within(_MIN_DATE, np.inf)))
    )
    return "may be a year or a date, by its name" if plausible else None


def date_by_values(profile: ColumnProfile) -> str | None:
    """Return why a column may be a year or a date, by its values."""
    if not profile.integral or len(profile.values) < MIN_RECORDS:
        return None
    if _years(profile) or _year_months(profile) or _year_month_days(profile):
        return "may be a year or a date"
    return None


def _years(profile: ColumnProfile) -> bool:
    if not profile.within(_FIRST_LIKELY_YEAR, _LAST_LIKELY_YEAR):
        return False
    return len(profile.distinct) > 1 and bool((profile.distinct % _ROUND_YEARS != 0).any())


def _year_months(profile: ColumnProfile) -> bool:
    if not profile.within(_FIRST_LIKELY_YEAR * 100, _LAST_LIKELY_YEAR * 100 + 12):
        return False
    months = profile.values % 100
    return bool(((months >= 1) & (months <= 12)).all())


def _year_month_days(profile: ColumnProfile) -> bool:
    if not profile.within(_FIRST_YEAR * 10_000, _LAST_YEAR * 10_000 + 1231):
        return False
    values = profile.values.astype(np.int64)
    months = values // 100 % 100
    days = values % 100
    if ((months < 1) | (months > 12)).any():
        return False
    return bool(((days >= 1) & (days <= _MONTH_DAYS[months - 1])).all())
