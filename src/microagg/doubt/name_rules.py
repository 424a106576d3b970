"""Rules that recognise what a column holds by its name: identifiers, sampling weights, codes, ages, places."""

import numpy as np

from microagg.doubt import vocabulary as words
from microagg.doubt.column_profile import ColumnProfile
from microagg.doubt.identifier_rules import identifier_of_panel
from microagg.doubt.sentinel_rules import has_few_values, without_sentinels

_MIN_QUANTITIES = 8  # different whole numbers: of fewer, a name does not tell an amount from a code
_MAX_YEARS = 130
_SCHOOL_YEARS = (8, 25)  # most frequent number of years of schooling, at least; any number, at most
_BODY_WEIGHTS = (2, 300)  # in kg or pounds; their median:
_MEDIAN_BODY_WEIGHT = (30, 200)
_BODY_DECIMALS = 1


def identifier_by_name(profile: ColumnProfile) -> str | None:
    """Return why a column may be an identifier, by its name."""
    last = profile.last_words
    if profile.all_words & words.IDENTIFIERS or profile.whole in words.IDENTIFYING_NAMES:
        return "looks like an identifier, by its name"
    if not profile.integral:
        return None
    if any(map(_runs_into_number, last)) or (last & words.NUMBERINGS and not _is_code_or_quantity(profile)):
        return "looks like an identifier, by its name"
    if last & words.UNITS and len(profile.distinct) > 1 and not has_few_values(profile):
        return "looks like an identifier of people, households or enterprises, by its name"
    return None


def _is_code_or_quantity(profile: ColumnProfile) -> bool:
    """Check whether whole numbers are too few to number records: education_num has 16, phone 0 and 1."""
    return has_few_values(profile) or is_quantity(profile)


def _runs_into_number(word: str) -> bool:
    if word.endswith(words.NUMBERING_ENDINGS):
        return True
    return word.endswith("id") and word not in words.NOT_IDENTIFIERS and not word.endswith(words.NOT_IDENTIFIER_ENDINGS)


def numbers_households(profile: ColumnProfile) -> bool:
    """Check whether an identifier is one of households, by its name."""
    return any(word.startswith(("hh", "hous", "hid", "fam")) or word in words.HOUSEHOLDS for word in profile.all_words)


def weight_by_name(profile: ColumnProfile) -> str | None:
    """Return why a column may be a sampling weight, by its name, and by its values where the name tells little."""
    named = profile.all_words
    if named & words.MEASURED:
        return None
    if profile.whole in words.WEIGHT_NAMES or named & words.WEIGHTS or any(map(_weighs, named)):
        return "looks like a sampling weight, by its name"
    if named & words.FACTORS and named & words.EXPANDING:
        return "looks like a sampling weight, by its name"
    alone = len(profile.words) == 1
    if (named & words.MAYBE_WEIGHTS or (alone and named & words.SHORT_WEIGHTS)) and _may_weigh(profile):
        return "may be a sampling weight, by its name"
    return None


def _weighs(word: str) -> bool:
    return word.endswith(words.WEIGHT_ENDINGS) or word.startswith(words.WEIGHT_BEGINNINGS)


def _may_weigh(profile: ColumnProfile) -> bool:
    """Check whether values may be sampling weights: positive, not a few whole numbers, no weights of bodies."""
    values = without_sentinels(profile).values.astype(np.float64)
    if len(values) == 0 or values.min() <= 0 or values.min() == values.max() or has_few_values(profile):
        return False
    low, high = _BODY_WEIGHTS
    median = np.median(values)
    written_short = bool(np.allclose(values, np.round(values, _BODY_DECIMALS), rtol=0, atol=1e-9))
    of_bodies = low <= values.min() and values.max() <= high and written_short
    return not (of_bodies and _MEDIAN_BODY_WEIGHT[0] <= median <= _MEDIAN_BODY_WEIGHT[1])


def code_by_name(profile: ColumnProfile) -> str | None:
    """Return why a column may be a code, by its name."""
    if not profile.integral:
        return None
    named = profile.all_words
    alone = profile.words if len(profile.words) == 1 else ()
    coded = named & words.CLASSIFICATIONS or profile.head_words & words.CATEGORIES or words.TARGETS & set(alone)
    run_together = any(word.endswith("code") for word in profile.last_words) and not identifier_of_panel(profile)
    known = any(word.startswith(words.CATEGORY_BEGINNINGS) for word in named)
    known = known and not any(word in words.AMOUNTS or word.endswith(words.AMOUNT_ENDINGS) for word in named)
    return "looks like a code, by its name" if coded or run_together or known else None


def is_quantity(profile: ColumnProfile) -> bool:
    """Check whether whole numbers are ages, years and the like by their name, and many enough to be no codes."""
    named = profile.all_words
    if profile.last_words & words.CLASSES or any(word.startswith(words.AGE_CLASSES) for word in named):
        return False
    plain = without_sentinels(profile)
    if len(plain.distinct) < _MIN_QUANTITIES or not plain.within(0, np.inf):
        return False
    if any(school in word for word in named for school in words.SCHOOLING):
        most_frequent = plain.distinct[plain.counts.argmax()]
        return bool(most_frequent >= _SCHOOL_YEARS[0]) and plain.within(0, _SCHOOL_YEARS[1])
    if is_age(profile):
        return plain.within(0, _MAX_YEARS)
    return bool(named & words.QUANTITIES)


def is_age(profile: ColumnProfile) -> bool:
    """Check whether a column is an age, by its name."""
    named = profile.all_words
    return bool(named & words.AGES) or any(
        word.startswith("age") and not word.startswith(words.NOT_AGES) for word in named
    )


def is_date_of_birth(profile: ColumnProfile) -> bool:
    """Check whether a column is a date or year of birth, by its name."""
    return bool(profile.all_words & words.BIRTHS)


def is_known_to_others(profile: ColumnProfile) -> bool:
    """Check whether others often know what a column holds, by its name."""
    return is_age(profile) or any(word.startswith(words.KNOWN_BEGINNINGS) for word in profile.all_words)


def is_place(profile: ColumnProfile) -> bool:
    """Check whether a column is a region or a stratum, within which groups may have to stay, by its name."""
    return any(word.startswith(words.PLACE_BEGINNINGS) for word in profile.all_words)


def is_ordered(profile: ColumnProfile) -> bool:
    """Check whether codes may have an order, by the name of their column."""
    return any(word.startswith(words.ORDERED_BEGINNINGS) for word in profile.all_words)
