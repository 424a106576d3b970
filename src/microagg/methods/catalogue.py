"""The list of all methods."""

import inspect
from typing import Any, NamedTuple

from microagg.construct import CONSTRUCTORS
from microagg.control.stage_fields import components, parameters
from microagg.methods.systems import SYSTEMS
from microagg.refine import REFINERS


class Method(NamedTuple):
    """Description of a method.

    Parameters
    ----------
    name
        The name to be used as `method`; one that starts with "+" is a refiner, to be appended to another.
    summary
        One sentence for each stage or component.
    reference
        The paper that it comes from, or "microagg".
    parameters
        The names of its parameters, which are set as in "v-mdav(gamma=1.1)".

    Examples
    --------
    >>> import microagg
    >>> (univariate,) = (method for method in microagg.methods() if method.name == "univariate")
    >>> univariate.parameters
    ()
    """

    name: str
    summary: str
    reference: str
    parameters: tuple[str, ...]


def methods() -> tuple[Method, ...]:
    """List every method: its name, what it does, where it comes from, and its parameters.

    Returns
    -------
    tuple of Method
        The constructors, the systems, and the refiners. A name that starts with "+" is a refiner: append it to any
        constructor, as in "mdav+recut".

    Examples
    --------
    >>> import microagg
    >>> microagg.methods()[0].name
    'mdav'
    >>> [method.name for method in microagg.methods() if "gamma" in method.parameters]
    ['v-mdav']
    """
    constructors = [_method(name, (stage,)) for name, stage in CONSTRUCTORS.items()]
    systems = [_method(name, system.stages) for name, system in SYSTEMS.items() if name not in CONSTRUCTORS]
    refiners = [_method(f"+{name}", (stage,)) for name, stage in REFINERS.items()]
    return (*constructors, *systems, *refiners)


def _method(name: str, stages: tuple[Any, ...]) -> Method:
    """Describe a method by the summaries of its stages; reference and parameters are those of the last."""
    last = stages[-1]
    return Method(name, " ".join(map(_summary, stages)), last.reference, tuple(parameters(last)))


def _summary(stage: Any) -> str:
    """Return the first line of the docstring of a stage, or of each of its components."""
    return " ".join((inspect.getdoc(type(one)) or "").partition("\n")[0] for one in components(stage) or (stage,))
