"""Rounds of blocks: how many there are, and the refiners of each."""

from collections.abc import Iterator
from itertools import islice, repeat

from microagg.control.stages import Refine
from microagg.methods import Pipeline
from microagg.model.limits import Limits
from microagg.model.problem_shape import ProblemShape


def most_rounds(stages: Pipeline, limits: Limits) -> int | None:
    """Return the number of rounds of blocks that there will be at most; None where only the time ends them."""
    if _only_constructs(stages, limits):
        return 1
    known = [number for number in (stages.n_rounds(limits), limits.iterations) if number is not None]
    return min(known, default=None)


def refiners_of_rounds(stages: Pipeline, problem: ProblemShape, limits: Limits) -> Iterator[tuple[Refine, ...]]:
    """Yield the refiners of each round of blocks, whatever the limits: a run is checked after each round.

    A stage that has a method `block_rounds` yields the refiners of its rounds; any other one is repeated.

    Parameters
    ----------
    stages
        The pipeline.
    problem
        The whole problem.
    limits
        The limits of the run.
    """
    if _only_constructs(stages, limits):
        yield ()
        return
    n_rounds = stages.n_rounds(limits)
    of_stages = [
        stage.block_rounds(problem, n_rounds) if hasattr(stage, "block_rounds") else repeat(stage)
        for stage in stages.refiners
    ]
    yield from islice(zip(*of_stages, strict=False), n_rounds)


def _only_constructs(stages: Pipeline, limits: Limits) -> bool:
    return not stages.refiners or limits.iterations == 0
