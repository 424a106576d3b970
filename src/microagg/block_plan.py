"""Plan of the blocks of a problem: their size, their stages and their rounds, which follow from its shape alone."""

from dataclasses import dataclass
from itertools import islice

from microagg.block_rounds import most_rounds, refiners_of_rounds
from microagg.control.stages import Refine
from microagg.methods import Pipeline
from microagg.model.limits import Limits
from microagg.model.problem_shape import ProblemShape
from microagg.run_pipeline import check_limits, check_stages
from microagg.solve_whole import check_bound


@dataclass(frozen=True)
class BlockPlan:
    """How a problem is solved by blocks.

    Parameters
    ----------
    stages
        The pipeline to run: each block has the one of `Pipeline.in_block`.
    block_size
        The number of records that a block has about.
    n_blocks
        The number of blocks that are wanted.
    refiners
        The refiners of each round, the first of which also constructs; None where only time ends the rounds.
    """

    stages: Pipeline
    block_size: int
    n_blocks: int
    refiners: tuple[tuple[Refine, ...], ...] | None

    @property
    def n_rounds(self) -> int | None:
        """The number of rounds that there will be at most; None where only time ends them."""
        return None if self.refiners is None else len(self.refiners)


def plan_blocks(chosen: Pipeline, shape: ProblemShape, limits: Limits) -> BlockPlan | None:
    """Plan the blocks of a problem; None where it is taken whole.

    Parameters
    ----------
    chosen
        The pipeline: it tells how many records a block has.
    shape
        The problem, or its shape alone.
    limits
        The limits of the run.

    Raises
    ------
    MethodError
        If the pipeline cannot solve such a problem by blocks, or has nothing that the limits could limit.

    Examples
    --------
    >>> from microagg import Limits
    >>> from microagg.block_plan import plan_blocks
    >>> from microagg.methods import pipeline
    >>> from microagg.model.problem_shape import Shape
    >>> plan = plan_blocks(pipeline("auto", "quick"), Shape(10**9, 12, 5), Limits())
    >>> plan.block_size, plan.n_blocks, plan.n_rounds
    (25000, 40000, 3)
    >>> plan_blocks(pipeline("auto", "quick"), Shape(1000, 12, 5), Limits()) is None
    True
    """
    block_size = chosen.block_size_for(shape)
    if block_size is None:
        return None
    check_limits(chosen, limits)
    stages = check_bound(chosen.for_blocks(shape, limits), shape)
    check_stages(stages, shape)
    of_refiners = limits if stages.bound is None else Limits(limits.time_limit, limits.iterations)
    n_rounds = most_rounds(stages, of_refiners)
    refiners = None
    if n_rounds is not None:
        refiners = tuple(islice(refiners_of_rounds(stages, shape, of_refiners), n_rounds))
    return BlockPlan(stages, block_size, -(-shape.n // block_size), refiners)
