"""Remarks about what a plan asks for, and what may not be meant."""

from microagg.doubt import alike, looks_of_numbers
from microagg.model.column import NUMERIC
from microagg.model.errors import Doubt
from microagg.model.plan import Plan
from microagg.model.table import Table

_ASPECTS = ("sentinel", "code")


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
    named = [name for one in plan.sets for name in one.columns or ()]
    numbers = [name for name in named if plan.codes.level(name, table.kind(name)) == "number"]
    looks = {name: list(looks_of_numbers(table, name)) for name in numbers if table.kind(name) in NUMERIC}
    doubts = [Doubt(name, found[0].reason) for name, found in looks.items() if found and found[0].aspect in _ASPECTS]
    remarks = [f"{columns} {reason}, and is treated as numbers" for columns, reason in alike(doubts)]
    for name, marks in plan.missing_policy.missing_values.named:
        column = table.source.column(name)
        unused = [str(mark) for mark in marks if column.with_missing([mark]) is column]
        if unused:
            remarks.append(f"column {name!r} has no {' or '.join(unused)}, which missing_values names")
    return tuple(remarks)
