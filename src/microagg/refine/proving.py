"""Refine by trying to prove that nothing is better."""

from dataclasses import dataclass, field
from typing import ClassVar

from numpy.random import Generator

from microagg.control.run import Run
from microagg.control.stage_fields import INJECTED
from microagg.control.stages import Bound
from microagg.model.partition import Partition
from microagg.model.problem import Problem

_MOST_RECORDS, _MOST_K = 17_000, 5  # k times as many records, and k: beyond, minutes pass before the first branch


@dataclass(frozen=True)
class Proving:
    """Look for a better partition by trying to prove that there is none, of up to 17 000/k records and k up to 5.

    Not where iterations are limited, as a proof has none.

    Parameters
    ----------
    exact
        The proof, which gives a better partition where it meets one.
    """

    exact: Bound = field(metadata=INJECTED)
    reference: ClassVar[str] = "microagg"

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition; `rng` is not needed."""
        problem = partition.problem
        limited = run.limits.iterations is not None
        if limited or not _is_small(problem) or run.ends(run.log.iterations, partition.sse):
            return partition
        best = self.exact(problem, partition, run.child(run.limits, own_log=True))[1]
        run.ends(run.log.iterations, best.sse)  # logs what has ended it, if anything
        return best


def _is_small(problem: Problem) -> bool:
    n, k = problem.n, problem.k
    return n * k <= _MOST_RECORDS and k <= _MOST_K and len(problem.varying) > 1
