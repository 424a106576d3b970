"""The three protocols of stages, and the constructor that chains several of them.

A constructor or refiner whose objective obeys `Problem.weights` says so by a class variable `weighted` that is true; no
other one meets a problem with weights.
"""

from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from numpy.random import Generator, default_rng

from microagg.control.run import Run
from microagg.control.stage_fields import INJECTED
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.model.solution import LowerBound


class Construct(Protocol):
    """Stage that makes a legal partition of any problem that it supports."""

    def __call__(self, problem: Problem, rng: Generator, run: Run) -> Partition:
        """Make the partition; call `run.tick` several times a second, which may raise `StoppedError`."""


class Refine(Protocol):
    """Stage that returns a partition of the same problem that is no worse, also where the run ends it early."""

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition."""


class Bound(Protocol):
    """Stage that proves a lower bound of the sse, and returns the incumbent or a better partition that it found."""

    limits: ClassVar[frozenset[str]]

    def __call__(self, problem: Problem, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
        """Prove the bound."""


@dataclass(frozen=True)
class Chain:
    """Constructor followed by refiners, with a random generator of its own.

    Parameters
    ----------
    construct, refiners
        The stages, in order.
    random_state
        Of the generator that the stages share. The generator of a call is not used, so every call returns the same.
    """

    construct: Construct = field(metadata=INJECTED)
    refiners: tuple[Refine, ...] = field(default=(), metadata=INJECTED)
    random_state: tuple[int, ...] = (0,)

    def __call__(self, problem: Problem, rng: Generator, run: Run) -> Partition:
        """Make the partition; `rng` is not needed."""
        own_rng = default_rng(self.random_state)
        partition = self.construct(problem, own_rng, run)
        for refine in self.refiners:
            partition = refine(partition, own_rng, run)
        return partition
