"""Column sets of a starter plan: what others may know of people in one, amounts in another."""

from collections.abc import Sequence
from typing import NamedTuple

from microagg.doubt.column_profile import ColumnProfile
from microagg.doubt.meaning_rules import is_ordered
from microagg.model.column import NUMERIC
from microagg.model.inspection import ColumnInspection, Inspection, Role
from microagg.report.plan_lines import asked, comment, entries, given

_KNOWN_TITLE = "What others may know: each combination of values is that of k records."
_AMOUNTS_TITLE = "Amounts, grouped apart: k-anonymous on their own, not together with the set above."
_KNOWN_TO_OTHERS = "Can others know these of the people or enterprises in the file? Then remove the # before them."


class PlannedSet(NamedTuple):
    """Column set to be planned.

    Parameters
    ----------
    title
        What it is for.
    columns
        Columns in it.
    doubtful
        Columns that may have to be in it.
    names_text
        Whether columns of text must be named as categories, too.
    """

    title: str
    columns: Sequence[ColumnInspection]
    doubtful: Sequence[ColumnInspection]
    names_text: bool = False


def planned_sets(inspection: Inspection) -> list[PlannedSet]:
    """Return the column sets: what others may know of people in one, amounts in another."""
    names_text = inspection.on_cluster
    known = PlannedSet(_KNOWN_TITLE, having_role(inspection, "quasi-identifier"), (), names_text)
    amounts = PlannedSet(_AMOUNTS_TITLE, having_role(inspection, "amount"), (), names_text)
    filled = [one for one in (known, amounts) if one.columns]
    if filled:
        filled[0] = filled[0]._replace(doubtful=[column for column in inspection.columns if _may_be_protected(column)])
    return filled


def _may_be_protected(column: ColumnInspection) -> bool:
    proposal = column.proposal
    if proposal.role != "unchanged" or proposal.question is None:
        return False
    return all(column.look(aspect) is None for aspect in ("mixed", "infinite", "weight"))


def set_parts(sets: Sequence[PlannedSet]) -> list[list[str]]:
    """Return the lines of each column set; of a single one, without a table of its own."""
    if not sets:
        return [[asked("columns", ["NAME"], "which columns are to be protected? none looks like one that others know")]]
    if len(sets) == 1:
        return [_set_lines(sets[0])]
    return [[comment(one.title), "[[sets]]", *_set_lines(one)] for one in sets]


def _set_lines(planned: PlannedSet) -> list[str]:
    """Return the options of a column set."""
    columns = planned.columns
    doubtful = [(column.name, why(column)) for column in planned.doubtful]
    lines = entries("columns", [(column.name, why(column)) for column in columns], doubtful, _KNOWN_TO_OTHERS)
    lines += _nominal_lines(planned)
    ordered = [column.name for column in columns if column.proposal.nominal and _has_order(column)]
    if ordered:
        lines.append(
            asked("ordinal", ordered, "do their codes rise with what they mean? then take them out of nominal")
        )
    if any(_is_whole(column) for column in columns):
        lines.append(given("keep_integers", True, "ages and the like are released as whole numbers"))
    if skewed := {column.name: "log" for column in columns if column.look("skewed") is not None}:
        lines.append(asked("transform", skewed, "are they to be near by their ratio, not by their difference?"))
    if zeros := {column.name: [0] for column in columns if column.look("structural zeros") is not None}:
        question = 'are zeros to stay zero? then add this to missing_values above, with missing = "pattern"'
        lines.append(asked("missing_values", zeros, question))
    return lines


def _nominal_lines(planned: PlannedSet) -> list[str]:
    active, doubtful = (
        [(column.name, _n_categories(column)) for column in columns if _needs_nominal(column, planned.names_text)]
        for columns in (planned.columns, planned.doubtful)
    )
    if active:
        return entries("nominal", active, doubtful, _KNOWN_TO_OTHERS)
    if doubtful:
        return [asked("nominal", [name for name, _ in doubtful], "are these protected, as categories?")]
    return []


def _is_whole(column: ColumnInspection) -> bool:
    proposal = column.proposal
    return proposal.role == "quasi-identifier" and not proposal.nominal and column.values.kind == "integer"


def _needs_nominal(column: ColumnInspection, names_text: bool) -> bool:
    """Check whether a column must be named as one of categories: of numbers; text is such anyway, or is named, too."""
    if column.values.kind == "text":
        return names_text
    return column.proposal.nominal and column.values.kind in NUMERIC


def _n_categories(column: ColumnInspection) -> str:
    return f"{column.values.n_distinct} categories"


def _has_order(column: ColumnInspection) -> bool:
    return is_ordered(ColumnProfile.named(column.name))


def having_role(inspection: Inspection, role: Role) -> list[ColumnInspection]:
    """Return the columns that a role is proposed for."""
    return [column for column in inspection.columns if column.proposal.role == role]


def why(column: ColumnInspection) -> str:
    """Return what a column looks like, in one sentence without its values."""
    looks = [look.reason for look in column.looks] or [f"{column.values.n_distinct} different numbers"]
    return "; ".join([repr(column.label), *looks] if column.label else looks)
