"""Rules that recognise identifiers by the values of a column."""

from microagg.doubt.column_profile import MIN_RECORDS, ColumnProfile
from microagg.model.column import EXACT_INTEGER_LIMIT

_MIN_HOUSEHOLDS = 3  # fewer different values may rise by chance
_MIN_DIGITS = 9  # different numbers of that length are rather social security, phone or article numbers than amounts


def beyond_floats(profile: ColumnProfile) -> str | None:
    """Return why integers that floats cannot hold may be identifiers."""
    if profile.values.dtype.kind == "f" or not len(profile.values):
        return None
    if profile.within(-EXACT_INTEGER_LIMIT, EXACT_INTEGER_LIMIT):
        return None
    return "has integers beyond 2^53, as identifiers do"


def identifier_by_values(profile: ColumnProfile) -> str | None:
    """Return why a column may be an identifier, by its values."""
    values = profile.values
    if not profile.integral or len(values) < MIN_RECORDS or values.min() == values.max():
        return None
    if profile.increasing or (values[1:] < values[:-1]).all():
        return "looks like an identifier: whole numbers in order, all different"
    if profile.enumerates:
        return "looks like an identifier: whole numbers that count the records"
    n_distinct = len(profile.distinct)
    if profile.without_gaps and n_distinct >= _MIN_HOUSEHOLDS and (values[1:] >= values[:-1]).all():
        return "looks like an identifier: whole numbers that count up, as those of households do"
    digits = len(str(int(values.max())))
    if n_distinct == len(values) and digits >= _MIN_DIGITS and int(values.min()) >= 10 ** (digits - 1):
        return f"looks like an identifier: different whole numbers of {digits} digits each"
    return None
