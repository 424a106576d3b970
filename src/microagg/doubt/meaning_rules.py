"""Rules that tell by the name of a column what others may know of it: age, sex, place, occupation, and their like."""

from microagg.doubt.column_profile import ColumnProfile, vocabulary

_NOT_AGES = "agen"  # agency, agent, agenda

# Beginnings of words for what neighbours, colleagues and registers know of a person or an enterprise.
_CATEGORIES = (
    *("sex", "gender", "marst", "marit", "marri", "civ", "relat", "hhciv"),
    *(
        "region",
        "provin",
        "distr",
        "county",
        "munic",
        "state",
        "country",
        "city",
        "town",
        "vill",
        "urb",
        "rural",
        "nuts",
    ),
    *("zip", "post", "plz", "educ", "school", "degree", "occu", "isco", "profes", "indus", "nace", "isic"),
    *("naics", "sector", "branch", "ethn", "etni", "race", "nation", "citiz", "relig", "lang", "disab"),
)
_KNOWN = (*_CATEGORIES, "birth", "dob", "famil", "child", "hhsize")
_SHORT_WEIGHTS = {("w",), ("fw",), ("pw",)}
_PLACES = ("region", "provin", "distr", "county", "munic", "state", "country", "urb", "rural", "nuts", "strat")
_BIRTH = vocabulary("birth birthday birthdate dob born")
_ORDERED = ("educ", "degree", "grade", "level", "num", "size", "rank", "score", "health", "satisf", "agegr", "agecl")


def is_age(profile: ColumnProfile) -> bool:
    """Check whether a column is an age, by its name."""
    return any(word.startswith("age") and not word.startswith(_NOT_AGES) for word in profile.all_words)


def is_date_of_birth(profile: ColumnProfile) -> bool:
    """Check whether a column is a date or year of birth, by its name."""
    return bool(profile.all_words & _BIRTH)


def is_known_to_others(profile: ColumnProfile) -> bool:
    """Check whether others often know what a column holds, by its name."""
    return is_age(profile) or any(word.startswith(_KNOWN) for word in profile.all_words)


def code_by_meaning(profile: ColumnProfile) -> str | None:
    """Return why whole numbers may be codes: the name of their column is that of categories that others know."""
    if profile.integral and any(word.startswith(_CATEGORIES) for word in profile.all_words):
        return "looks like a code, by its name"
    return None


def weight_by_short_name(profile: ColumnProfile) -> str | None:
    """Return why a column with the name that statisticians give to weights may be one."""
    return "may be a sampling weight, by its short name" if profile.words in _SHORT_WEIGHTS else None


def is_place(profile: ColumnProfile) -> bool:
    """Check whether a column is a region or a stratum, within which groups may have to stay, by its name."""
    return any(word.startswith(_PLACES) for word in profile.all_words)


def is_ordered(profile: ColumnProfile) -> bool:
    """Check whether codes may have an order, by the name of their column."""
    return any(word.startswith(_ORDERED) for word in profile.all_words)
