"""Refinement by an attempt to prove that nothing is better."""

from dataclasses import dataclass, field
from typing import ClassVar

from numpy.random import Generator

from microagg.control.run import Run
from microagg.control.stage_fields import INJECTED
from microagg.control.stages import Bound
from microagg.model.partition import Partition
from microagg.model.problem import Problem

_MAX_RECORDS_TIMES_K = 17_000  # beyond either, minutes pass before the first branch
_MAX_K = 5


@dataclass(frozen=True)
class Proving:
    """Refiner that searches for a better partition by trying to prove that there is none, of small problems.

    Of at most 17 000/k records, with k up to 5; not where iterations are limited, as a proof has none, nor where
    records have weights, of which nothing is proved, nor in blocks.

    Parameters
    ----------
    exact
        The proof, which returns a better partition where it finds one.
    """

    exact: Bound = field(metadata=INJECTED)
    reference: ClassVar[str] = "microagg"
    weighted: ClassVar[bool] = True
    in_blocks: ClassVar[bool] = False

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition; `rng` is not used."""
        problem = partition.problem
        is_limited = run.limits.iterations is not None
        if (
            is_limited
            or problem.weights is not None
            or not _is_small(problem)
            or run.ends(run.log.iterations, partition.sse)
        ):
            return partition
        _, best = self.exact(problem, partition, run.child(run.limits, own_log=True))
        run.ends(run.log.iterations, best.sse)  # logs what ended it, if anything
        return best


def _is_small(problem: Problem) -> bool:
    n, k = problem.n, problem.k
    return n * k <= _MAX_RECORDS_TIMES_K and k <= _MAX_K and len(problem.varying) > 1
