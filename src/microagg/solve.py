"""Run a recipe: construct, refine, bound."""

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from microagg.checks import whole_number
from microagg.errors import MethodError
from microagg.methods import Recipe, recipe
from microagg.prepare import prepare
from microagg.problem import Problem
from microagg.progress import Progress, silent
from microagg.read import read
from microagg.solution import Solution, Step
from microagg.stop import Stop


def solve(
    X: Any,
    k: int,
    *,
    method: str = "auto",
    effort: str | None = None,
    standardise: bool = True,
    random_state: int | None = 0,
    time_limit: float | None = None,
    iterations: int | None = None,
    bound: bool = False,
    target_gap: float | None = None,
    columns: Iterable[Hashable] | None = None,
    progress: Progress = silent,
) -> Solution:
    """Group records so that each group has at least k of them and little is lost.

    Parameters
    ----------
    X
        The records: an array, a dataframe or a path, with nothing but numbers in the columns that count.
    k
        The smallest group allowed.
    method
        A name from `methods()`, refiners joined by "+", parameters in parentheses: "v-mdav(gamma=1.1)+recut".
        "auto" is "search", our own; one column alone is cut optimally.
    effort
        How long "search" goes on: "quick", "standard" or "thorough", in trials that grow with the data. None is
        standard, or as long as `time_limit` or `iterations` say. A method that knows no effort refuses it.
    standardise
        Whether each column is scaled to variance 1 first.
    random_state
        The same number gives the same groups; None takes fresh randomness.
    time_limit, iterations
        Limits of the work: seconds, rounds of the refiners. A method that has nothing to limit refuses them. Ctrl-C
        ends the work too, with the best so far.
    bound
        Whether to prove how little any grouping must lose: `lower_bound` and `gap`. Where there is a time limit, half
        of it is the bound's.
    target_gap
        How small a gap is enough, e.g. 0.01: the bound ends there.
    columns
        Which columns count; None: all of them.
    progress
        Is told how far the work is.
    """
    chosen, stop = recipe(method, effort, bound), Stop(time_limit, iterations, target_gap)
    table = read(X)
    names = table.names if columns is None else table.select(columns)
    problem = prepare(table, k, names, standardise=standardise)
    return run(chosen, problem, random_state, stop, progress)


def run(recipe: Recipe, problem: Problem, random_state: int | None, stop: Stop, progress: Progress) -> Solution:
    """Run the stages of a recipe, each with a random generator of its own."""
    if ignored := [name for name in stop.given if name not in recipe.limits]:
        hint = ", or ask for a bound" if recipe.bound is None and "target_gap" in ignored else ""
        names = " or ".join(ignored)
        raise MethodError(f"method {recipe.name!r} has nothing that {names} could limit: leave it out{hint}")
    if recipe.one_column is not None and len(problem.varying) <= 1:
        recipe = recipe.one_column
    rngs = (np.random.default_rng(child) for child in _sequence(random_state).spawn(1 + len(recipe.refiners)))
    partition, bound = recipe.construct(problem, next(rngs), progress), None
    stop.note(0, partition.sse)
    with stop.listening():
        for refine, rng in zip(recipe.refiners, rngs, strict=True):
            partition = refine(partition, rng, stop.before_bound() if recipe.bound else stop, progress)
        if recipe.bound is not None:
            bound, partition = recipe.bound(problem, partition, stop.for_bound(), progress)
    heard = stop.heard
    history = (*heard.steps, Step(stop.elapsed, heard.iterations, partition.sse))
    return Solution(partition, recipe.name, bound, history, heard.iterations, heard.ended_by)


def _sequence(random_state: int | None) -> np.random.SeedSequence:
    if random_state is None:
        return np.random.SeedSequence()
    return np.random.SeedSequence(whole_number("random_state", random_state, at_least=0))
