"""Group the records of a table by one column set: encode, divide, solve each part, join."""

from dataclasses import replace

from microagg.control.mapped_arrays import MappedArrays
from microagg.control.run import Run
from microagg.divide import divide
from microagg.doubt.text_categories import is_guessed_nominal, refuse_doubtful_text
from microagg.encode import encode, encode_with_missing
from microagg.methods import set_pipeline
from microagg.model.arrays import FloatArray
from microagg.model.column_set import ColumnSet
from microagg.model.encoding import Encoding
from microagg.model.errors import InputError
from microagg.model.plan import Plan
from microagg.model.problem import Problem
from microagg.model.solution import Solution
from microagg.model.table import Table
from microagg.privacy_rules import group_rules
from microagg.solve_parts import solve_parts


def group_records(table: Table, plan: Plan, wanted: ColumnSet, run: Run) -> Solution:
    """Group records by the columns of a set, as a plan wants it.

    Parameters
    ----------
    table
        The table.
    plan
        The plan: strata, missing values, units and privacy on top of k.
    wanted
        One of its column sets, the columns settled.
    run
        The run.

    Returns
    -------
    Solution
        The groups, and what is proved of them.

    Raises
    ------
    InputError
        If the plan cannot be carried out with these records.
    """
    run.report("encode")
    encoding, problem = _problem(table, plan, wanted, run.arrays)
    division = divide(table, wanted.columns or (), plan, problem)
    rules = group_rules(table, plan, wanted, problem)
    solution = solve_parts(set_pipeline(wanted), problem, division, rules, plan.random_state, run)
    return replace(solution, encoding=encoding, merged_parts=division.merged)


def record_weights(table: Table, name: str) -> FloatArray:
    """Return sampling weights; refuse a column that cannot be that.

    Raises
    ------
    InputError
        If a weight is missing, infinite, or not positive.
    """
    weights = table.numbers(name)
    bad = ~(weights > 0) | ~(weights < float("inf"))
    if bad.any():
        row = int(bad.argmax()) + 1
        found = "a missing value" if weights[row - 1] != weights[row - 1] else f"{weights[row - 1]:g}"
        raise InputError(
            f"weight {name!r} must be a positive number in every record, found {found} in row {row}: correct it, or "
            "leave the weight out"
        )
    return weights


def _problem(table: Table, plan: Plan, wanted: ColumnSet, arrays: MappedArrays | None) -> tuple[Encoding, Problem]:
    """State the problem: with missing cells where the plan allows them, with weights where the loss is weighted."""
    names = wanted.columns or ()
    for name in names:
        if is_guessed_nominal(table, name, wanted.treatment):
            refuse_doubtful_text(table, name)
    if plan.missing_policy.missing == "error":
        encoding, problem = encode(table, names, wanted.k, wanted.treatment, arrays)
        X, missing = problem.X, None
    else:
        encoding, X, missing = encode_with_missing(table, names, wanted.treatment, arrays)
    weights = None
    if wanted.weighted_loss:
        assert plan.roles.weight is not None, "checked by the plan"
        weights = record_weights(table, plan.roles.weight)
    return encoding, Problem(X, wanted.k, weights, missing)
