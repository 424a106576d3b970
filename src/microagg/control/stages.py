"""The three protocols of stages, and how a stage is made of others."""

from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, Protocol

from numpy.random import Generator, default_rng

from microagg.control.run import Run
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.model.solution import LowerBound

_PART = {"microagg": "part"}
_HANDED_IN = {"microagg": "handed in"}


class Construct(Protocol):
    """Stage that makes a legal partition of any problem that it supports."""

    def __call__(self, problem: Problem, rng: Generator, run: Run) -> Partition:
        """Make the partition; `run.tick` now and then, which may raise `StoppedError`."""


class Refine(Protocol):
    """Stage that returns a partition of the same problem that is no worse, whenever the run ends."""

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition."""


class Bound(Protocol):
    """Stage that proves a lower bound of the sse; it gives the incumbent back, or a better partition met on the way."""

    limits: ClassVar[frozenset[str]]

    def __call__(self, problem: Problem, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
        """Prove the bound."""


def part(**options: Any) -> Any:
    """Make a field of a stage that holds one of its parts, whose parameters are parameters of the stage."""
    return field(metadata=_PART, **options)


def handed_in(**options: Any) -> Any:
    """Make a field of a stage that holds other stages, which no parameter sets."""
    return field(metadata=_HANDED_IN, **options)


def parts(stage: Any) -> tuple[Any, ...]:
    """Give the parts that a stage is made of, and their parts, innermost first."""
    found: list[Any] = []
    for one in _fields(stage):
        if one.metadata == _PART:
            inner = getattr(stage, one.name)
            found += [*parts(inner), inner]
    return tuple(found)


def parameters(stage: Any) -> dict[str, tuple[str, ...]]:
    """Name what can be set of a stage, and the way there: the fields through which its part is reached."""
    named: dict[str, tuple[str, ...]] = {}
    for one in _fields(stage):
        if one.metadata == _PART:
            inner = parameters(getattr(stage, one.name))
            named |= {name: (one.name, *way) for name, way in inner.items()}
        elif one.metadata != _HANDED_IN:
            named[one.name] = ()
    return named


def stage_name(stage: Any) -> str:
    """Give the name under which a stage is reported: its own, or that of its function or class."""
    return str(getattr(stage, "name", None) or getattr(stage, "__name__", None) or type(stage).__name__)


def _fields(stage: Any) -> tuple[Field[Any], ...]:
    return fields(stage) if hasattr(stage, "__dataclass_fields__") else ()


@dataclass(frozen=True)
class Chain:
    """Constructor made of a constructor and refiners after it.

    Parameters
    ----------
    construct, refiners
        The stages, in order.
    seed
        Of the random generator that they share, whatever generator is handed in: so others can call the chain at any
        time, and get the same.
    """

    construct: Construct = handed_in()
    refiners: tuple[Refine, ...] = handed_in(default=())
    seed: tuple[int, ...] = (0,)

    def __call__(self, problem: Problem, rng: Generator, run: Run) -> Partition:
        """Make the partition."""
        rng = default_rng(self.seed)
        partition = self.construct(problem, rng, run)
        for refine in self.refiners:
            partition = refine(partition, rng, run)
        return partition
