"""Rules that recognise codes, and sentinels for missing values, by the values of a column."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from microagg.doubt.column_profile import ColumnProfile
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column_encoding import MAX_CATEGORIES

MAX_CODES = 15
"""Different whole numbers: more are rather amounts, unless they count up from 1."""
_RECORDS_PER_CODE = 4  # on average: fewer show no repetition
_LAST_CODES = 0.1  # of the different codes: amounts of that size are rare,
_RARE = 0.25  # which is less than this share of the records of other codes

# Sentinels: 9, 97 to 99, 997 to 999, …, 77, 88, …, 99.9; negative ones also -1 and the like.
_SENTINEL = re.compile(r"9|9+[789]|77+|88+|99+\.9+")
_NEGATIVE_SENTINEL = re.compile(r"-(?:[12789]|9+[789]|77+|88+|99+\.9+)")
_SENTINEL_CODE = re.compile(r"[789]|9+[789]|77+|88+")
_MIN_OTHER_CODES = 2
_CODE_GAP = 2  # codes are consecutive: one is left out, at least, before those for no answer
_MAX_SENTINELS = 6  # of one column: refused, not known, does not apply, …
_MIN_OTHERS = 3  # fewer other values do not show what is far
_FAR_SHARE = 0.5  # of the range of the other values: a larger gap to them is far
_PILE_RECORDS = 5  # records that share a value, at least, where it piles up
_PILE_SHARE = 0.01  # of all records, at least
_PILE_TIMES = 5  # times the records of the value next to it, at least


def code_by_values(profile: ColumnProfile) -> str | None:
    """Return why a column may hold codes; a sentinel of one digit among codes is one of them."""
    if has_few_values(profile) and all(abs(value) < 10 for value in find_sentinels(profile)[0]):
        return f"looks like a code: whole numbers with only {len(profile.distinct)} different values"
    if _counts_up_from_one(profile):
        return f"looks like a code: {len(profile.distinct)} whole numbers that count up from 1, none of them rare"
    return None


def _counts_up_from_one(profile: ColumnProfile) -> bool:
    """Check whether values are 1, 2, … without gaps in any order, and the last are as frequent as those of codes."""
    if not repeats_as_codes(profile) or profile.distinct[0] != 1 or not profile.without_gaps:
        return False
    n_last = max(3, round(_LAST_CODES * len(profile.distinct)))
    return bool(profile.counts[-n_last:].mean() >= _RARE * profile.counts.mean())


def sentinel_by_values(profile: ColumnProfile) -> str | None:
    """Return why a column may hold sentinels."""
    sentinels, why = find_sentinels(profile)
    if not sentinels:
        return None
    what = "a sentinel" if len(sentinels) == 1 else "sentinels"
    return f"has what may be {what} for a missing value: {listed_sentinels(sentinels)}, {why}"


def sentinel_among_codes(profile: ColumnProfile) -> str | None:
    """Return which of a few codes may stand for a missing value: the highest, after a gap."""
    distinct = profile.distinct.astype(np.float64)
    at_most = min(_MAX_SENTINELS, len(distinct) - _MIN_OTHER_CODES)
    at_end = 0
    while at_end < at_most and _SENTINEL_CODE.fullmatch(_written(distinct[-1 - at_end])):
        at_end += 1
    for number in range(at_end, 0, -1):
        if distinct[-number] - distinct[-number - 1] >= _CODE_GAP:
            return f"has codes that may stand for no answer: {listed_sentinels(distinct[-number:].tolist())}"
    return None


def listed_sentinels(sentinels: Sequence[float]) -> str:
    """Write sentinels for a sentence."""
    return ", ".join(_written(value) for value in sentinels)


def has_few_values(profile: ColumnProfile) -> bool:
    """Check whether all values are whole numbers, and the few different ones are repeated, as those of codes are."""
    return len(profile.distinct) <= MAX_CODES and repeats_as_codes(profile)


def repeats_as_codes(profile: ColumnProfile) -> bool:
    """Check whether whole numbers are few enough to be protected as categories, and repeated."""
    n_distinct = len(profile.distinct)
    if not profile.integral or not 2 <= n_distinct <= MAX_CATEGORIES:
        return False
    return len(profile.values) >= _RECORDS_PER_CODE * n_distinct


def without_sentinels(profile: ColumnProfile) -> ColumnProfile:
    """Return the profile of the values that are no sentinels."""
    found = find_sentinels(profile)[0] if profile.values.dtype.kind in "iuf" else []
    return replace(profile, values=profile.values[~np.isin(profile.values, found)]) if found else profile


def find_sentinels(profile: ColumnProfile) -> tuple[list[float], str]:
    """Return the sentinels of a column, and why they may be some."""
    distinct = profile.distinct.astype(np.float64)
    n_negative = int(np.searchsorted(distinct, 0.0))
    if 0 < n_negative <= min(_MAX_SENTINELS, len(distinct) - _MIN_OTHERS):
        negative: list[float] = distinct[:n_negative].tolist()
        if all(_NEGATIVE_SENTINEL.fullmatch(_written(value)) for value in negative):
            return negative, "the only negative value" + "s" * (n_negative > 1)
    highest, why = _highest_sentinels(distinct, profile.counts)
    if highest:
        return highest, why
    lowest, why = _highest_sentinels(-distinct[::-1], profile.counts[::-1])
    return [-value for value in lowest if value > 9], why


def _highest_sentinels(distinct: FloatArray, counts: IntArray) -> tuple[list[float], str]:
    """Return the most sentinels at the upper end that lie far from all other values, or pile up there."""
    at_most = min(_MAX_SENTINELS, len(distinct) - _MIN_OTHERS)
    at_end = 0
    while at_end < at_most and _SENTINEL.fullmatch(_written(distinct[-1 - at_end])):
        at_end += 1
    for number in range(at_end, 0, -1):
        found = distinct[-number:].tolist()
        others = distinct[:-number]
        if found[0] - others[-1] > _FAR_SHARE * (others[-1] - others[0]):
            return found, "far from all others"
        pile = max(_PILE_RECORDS, _PILE_SHARE * counts.sum(), _PILE_TIMES * counts[-number - 1])
        if counts[-number:].min() >= pile:
            return found, "far more often than the value next to it"
    return [], ""


def _written(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))
