"""Propose a role for each column of a table, by what it looks like."""

from collections.abc import Sequence
from dataclasses import replace

from microagg.doubt.appearance import Appearance
from microagg.doubt.column_profile import ColumnProfile
from microagg.doubt.meaning_rules import is_age, is_date_of_birth, is_known_to_others
from microagg.doubt.text_rules import is_name
from microagg.model.column import NUMERIC
from microagg.model.column_encoding import MAX_CATEGORIES
from microagg.model.inspection import Proposal, Role

_MAX_QUASI_IDENTIFIERS = 12  # more lose most of what they hold: those that others often know are protected first

_KNOWN = "can others know it of the people or enterprises in the file?"


def propose(columns: Sequence[Appearance]) -> dict[str, Proposal]:
    """Propose a role for each column.

    Parameters
    ----------
    columns
        What each column looks like.

    Returns
    -------
    dict of Proposal
        By the name of the column: at most one unit and one weight, and no more quasi-identifiers of codes and
        categories than can be protected together.
    """
    proposals = {column.name: _propose_alone(column) for column in columns}
    _keep_one_unit(columns, proposals)
    _keep_one_weight(proposals)
    _keep_known(columns, proposals)
    return proposals


def _propose_alone(column: Appearance) -> Proposal:
    """Propose a role for a column by itself."""
    if column.has("free text"):
        return Proposal("dropped")
    if column.has("identifier"):
        return Proposal("unit" if column.has("unit") else "identifier")
    if column.has("mixed", "infinite"):
        return Proposal("unchanged", question="what is to be done with its fields that are no numbers?")
    if column.has("weight"):
        return _propose_weight(column)
    if column.has("nearly constant"):
        constant = column.values.n_distinct < 2
        return Proposal("unchanged", _is_nominal(column), None if constant else _KNOWN)
    if column.has("date"):
        born = is_date_of_birth(ColumnProfile.named(column.name))
        return Proposal("quasi-identifier") if born else Proposal("unchanged", question=_KNOWN)
    return _propose_protected(column)


def _propose_weight(column: Appearance) -> Proposal:
    low = column.values.low
    usable = isinstance(low, int | float) and low > 0 and not column.values.n_missing
    return (
        Proposal("weight") if usable else Proposal("unchanged", question="may a weight be missing, zero or negative?")
    )


def _propose_protected(column: Appearance) -> Proposal:
    """Propose to protect a column as one of numbers, or of categories if these are not too many."""
    if _is_nominal(column):
        return Proposal("dropped" if column.values.n_distinct > MAX_CATEGORIES else "quasi-identifier", nominal=True)
    return Proposal("quasi-identifier" if is_age(ColumnProfile.named(column.name)) else "amount")


def _is_nominal(column: Appearance) -> bool:
    return column.has("code", "category") or column.values.kind not in (*NUMERIC, "date", "datetime")


def _keep_one_unit(columns: Sequence[Appearance], proposals: dict[str, Proposal]) -> None:
    """Leave one unit: no name if there is a number, and that with the most records each; the others are identifiers."""
    units = [column for column in columns if proposals[column.name].role == "unit"]
    units.sort(key=lambda column: (is_name(ColumnProfile.named(column.name)), column.values.n_distinct))
    for column in units[1:]:
        proposals[column.name] = Proposal("identifier")


def _keep_one_weight(proposals: dict[str, Proposal]) -> None:
    """Leave the first weight; others are asked about."""
    weights = [name for name, proposal in proposals.items() if proposal.role == "weight"]
    for name in weights[1:]:
        proposals[name] = Proposal("unchanged", question=f"is this the weight of a record, and not {weights[0]!r}?")


def _keep_known(columns: Sequence[Appearance], proposals: dict[str, Proposal]) -> None:
    """Leave those quasi-identifiers that others often know, where there are too many to be protected together."""
    quasi: Role = "quasi-identifier"
    names = [column.name for column in columns if proposals[column.name].role == quasi]
    if len(names) <= _MAX_QUASI_IDENTIFIERS:
        return
    for name in names:
        if not is_known_to_others(ColumnProfile.named(name)):
            proposals[name] = replace(proposals[name], role="unchanged", question=_KNOWN)
