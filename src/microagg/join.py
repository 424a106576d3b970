"""Join the solutions of parts: losses and lower bounds add up."""

from collections.abc import Sequence

import numpy as np

from microagg.model.division import Division
from microagg.model.gap import OPTIMALITY_TOL
from microagg.model.history import Step
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.model.rule_cost import RuleCost
from microagg.model.solution import LowerBound, Solution, SolvedPart


def join_solutions(problem: Problem, division: Division, solutions: Sequence[Solution]) -> Solution:
    """Return the solution of a problem whose parts are solved.

    Parameters
    ----------
    problem
        The problem of all records.
    division
        Its parts.
    solutions
        The solution of each.

    Returns
    -------
    Solution
        Their groups; its bound is the sum of theirs, if each has one.
    """
    if len(solutions) == 1:
        return solutions[0]
    partition = _joined(problem, division, [solution.partition for solution in solutions])
    better = None
    if any(solution.better is not None for solution in solutions):
        better = _joined(problem, division, [solution.better or solution.partition for solution in solutions])
        better = better if better.sse < partition.sse else None
    shares = [solution.sst / problem.sst if problem.sst else 0.0 for solution in solutions]
    iterations = max(solution.iterations for solution in solutions)
    grouped = sum(solution.fallback_share * len(solution.labels) for solution in solutions)
    seconds = max((solution.history[-1].seconds for solution in solutions if solution.history), default=0.0)
    return Solution(
        partition,
        " or ".join(dict.fromkeys(solution.method for solution in solutions)),
        _sum_of_bounds(partition if better is None else better, solutions),
        history=(Step(seconds, iterations, partition.sse),),
        iterations=iterations,
        starts=max(solution.starts for solution in solutions),
        ended_by=next((solution.ended_by for solution in solutions if solution.ended_by is not None), None),
        fallback_share=grouped / problem.n,
        improved_by_bound=any(solution.improved_by_bound for solution in solutions),
        better=better,
        random_state=solutions[0].random_state,
        parts=tuple(map(SolvedPart, division.parts, solutions)),
        reason=joined_reason(
            [solution.reason for solution in solutions], [len(solution.labels) for solution in solutions]
        ),
        rule_costs=sum_of_costs(shares, [solution.rule_costs for solution in solutions]),
    )


def _joined(problem: Problem, division: Division, partitions: Sequence[Partition]) -> Partition:
    labels = np.empty(problem.n, dtype=np.int64)
    n_groups = 0
    for part, partition in zip(division.parts, partitions, strict=True):
        labels[part.records] = n_groups + partition.labels
        n_groups += partition.n_groups
    return Partition(problem, labels)


def sum_of_costs(shares: Sequence[float], costs: Sequence[Sequence[RuleCost]]) -> tuple[RuleCost, ...]:
    """Return what each rule has cost in all parts together, in percent of all squares.

    Parameters
    ----------
    shares
        Share of all squares that each part has.
    costs
        What each rule has cost in each part, in percent of its squares.
    """
    return tuple(
        RuleCost(
            of_rule[0].sentence,
            sum(cost.n_violating for cost in of_rule),
            sum(share * cost.loss_before for share, cost in zip(shares, of_rule, strict=True)),
            sum(share * cost.loss_after for share, cost in zip(shares, of_rule, strict=True)),
        )
        for of_rule in zip(*costs, strict=True)
    )


def joined_reason(reasons: Sequence[str], sizes: Sequence[int]) -> str:
    """Return why parts were solved so: the reason that all have, or that of the largest part.

    Parameters
    ----------
    reasons
        Why each part was solved so.
    sizes
        Number of records of each.
    """
    of_largest = reasons[max(range(len(sizes)), key=sizes.__getitem__)]
    same = all(reason == of_largest for reason in reasons)
    return of_largest if same or not of_largest else f"the largest of {len(reasons)} parts: {of_largest}"


def _sum_of_bounds(partition: Partition, solutions: Sequence[Solution]) -> LowerBound | None:
    """Return the bound that the bounds of all parts prove together; None if one has none."""
    bounds = [solution.bound for solution in solutions if solution.bound is not None]
    if len(bounds) < len(solutions):
        return None
    total = sum(bound.sse for bound in bounds)
    if partition.sse < total <= partition.sse * (1 + OPTIMALITY_TOL):
        total = partition.sse  # the order of summation differs
    kinds = " or ".join(dict.fromkeys(bound.kind for bound in bounds))
    ended_by = next((bound.ended_by for bound in bounds if bound.ended_by is not None), None)
    return LowerBound(total, kinds, ended_by, sst=partition.problem.sst)
