"""Rules that recognise units: households or enterprises with several records each."""

from microagg.doubt.column_profile import ColumnProfile, vocabulary
from microagg.doubt.sentinel_rules import has_few_values

_UNITS = vocabulary("household households hh enterprise firm company establishment patient")
_MIN_UNITS = 3
_MIN_RECORDS_A_UNIT = 1.05  # on average: fewer are repeated by mistake
_MAX_RECORDS_A_UNIT = 200  # on average: more are rather a region or another class


def unit_by_name(profile: ColumnProfile) -> str | None:
    """Return why whole numbers that repeat may number units: their column has the name of one."""
    if profile.integral and profile.last_words & _UNITS and unit_by_values(profile) is not None:
        return "looks like an identifier of households or enterprises, by its name"
    return None


def unit_by_values(profile: ColumnProfile) -> str | None:
    """Return how an identifier repeats, where it does so as those of units do."""
    n_distinct = len(profile.distinct)
    if n_distinct < _MIN_UNITS or has_few_values(profile):
        return None
    records_a_unit = len(profile.values) / n_distinct
    if not _MIN_RECORDS_A_UNIT <= records_a_unit <= _MAX_RECORDS_A_UNIT:
        return None
    return f"repeats, as those of households and enterprises do: {n_distinct} values, {records_a_unit:.1f} records each"
