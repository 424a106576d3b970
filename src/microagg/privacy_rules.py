"""Rules that a plan sets for every group, besides having k records."""

from typing import Any

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.column import NUMERIC, Column
from microagg.model.column_encoding import ordered_categories
from microagg.model.column_set import ColumnSet
from microagg.model.column_values import distinct_values
from microagg.model.errors import InputError
from microagg.model.group_rules import (
    Closeness,
    DistinctUnits,
    DistinctValues,
    Dominance,
    EntropyDiversity,
    GroupRule,
    GroupRules,
    PPercent,
    PresentCells,
)
from microagg.model.plan import Plan
from microagg.model.table import Table
from microagg.model.treatment import Treatment


def group_rules(table: Table, plan: Plan, wanted: ColumnSet, missing: BoolArray | None) -> GroupRules:
    """Return what groups of a column set must satisfy: units, cells that are there, and the rules of privacy.

    Parameters
    ----------
    table
        The table.
    plan
        The plan.
    wanted
        The column set, its columns settled.
    missing
        Cells of the records as points that are missing, as in a `Problem`; None if none is.

    Returns
    -------
    GroupRules
        The rules, in the order in which they are enforced.
    """
    rules: list[GroupRule] = []
    units = None if plan.roles.unit is None else table.codes(plan.roles.unit)
    if units is not None:
        rules.append(DistinctUnits(units, wanted.k))
    if missing is not None and plan.missing_policy.mixed_cells != "blank":
        rules.append(PresentCells(missing, wanted.k, units))
    for option in plan.privacy.given:
        for name, value in _columns_of(option, table, plan, wanted).items():
            rules.append(_rule(option, table, name, value, plan.codes, units))
    return GroupRules(tuple(rules))


def _columns_of(option: str, table: Table, plan: Plan, wanted: ColumnSet) -> dict[str, Any]:
    """Return the columns that an option guards in the groups of a column set, with its value for each."""
    confidential = plan.roles.confidential
    if option in ("dominance", "p_percent"):
        confidential = tuple(name for name in confidential if table.kind(name) in NUMERIC)
    values = getattr(plan.privacy, option).of_each(confidential)
    guarded = (*plan.roles.confidential, *(wanted.columns or ()))
    found = {name: value for name, value in values.items() if name in guarded}
    if not values:
        raise InputError(f"{option} guards confidential columns of numbers, and there is none: name one by column")
    return found


def _rule(option: str, table: Table, name: str, value: Any, codes: Treatment, units: IntArray | None) -> GroupRule:
    """Return the rule that an option sets for a column; contributors are units where there are any."""
    if option == "dominance":
        n, share = value
        return Dominance(name, _amounts(table, name), n, share, units)
    if option == "p_percent":
        return PPercent(name, _amounts(table, name), value, units)
    column = table.column(name)
    if option == "l_diversity":
        return DistinctValues(name, distinct_values(column)[0], value)
    if option == "entropy_l_diversity":
        return EntropyDiversity(name, distinct_values(column)[0], value)
    ordered = codes.level(name, column.kind) != "nominal"
    return Closeness.to_all(name, _ranks(column, codes), value, ordered=ordered)


def _ranks(column: Column, codes: Treatment) -> IntArray:
    """Return the rank of each value; of one without order, any number for it. A missing one comes after all others."""
    level = codes.level(column.name, column.kind)
    if column.kind == "mixed" and level == "number":
        raise InputError(
            f"t_closeness needs the order of the values of column {column.name!r}, which may or may not be numbers: "
            "name it in nominal if they have none, give their order in ordinal, or name in missing_values the texts "
            "that stand for a missing number"
        )
    if level == "ordinal":
        places = ordered_categories(column, codes).read(column)
        ranks: IntArray = np.nan_to_num(places, nan=-1.0).astype(np.int64)
    else:
        ranks = distinct_values(column)[0]
    return np.where(ranks < 0, ranks.max() + 1, ranks)


def _amounts(table: Table, name: str) -> FloatArray:
    """Return contributions to a total; a missing one contributes nothing."""
    return np.nan_to_num(table.numbers(name), nan=0.0)
