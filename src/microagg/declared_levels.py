"""Levels of measurement that a file declares for its columns, for a plan that leaves them open."""

from typing import Any

from microagg.model.by_column import ByColumn
from microagg.model.column_set import ColumnSet
from microagg.model.plan import Plan
from microagg.model.source_protocol import CodebookSource
from microagg.model.table import Table
from microagg.model.treatment_options import named_in


def with_declared_levels(plan: Plan, table: Table) -> Plan:
    """Return a plan in which columns of codes are ordinal if the file declares them so, and the plan says nothing else.

    Parameters
    ----------
    plan
        The plan.
    table
        The table that it is for.

    Returns
    -------
    Plan
        The same plan, unless the table is that of a file that declares levels of measurement.
    """
    if not isinstance(table.source, CodebookSource):
        return plan
    levels = [_ordinal(one, table, table.source) for one in plan.sets]
    given = plan.given
    sets = given.get("sets", [given])
    for one, ordinal in zip(sets, levels, strict=True):
        if ordinal is not None:
            one["ordinal"] = ordinal
    return Plan(**given) if any(ordinal is not None for ordinal in levels) else plan


def _ordinal(one: ColumnSet, table: Table, source: CodebookSource) -> Any:
    """Return the ordinal columns of a set with those that the file declares; None if there are no such."""
    named = {*(one.nominal or ()), *named_in(one.ordinal), *named_in(one.aggregate)}
    open_names = [name for name in one.columns or () if name in table.names and name not in named]
    declared = [name for name in open_names if source.is_ordinal(name)]
    if not declared:
        return None
    if isinstance(one.ordinal, ByColumn):
        return {**one.ordinal.given, **{name: table.column(name).categories for name in declared}}
    return (*(one.ordinal or ()), *declared)
