"""Group the records of a table by one column set: encode, divide, solve each part, join."""

from dataclasses import replace

from microagg.control.run import Run
from microagg.divide import divide
from microagg.doubt.text_rules import is_guessed_nominal, refuse_doubtful_text
from microagg.encode import encode_table
from microagg.methods import set_pipeline
from microagg.model.column_set import ColumnSet
from microagg.model.encoding import Encoding
from microagg.model.plan import Plan
from microagg.model.problem import Problem
from microagg.model.solution import Solution
from microagg.model.table import Table
from microagg.privacy_rules import group_rules
from microagg.sampling_weights import record_weights
from microagg.shared_work import SharedWork
from microagg.solve_parts import solve_parts


def group_records(table: Table, plan: Plan, wanted: ColumnSet, run: Run, shared: SharedWork | None = None) -> Solution:
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
    shared
        What runs on the same table share; None where there is only this one.

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
    encoding, problem = _problem(table, plan, wanted, run, shared)
    division = divide(table, wanted.columns or (), plan, problem)
    policy = plan.missing_policy
    if problem.missing is not None and policy.mixed_cells == "blank" and (policy.missing == "blank" or division.merged):
        problem = problem.with_prices()
    rules = group_rules(table, plan, wanted, problem.missing)
    chosen = set_pipeline(wanted)
    is_plain = len(division.parts) == 1 and problem.missing is None and problem.weights is None
    if shared is not None and is_plain:
        chosen = shared.with_known_order(chosen, problem, run)
    solution = solve_parts(chosen, problem, division, rules, plan.random_state, run)
    if problem.prices is not None:
        solution = _blanked(solution, run)
    return replace(solution, encoding=encoding, merged_parts=division.merged)


def _blanked(solution: Solution, run: Run) -> Solution:
    """Return a solution whose loss is over the cells that are left when those to be blanked are missing."""
    partition = solution.partition.with_blanks(None if run.arrays is None else run.arrays.empty)
    parts = tuple(replace(one, solution=_blanked(one.solution, run)) for one in solution.parts)
    return replace(solution, partition=partition, parts=parts, history=())


def _problem(
    table: Table, plan: Plan, wanted: ColumnSet, run: Run, shared: SharedWork | None
) -> tuple[Encoding, Problem]:
    """State the problem: with missing cells where the plan allows them, with weights where the loss is weighted."""
    names = wanted.columns or ()
    for name in names:
        if is_guessed_nominal(table, name, wanted.treatment):
            refuse_doubtful_text(table, name)
    may_miss = plan.missing_policy.missing != "error"
    encoded = encode_table if shared is None else shared.encoded
    encoding, X, missing = encoded(table, names, wanted.treatment, run.arrays, may_miss=may_miss)
    weights = None
    if wanted.weighted_loss:
        assert plan.roles.weight is not None, "checked by the plan"
        weights = record_weights(table, plan.roles.weight)
    return encoding, Problem(X, wanted.k, weights, missing)
