"""Remarks about what a plan asks for, and what may not be meant."""

from microagg.doubt import first_look
from microagg.doubt.column_profile import ColumnProfile
from microagg.model.column import NUMERIC
from microagg.model.plan import Plan
from microagg.model.table import Table

_MAY_NOT_BE_MEANT = ("sentinel", "code")


def remarks_on(plan: Plan, table: Table) -> tuple[str, ...]:
    """Return remarks about columns that are averaged although they may hold codes or sentinels, and about unused marks.

    Parameters
    ----------
    plan
        The plan, its columns settled.
    table
        The table, which knows what stands for missing values.

    Returns
    -------
    tuple of str
        One sentence each; of the values, they show sentinels only.
    """
    remarks = []
    named = [name for one in plan.sets for name in one.columns or ()]
    for name in named if table.source.may_hold_identifiers else ():  # numbers of an array are meant
        if plan.codes.level(name, table.kind(name)) == "number" and table.kind(name) in NUMERIC:
            look = first_look(ColumnProfile.of(table.column(name)))
            if look is not None and look.aspect in _MAY_NOT_BE_MEANT:
                remarks.append(f"column {name!r} {look.reason}; it is treated as numbers, as the plan says")
    for name, marks in plan.missing_policy.missing_values.named:
        column = table.source.column(name)
        unused = [str(mark) for mark in marks if column.with_missing([mark]) is column]
        if unused:
            remarks.append(f"column {name!r} has no {' or '.join(unused)}, which missing_values names")
    return tuple(remarks)
