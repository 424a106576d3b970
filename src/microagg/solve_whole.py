"""Solve a problem in one piece: run the pipeline, and enforce the rules of privacy."""

from dataclasses import replace

from microagg.available import solve_available
from microagg.constrain import constrain
from microagg.control.run import Run
from microagg.methods import Pipeline
from microagg.model.errors import MethodError
from microagg.model.group_rules import GroupRules
from microagg.model.problem import Problem
from microagg.model.problem_shape import ProblemShape
from microagg.model.solution import Solution
from microagg.run_pipeline import run_pipeline


def solve_whole(chosen: Pipeline, problem: Problem, rules: GroupRules, random_state: int, run: Run) -> Solution:
    """Solve a problem in one piece.

    Parameters
    ----------
    chosen
        The pipeline.
    problem
        The problem, perhaps with missing cells.
    rules
        What each group must satisfy, besides having k records.
    random_state
        The same number gives the same groups.
    run
        The run.

    Returns
    -------
    Solution
        The groups, and what is proved of them.

    Raises
    ------
    InputError
        If the rules cannot be satisfied.
    """
    solution = _solved(chosen, problem, random_state, run)
    if not rules:
        return solution
    partition, costs = constrain(solution.partition, rules, run)
    return replace(solution, partition=partition, better=None, rule_costs=costs)


def check_bound(chosen: Pipeline, problem: ProblemShape) -> Pipeline:
    """Return a pipeline without a bound that cannot be proved; refuse one that was asked for."""
    if problem.missing is None:
        return chosen
    if chosen.bound_is_optional:
        return replace(chosen, bound=None)
    if chosen.bound is not None:
        raise MethodError(
            "no bound can be proved where a group may hold records with different missing cells: leave the bound "
            "out, or choose missing='pattern' or 'drop'"
        )
    return chosen


def _solved(chosen: Pipeline, problem: Problem, random_state: int, run: Run) -> Solution:
    if problem.missing is None:
        return run_pipeline(chosen, problem, random_state, run)
    return solve_available(check_bound(chosen, problem), problem, random_state, run)
