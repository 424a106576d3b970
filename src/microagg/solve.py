"""Run a recipe: construct, refine, bound."""

from typing import Any

import numpy as np

from microagg.checks import whole_number
from microagg.errors import MethodError
from microagg.methods import Recipe, recipe
from microagg.prepare import prepare
from microagg.problem import Problem
from microagg.progress import Progress, silent
from microagg.read import read
from microagg.solution import Solution
from microagg.stop import Stop


def solve(
    X: Any,
    k: int,
    *,
    method: str = "mdav",
    standardise: bool = True,
    random_state: int | None = 0,
    time_limit: float | None = None,
    iterations: int | None = None,
    progress: Progress = silent,
) -> Solution:
    """Group records so that each group has at least k of them and little is lost.

    Parameters
    ----------
    X
        The records: an array, a dataframe or a path, with nothing but numbers.
    k
        The smallest group allowed.
    method
        A name from `methods()`, refiners joined by "+", parameters in parentheses: "v-mdav(gamma=1.1)+recut".
    standardise
        Whether each column is scaled to variance 1 first.
    random_state
        The same number gives the same groups; None takes fresh randomness.
    time_limit, iterations
        Limits of the refiners: seconds, rounds. A method that has no refiner refuses them.
    progress
        Is told how far the work is.
    """
    chosen, stop = recipe(method), Stop(time_limit, iterations)
    table = read(X)
    problem = prepare(table, k, table.names, standardise=standardise)
    return run(chosen, problem, random_state, stop, progress)


def run(recipe: Recipe, problem: Problem, random_state: int | None, stop: Stop, progress: Progress) -> Solution:
    """Run the stages of a recipe, each with a random generator of its own."""
    if stop.given and not recipe.can_stop:
        raise MethodError(
            f"method {recipe.name!r} has no refiner that {' or '.join(stop.given)} could limit: leave it out"
        )
    rngs = (np.random.default_rng(child) for child in _sequence(random_state).spawn(1 + len(recipe.refiners)))
    partition = recipe.construct(problem, next(rngs), progress)
    for refine, rng in zip(recipe.refiners, rngs, strict=True):
        partition = refine(partition, rng, stop, progress)
    if recipe.bound is None:
        return Solution(partition, recipe.name)
    bound, partition = recipe.bound(problem, partition, stop, progress)
    return Solution(partition, recipe.name, bound)


def _sequence(random_state: int | None) -> np.random.SeedSequence:
    if random_state is None:
        return np.random.SeedSequence()
    return np.random.SeedSequence(whole_number("random_state", random_state, at_least=0))
