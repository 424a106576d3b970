"""Propose a role for each column of a table, by what it looks like: what is unknown is protected, or left out."""

from collections.abc import Sequence

from microagg.doubt.appearance import Appearance
from microagg.doubt.column_profile import ColumnProfile
from microagg.doubt.name_rules import is_age, is_date_of_birth, is_known_to_others, numbers_households
from microagg.doubt.text_rules import is_name
from microagg.model.column import NUMERIC
from microagg.model.column_encoding import MAX_CATEGORIES
from microagg.model.inspection import Proposal

KNOWN = "can others know it of the people or enterprises in the file? If nobody can, it may be confidential"
_IDENTIFIES = "does it number records, people or enterprises? if not, it may be protected"
_NO_NUMBERS = "what is to be done with its fields that are no numbers? until then it is left out"
_TOO_MANY = f"it has more than {MAX_CATEGORIES} categories, too many to be protected: can it be coarsened?"
_FREE_TEXT = "does anybody need it? free text cannot be protected"
_NO_WEIGHT = "may a weight be missing, zero or negative? until that is known it is left out"


def propose(columns: Sequence[Appearance]) -> dict[str, Proposal]:
    """Propose a role for each column.

    Parameters
    ----------
    columns
        What each column looks like.

    Returns
    -------
    dict of Proposal
        By the name of the column: at most one unit and one weight. Only constants, and the weight, are to be released
        as they came; what else cannot be protected is to be left out.
    """
    proposals = {column.name: _propose_alone(column) for column in columns}
    _keep_one_unit(columns, proposals)
    _keep_one_weight(proposals)
    return proposals


def _propose_alone(column: Appearance) -> Proposal:
    """Propose a role for a column by itself."""
    values = column.values
    if column.has("free text"):
        return Proposal("dropped", question=_FREE_TEXT)
    if column.has("identifier"):
        by_name = any(look.aspect == "identifier" and look.reason.endswith("by its name") for look in column.looks)
        asked = None if by_name or values.kind not in NUMERIC else _IDENTIFIES
        return Proposal("unit" if column.has("unit") else "identifier", question=asked)
    if column.has("mixed", "infinite"):
        return Proposal("dropped", question=_NO_NUMBERS)
    if column.has("weight"):
        usable = isinstance(values.low, int | float) and values.low > 0 and not values.n_missing
        return Proposal("weight") if usable else Proposal("dropped", question=_NO_WEIGHT)
    if values.n_distinct == 0 or (values.n_distinct == 1 and not values.n_missing):
        return Proposal("unchanged", _is_nominal(column))
    return _propose_protected(column)


def _propose_protected(column: Appearance) -> Proposal:
    """Propose to protect a column as one of numbers, or of categories if these are not too many."""
    nominal = _is_nominal(column)
    if nominal and column.values.n_distinct > MAX_CATEGORIES:
        return Proposal("dropped", nominal=True, question=_TOO_MANY)
    name = ColumnProfile.named(column.name)
    known = is_known_to_others(name) or is_date_of_birth(name)
    personal = nominal or known or is_age(name) or column.has("date")
    return Proposal("quasi-identifier" if personal else "amount", nominal, None if known else KNOWN)


def _is_nominal(column: Appearance) -> bool:
    if column.has("code", "category"):
        return True
    if column.values.kind in ("date", "datetime"):
        return False
    return column.values.kind not in NUMERIC or (column.has("date") and not _holds_years(column))


def _holds_years(column: Appearance) -> bool:
    """Check whether whole numbers are years, whose means are years; those of months, or of 19960131, are no dates."""
    low, high = column.values.low, column.values.high
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return False
    return 1800 <= low <= high <= 2200 or 12 < high - low <= 99


def _keep_one_unit(columns: Sequence[Appearance], proposals: dict[str, Proposal]) -> None:
    """Leave one unit: a number of households, or one with most records each, or a name; the others are identifiers."""
    units = [column for column in columns if proposals[column.name].role == "unit"]
    units.sort(key=_unlikely_unit)
    for column in units[1:]:
        proposals[column.name] = Proposal("identifier", question=proposals[column.name].question)


def _unlikely_unit(column: Appearance) -> tuple[bool, bool, int]:
    name = ColumnProfile.named(column.name)
    return is_name(name), not numbers_households(name), column.values.n_distinct


def _keep_one_weight(proposals: dict[str, Proposal]) -> None:
    """Leave the first weight; others are asked about, and left out."""
    weights = [name for name, proposal in proposals.items() if proposal.role == "weight"]
    for name in weights[1:]:
        question = f"is this the weight of a record, and not {weights[0]!r}? until that is known it is left out"
        proposals[name] = Proposal("dropped", question=question)
