"""Rules that tell by the name of a column what others may know of it: age, sex, place, occupation, and their like."""

from microagg.doubt.column_profile import ColumnProfile, vocabulary

_NOT_AGES = "agen"  # agency, agent, agenda

# Beginnings of words for what neighbours, colleagues and registers know of a person or an enterprise.
_KNOWN = (
    *("sex", "gender", "birth", "dob", "marst", "marit", "marri", "civ", "relat", "hhciv", "famil", "child", "hhsize"),
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


def is_place(profile: ColumnProfile) -> bool:
    """Check whether a column is a region or a stratum, within which groups may have to stay, by its name."""
    return any(word.startswith(_PLACES) for word in profile.all_words)


def is_ordered(profile: ColumnProfile) -> bool:
    """Check whether codes may have an order, by the name of their column."""
    return any(word.startswith(_ORDERED) for word in profile.all_words)
