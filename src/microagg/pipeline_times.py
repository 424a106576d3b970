"""Predict the time of a pipeline: of all its stages, in one piece, by blocks, or for each stratum."""

from collections import Counter
from collections.abc import Iterable
from itertools import islice

from microagg.block_rounds import most_rounds, refiners_of_rounds
from microagg.methods import Pipeline
from microagg.model.limits import Limits
from microagg.model.problem_shape import Shape
from microagg.solve_parts import LARGE_PART
from microagg.stage_times import Work, stage_work

_SECONDS_OF_WALLS = 2.5e-7  # for each record and coordinate, in each round: routing, gathering, joining
_SECONDS_OF_A_PART = 5e-4  # to state its problem, and to begin and end its stages


def parts_work(chosen: Pipeline, shape: Shape, sizes: Iterable[int], limits: Limits) -> list[Work] | None:
    """Predict the work of a pipeline for all parts of the records: small ones are solved side by side.

    Parameters
    ----------
    chosen
        The pipeline.
    shape
        The size of the whole problem.
    sizes
        The number of records of each part.
    limits
        The limits of the run.

    Returns
    -------
    list of Work or None
        None where the time depends on the data too much to be predicted.
    """
    counts = Counter(sizes)
    if counts.total() == 1:
        return pipeline_work(chosen, shape, limits)
    n_small = sum(count for size, count in counts.items() if size < LARGE_PART)
    works = [Work("kernel", _SECONDS_OF_A_PART * counts.total())]
    for size, count in counts.items():
        work = pipeline_work(chosen.in_part(size, shape.n), shape._replace(n=size), limits)
        if work is None:
            return None
        n_threads = n_small if size < LARGE_PART else None
        works += [Work(one.kind, count * one.seconds, n_threads or one.n_threads) for one in work]
    return works


def pipeline_work(chosen: Pipeline, shape: Shape, limits: Limits) -> list[Work] | None:
    """Predict the work of all stages of a pipeline.

    Parameters
    ----------
    chosen
        The pipeline.
    shape
        The size of the problem.
    limits
        The limits of the run.

    Returns
    -------
    list of Work or None
        None where the time depends on the data too much to be predicted.
    """
    block_size = chosen.block_size_for(shape)
    if block_size is None:
        whole = chosen.one_column if shape.d == 1 and chosen.one_column is not None else chosen
        return _joined([stage_work(stage, shape, limits) for stage in whole.stages])
    chosen = chosen.for_blocks(shape, limits)
    n_rounds = most_rounds(chosen, limits)
    if n_rounds is None:
        return None
    n_blocks = -(-shape.n // block_size)
    block = shape._replace(n=-(-shape.n // n_blocks), n_whole=shape.n)
    works = [stage_work(chosen.construct, block, limits)]
    rounds = islice(refiners_of_rounds(chosen, shape, limits), n_rounds)
    works += [stage_work(stage, block, limits) for stages in rounds for stage in stages]
    joined = _joined(works)
    bound = [] if chosen.bound is None else stage_work(chosen.bound, shape, limits)
    if joined is None or bound is None:
        return None
    walls = Work("kernel", _SECONDS_OF_WALLS * shape.n * shape.d * n_rounds)
    return [walls, *(Work(one.kind, n_blocks * one.seconds, n_blocks) for one in joined), *bound]


def _joined(works: list[list[Work] | None]) -> list[Work] | None:
    """Return the works of all stages; None if that of one is unknown."""
    known = [work for work in works if work is not None]
    return None if len(known) < len(works) else [one for work in known for one in work]
