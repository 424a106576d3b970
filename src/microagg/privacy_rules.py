"""Rules that a plan sets for every group, besides having k records."""

from collections.abc import Callable
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

_ORDERED = (*NUMERIC, "date", "datetime")


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
            rules.append(_RULES[option](table, name, value))
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


def _distinct(table: Table, name: str, at_least: int) -> GroupRule:
    return DistinctValues(name, table.codes(name), at_least)


def _entropy(table: Table, name: str, diversity: float) -> GroupRule:
    return EntropyDiversity(name, table.codes(name), diversity)


def _closeness(table: Table, name: str, t: float) -> GroupRule:
    ordered = table.kind(name) in _ORDERED
    codes = _ranks(table, name) if ordered else table.codes(name)
    return Closeness.to_all(name, codes, t, ordered=ordered)


def _ranks(table: Table, name: str) -> IntArray:
    """Return the rank of each value among the distinct ones; a missing one comes after all others."""
    column = table.column(name)
    ranks = np.unique(column.values, return_inverse=True)[1].astype(np.int64)
    if column.missing is not None:
        ranks[column.missing] = ranks.max() + 1
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
    "t_closeness": _closeness,
    "dominance": _dominance,
    "p_percent": _p_percent,
}
