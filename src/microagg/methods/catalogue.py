"""The list of all methods."""

import inspect
from typing import Any, NamedTuple

from microagg.construct import CONSTRUCTORS
from microagg.control.stages import parameters, parts
from microagg.methods.systems import SYSTEMS
from microagg.refine import REFINERS


class Method(NamedTuple):
    """One method in a line."""

    name: str
    summary: str
    reference: str
    parameters: tuple[str, ...]


def methods() -> tuple[Method, ...]:
    """List every method: its name, what it does, where it comes from, and its parameters.

    A name that starts with "+" is a refiner: append it to any constructor, as in "mdav+recut".

    Examples
    --------
    >>> import microagg
    >>> microagg.methods()[0].name
    'mdav'
    """
    constructors = [_method(name, (stage,)) for name, stage in CONSTRUCTORS.items()]
    systems = [_method(name, system.stages) for name, system in SYSTEMS.items() if name not in CONSTRUCTORS]
    refiners = [_method(f"+{name}", (stage,)) for name, stage in REFINERS.items()]
    return (*constructors, *systems, *refiners)


def _method(name: str, stages: tuple[Any, ...]) -> Method:
    """Describe some stages by what each says of itself; parameters and reference are those of the last."""
    last = stages[-1]
    return Method(name, " ".join(map(_summary, stages)), last.reference, tuple(parameters(last)))


def _summary(stage: Any) -> str:
    """Give the first line of a stage's docstring, or those of the parts that it is made of."""
    return " ".join((inspect.getdoc(type(one)) or "").partition("\n")[0] for one in parts(stage) or (stage,))
