"""Solve a problem for every k of a range: the records are put in order once, and cut for each k."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Unpack

from microagg.control.progress import Progress
from microagg.control.run import Run, run_of
from microagg.encode import encode
from microagg.methods import set_pipeline
from microagg.model.checks import group_sizes
from microagg.model.column_set import check_known
from microagg.model.group_rules import GroupRules
from microagg.model.plan import Plan
from microagg.model.problem import Problem
from microagg.model.solution import Solution
from microagg.run_pipeline import known_random_state
from microagg.shared_work import SharedWork
from microagg.solve import SolveOptions, begun
from microagg.solve_blocks import solve_problem

_METHOD = "fdm"


def solve_range(
    X: Any,
    k: Iterable[int],
    *,
    run: Run | None = None,
    progress: Progress | None = None,
    **options: Unpack[SolveOptions],
) -> dict[int, Solution]:
    """Group records for every k of a range, to choose k by what it costs.

    The solutions are those of `solve` for each k, but what does not depend on k is done once. FDM, the default, puts
    the records on one short tour, which takes nearly all of the time, and cuts it optimally for each k. So do all
    methods with an order that does not depend on k: "npn-mhm", "pca-mhm", "zscore-mhm", "tsp-mhm", as a path or a tour.
    Any other method works, too, and is run for each k.

    Parameters
    ----------
    X
        The records: an array, a dataframe or a path.
    k
        Smallest groups allowed, as in range(3, 11).
    run
        Limits, progress, workers, and the way to cancel the work from another thread. A time limit is shared.
    progress
        Called with stage, share done and note, where no run is given.
    **options
        As in `solve`; the method is "fdm" if none is given.

    Returns
    -------
    dict of int to Solution
        The solution for each k, in the order given.

    Raises
    ------
    InputError
        If something cannot be used: one sentence says what and why.

    References
    ----------
    Mortazavi & Jalili (2014), Fast data-oriented microaggregation algorithm for large numerical datasets,
    Knowledge-Based Systems 67 (FDM).

    Examples
    --------
    >>> import microagg
    >>> solutions = microagg.solve_range([[1.0], [2.0], [8.0], [9.0], [10.0]], k=range(2, 4))
    >>> [(k, solution.labels.tolist()) for k, solution in solutions.items()]
    [(2, [0, 0, 1, 1, 1]), (3, [0, 0, 0, 0, 0])]
    """
    check_known(options, tuple(SolveOptions.__annotations__), "solve_range")
    sizes = group_sizes(k, ": for one k use solve")
    plan = Plan(**{"method": _METHOD, **options, "k": max(sizes), "allow_k1": True})
    (wanted,) = plan.sets
    solutions = {}
    with begun(X, plan, run_of(run, progress)) as (table, names, current):
        encoding, largest = encode(table, names, wanted.k, wanted.treatment)
        chosen = SharedWork().with_known_order(set_pipeline(wanted), largest, current)
        for number, size in enumerate(sizes):
            share = current.share(len(sizes) - number)
            state = known_random_state(plan.random_state)
            solution = solve_problem(chosen, Problem(largest.X, size), GroupRules(), state, share)
            solutions[size] = replace(solution, encoding=encoding)
    return solutions
