"""Rules that a plan sets for every group, besides having k records."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column import NUMERIC
from microagg.model.column_set import ColumnSet
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
from microagg.model.problem import Problem
from microagg.model.table import Table
from microagg.model.treatment import Treatment


def group_rules(table: Table, plan: Plan, wanted: ColumnSet, problem: Problem) -> GroupRules:
    """Return what groups of a column set must satisfy: units, cells that are there, and the rules of privacy.

    Parameters
    ----------
    table
        The table.
    plan
        The plan.
    wanted
        The column set, its columns settled.
    problem
        The records as points.

    Returns
    -------
    GroupRules
        The rules, in the order in which they are enforced.
    """
    rules: list[GroupRule] = []
    units = None if plan.roles.unit is None else table.codes(plan.roles.unit)
    if units is not None:
        rules.append(DistinctUnits(units, wanted.k))
    if problem.missing is not None:
        rules.append(PresentCells(problem.missing, wanted.k, units))
    for option in plan.privacy.given:
        for name, value in _columns_of(option, table, plan, wanted).items():
            rules.append(_rule(option, table, name, value, plan.codes))
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


def _rule(option: str, table: Table, name: str, value: Any, codes: Treatment) -> GroupRule:
    """Return the rule that an option sets for a column."""
    if option == "t_closeness":
        return _closeness(table, name, value, codes)
    return _RULES[option](table, name, value)


def _distinct(table: Table, name: str, at_least: int) -> GroupRule:
    return DistinctValues(name, table.codes(name), at_least)


def _entropy(table: Table, name: str, diversity: float) -> GroupRule:
    return EntropyDiversity(name, table.codes(name), diversity)


def _closeness(table: Table, name: str, t: float, codes: Treatment) -> GroupRule:
    ordered = codes.level(name, table.kind(name)) != "nominal"
    return Closeness.to_all(name, _ranks(table, name, codes.order_of(name)), t, ordered=ordered)


def _ranks(table: Table, name: str, order: Sequence[Any] | None) -> IntArray:
    """Return the rank of each value among the distinct ones; a missing one comes after all others."""
    column = table.column(name)
    values = column.values
    if order is not None:
        places = {str(category): place for place, category in enumerate(order)}
        values = np.array([places.get(str(value), len(order)) for value in column.objects()])
    present = np.ones(len(column), dtype=np.bool_) if column.missing is None else ~column.missing
    distinct, ranks_present = np.unique(values[present], return_inverse=True)
    ranks = np.full(len(column), len(distinct), dtype=np.int64)
    ranks[present] = ranks_present
    return ranks


def _dominance(table: Table, name: str, limit: tuple[int, float]) -> GroupRule:
    return Dominance(name, _amounts(table, name), *limit)


def _p_percent(table: Table, name: str, p: float) -> GroupRule:
    return PPercent(name, _amounts(table, name), p)


def _amounts(table: Table, name: str) -> FloatArray:
    """Return contributions to a total; a missing one contributes nothing."""
    return np.nan_to_num(table.numbers(name), nan=0.0)


_RULES: dict[str, Callable[[Table, str, Any], GroupRule]] = {
    "l_diversity": _distinct,
    "entropy_l_diversity": _entropy,
    "dominance": _dominance,
    "p_percent": _p_percent,
}
