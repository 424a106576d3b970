"""Rules that recognise names, other identifiers and free text in columns of text."""

from microagg.doubt.column_profile import MIN_RECORDS, ColumnProfile, vocabulary
from microagg.doubt.name_rules import identifier_by_name
from microagg.model.column import Column

_NAME_ENDINGS = ("name", "names", "nachname", "vorname")
_CONTACTS = vocabulary("address street email mail phone telephone mobile url website passport licence license plate")
_NEARLY_ALL = 0.9  # of the records, different from each other
_MANY_DIFFERENT = 0.5  # of the records: sentences are seldom repeated
_MIN_WORDS = 4  # a field, on average


def free_text(column: Column, profile: ColumnProfile) -> str | None:
    """Return why a column of text may hold free text."""
    n_words = _words_a_field(column, profile)
    if len(profile.distinct) < _MANY_DIFFERENT * len(profile.values) or n_words < _MIN_WORDS:
        return None
    return f"holds free text, {n_words:.0f} words a field: it may name people"


def identifying_text(profile: ColumnProfile) -> str | None:
    """Return why a column of text may identify records, by its name or its values."""
    if identifier_by_name(profile) is not None:
        return identifier_by_name(profile)
    if is_name(profile):
        return "holds names of people, enterprises or places, by its name"
    if identifies_by_name(profile):
        return "holds addresses or the like, by its name"
    n_distinct = len(profile.distinct)
    if n_distinct < MIN_RECORDS or n_distinct < _NEARLY_ALL * len(profile.values):
        return None
    return (
        "is different in every record" if n_distinct == len(profile.values) else "is different in nearly every record"
    )


def is_name(profile: ColumnProfile) -> bool:
    """Check whether a column of text holds names, by its own name."""
    return any(word.endswith(_NAME_ENDINGS) for word in profile.all_words)


def identifies_by_name(profile: ColumnProfile) -> bool:
    """Check whether a column of text may identify people or enterprises, by its name."""
    return is_name(profile) or bool(profile.all_words & _CONTACTS) or identifier_by_name(profile) is not None


def _words_a_field(column: Column, profile: ColumnProfile) -> float:
    """Return the mean number of words of the different texts."""
    assert column.categories is not None, "a column of text has categories"
    counts = [len(str(column.categories[code]).split()) for code in profile.distinct.tolist()]
    return sum(counts) / max(1, len(counts))
