"""Make a partition from nothing: one file a constructor, one line below."""

from typing import ClassVar, Protocol

from numpy.random import Generator

from microagg.construct.mdav import Mdav
from microagg.construct.univariate import Univariate
from microagg.partition import Partition
from microagg.problem import Problem
from microagg.progress import Progress


class Construct(Protocol):
    """Make a legal partition of any problem, or say in a `MethodError` why this one cannot be done."""

    reference: ClassVar[str]

    def __call__(self, problem: Problem, rng: Generator, progress: Progress) -> Partition:
        """Make the partition."""


CONSTRUCTORS: dict[str, Construct] = {
    "mdav": Mdav(),
    "univariate": Univariate(),
}
