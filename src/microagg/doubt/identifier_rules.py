"""Rules that recognise identifiers, and units with several records each, by the values of a column."""

from microagg.doubt.column_profile import MIN_RECORDS, ColumnProfile
from microagg.doubt.sentinel_rules import has_few_values, repeats_as_codes
from microagg.model.column import EXACT_INTEGER_LIMIT

_MIN_HOUSEHOLDS = 3  # fewer different values may rise by chance
_MIN_UNSORTED = 50  # of numbers in any order, fewer may have no gap, or be as frequent as each other, by chance
_MIN_DIGITS = 9  # different numbers of that length are rather social security, phone or article numbers than amounts
_MIN_UNITS = 3
_MIN_RECORDS_A_UNIT = 1.05  # on average: fewer are repeated by mistake
_MAX_RECORDS_A_UNIT = 200  # on average: more are rather a region or another class


def beyond_floats(profile: ColumnProfile) -> str | None:
    """Return why integers that floats cannot hold may be identifiers."""
    if profile.values.dtype.kind == "f" or not len(profile.values):
        return None
    if profile.within(-EXACT_INTEGER_LIMIT, EXACT_INTEGER_LIMIT):
        return None
    return "has integers beyond 2^53, as identifiers do"


def identifier_by_order(profile: ColumnProfile) -> str | None:
    """Return why a column may be an identifier, by the order of its values, which an example may have by itself."""
    values = profile.values
    if not profile.integral or len(values) < MIN_RECORDS:
        return None
    if profile.increasing or (values[1:] < values[:-1]).all():
        return "looks like an identifier: whole numbers in order, all different"
    return None


def identifier_by_values(profile: ColumnProfile) -> str | None:
    """Return why a column may be an identifier, by its values."""
    values = profile.values
    if not profile.integral or len(values) < MIN_RECORDS or values.min() == values.max():
        return None
    if profile.enumerates:
        return "looks like an identifier: whole numbers that count the records"
    if profile.without_gaps and _counts_up(profile):
        return "looks like an identifier: whole numbers that count up, as those of households do"
    n_distinct = len(profile.distinct)
    digits = len(str(int(values.max())))
    if n_distinct == len(values) and digits >= _MIN_DIGITS and int(values.min()) >= 10 ** (digits - 1):
        return f"looks like an identifier: different whole numbers of {digits} digits each"
    return None


def identifier_of_panel(profile: ColumnProfile) -> str | None:
    """Return why a column may number people or enterprises: each has the same number of records."""
    if not profile.integral or len(profile.distinct) < _MIN_UNSORTED:
        return None
    times = int(profile.counts[0])
    if times == 1 or not bool((profile.counts == times).all()):
        return None
    return f"looks like an identifier: whole numbers, each of exactly {times} records"


def _counts_up(profile: ColumnProfile) -> bool:
    """Check whether whole numbers without gaps are those of units, in any order where they are many."""
    n_distinct = len(profile.distinct)
    if n_distinct < _MIN_HOUSEHOLDS or repeats_as_codes(profile):
        return False
    in_order = bool((profile.values[1:] >= profile.values[:-1]).all())
    return in_order or (n_distinct >= _MIN_UNSORTED and bool(profile.distinct[0] in (0, 1)))


def unit_by_values(profile: ColumnProfile) -> str | None:
    """Return how an identifier repeats, where it does so as those of units do."""
    n_distinct = len(profile.distinct)
    if n_distinct < _MIN_UNITS or has_few_values(profile):
        return None
    records_a_unit = len(profile.values) / n_distinct
    if not _MIN_RECORDS_A_UNIT <= records_a_unit <= _MAX_RECORDS_A_UNIT:
        return None
    return f"repeats, as those of households and enterprises do: {n_distinct} values, {records_a_unit:.1f} records each"
