"""Rules that recognise identifiers, sampling weights and codes by the name of a column."""

from microagg.doubt.column_profile import ColumnProfile, vocabulary

# "id" and its like anywhere in a name; words for a number at its end ("case_no", but not "no_of_rooms").
_IDENTIFIERS = vocabulary("id ids uid uids uuid guid pid hid hhid idno idnr idnum ssn")
_NUMBERINGS = vocabulary("key keys nr no num number phone telephone mobile fax account acct iban")

# A name may run together, as UTILITYID does; these words end in "id" and name something else.
_NOT_IDENTIFIERS = vocabulary(
    "aid medicaid bid kid lid mid rid did said laid maid raid acid amid arid avid void grid valid invalid rigid vivid "
    "rapid solid centroid asteroid android thyroid opioid squid orchid pyramid plasmid skid madrid"
)
_NOT_IDENTIFIER_ENDINGS = ("paid", "fluid", "liquid", "humid", "hybrid", "covid", "lipid", "steroid", "avoid")

# Sampling weights: these endings, and WTFINL or wtmec; a weight in kg or of a body is measured.
_WEIGHT_ENDINGS = ("weight", "weights", "wgt", "wgts", "wt", "wts", "gewicht")
_MEASURED = vocabulary(
    "kg lb lbs oz g gram grams pound pounds ton tons tonnes body bodyweight birth birthweight net gross "
    "overweight underweight"
)

# Codes of a classification or a design anywhere in a name; other categories where they end it, or come before "of";
# what is to be predicted where it stands alone: "financial_outcome" is an amount.
_CLASSIFICATIONS = vocabulary(
    "code codes zip zipcode postcode postal plz nace isco isic sic naics nuts fips stratum strata psu"
)
_CATEGORIES = vocabulary(
    "region sex gender race ethnicity cluster class type status flag cd category state county "
    "country district province municipality"
)
_TARGETS = vocabulary("target outcome label")


def identifier_by_name(profile: ColumnProfile) -> str | None:
    """Return why a column may be an identifier, by its name."""
    named = bool(profile.all_words & _IDENTIFIERS)
    numbering = bool(profile.last_words & _NUMBERINGS)
    run_together = any(_ends_in_id(word) for word in profile.last_words)
    if named or ((numbering or run_together) and profile.integral):
        return "looks like an identifier, by its name"
    return None


def _ends_in_id(word: str) -> bool:
    return word.endswith("id") and word not in _NOT_IDENTIFIERS and not word.endswith(_NOT_IDENTIFIER_ENDINGS)


def weight_by_name(profile: ColumnProfile) -> str | None:
    """Return why a column may be a sampling weight, by its name."""
    weighing = any(word.endswith(_WEIGHT_ENDINGS) or word.startswith("wt") for word in profile.all_words)
    if weighing and not profile.all_words & _MEASURED:
        return "looks like a sampling weight, by its name"
    return None


def code_by_name(profile: ColumnProfile) -> str | None:
    """Return why a column may be a code, by its name."""
    alone = profile.words if len(profile.words) == 1 else ()
    named = bool(profile.all_words & _CLASSIFICATIONS or profile.head_words & _CATEGORIES or _TARGETS & set(alone))
    run_together = any(word.endswith("code") for word in profile.last_words)
    if (named or run_together) and profile.integral:
        return "looks like a code, by its name"
    return None
