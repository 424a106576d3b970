"""The list of all methods."""

import inspect
from typing import Any, NamedTuple

from microagg.construct import CONSTRUCTORS
from microagg.control.stage_fields import components, parameters
from microagg.methods.aliases import Alias, aliases_of
from microagg.methods.individual_ranking import INDIVIDUAL_RANKING, IndividualRanking
from microagg.methods.pipelines import parametrised
from microagg.methods.systems import NAMED_BOUNDS, SYSTEMS
from microagg.model.errors import MethodError
from microagg.model.names import suggestion
from microagg.refine import REFINERS


class Method(NamedTuple):
    """Description of a method.

    Parameters
    ----------
    name
        The name to be used as `method`; one that starts with "+" is a refiner, to be appended to another; one that
        starts with "bound=" is a bound, to be used as `bound`.
    summary
        One sentence for each stage or component.
    reference
        The paper that it comes from, or "microagg".
    parameters
        The names of its parameters, which are set as in "v-mdav(gamma=1.1)".
    aliases
        Its published names, and those of what refiners make of it.

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
    aliases: tuple[Alias, ...] = ()


def methods(word: str | None = None, *, bounds: bool = False) -> tuple[Method, ...]:
    """List the methods: their names, what they do, where they come from, their parameters and published names.

    Parameters
    ----------
    word
        List only the methods with this in their names, published names, summaries or references; capitals do not
        matter.
    bounds
        Whether the bounds are listed, too, as "bound=neighbours".

    Returns
    -------
    tuple of Method
        The constructors, the systems, individual ranking, and the refiners. A name that starts with "+" is a refiner:
        append it to any constructor, as in "mdav+recut". Then the bounds, if these are wanted.

    Raises
    ------
    MethodError
        If no method has the word.

    Examples
    --------
    >>> import microagg
    >>> microagg.methods()[0].name
    'mdav'
    >>> [method.name for method in microagg.methods() if "gamma" in method.parameters]
    ['v-mdav']
    >>> [method.name for method in microagg.methods("GSMS-T2")]
    ['gsms-nn']
    """
    constructors = [_method(name, (stage,)) for name, stage in CONSTRUCTORS.items()]
    systems = [_method(name, system.stages) for name, system in SYSTEMS.items() if name not in CONSTRUCTORS]
    by_column = _method(INDIVIDUAL_RANKING, (IndividualRanking(),))
    refiners = [_method(f"+{name}", (stage,)) for name, stage in REFINERS.items()]
    proofs = [_method(f"bound={name}", (stage,)) for name, stage in NAMED_BOUNDS.items()] if bounds else []
    every = (*constructors, *systems, by_column, *refiners, *proofs)
    return every if word is None else _with_word(every, word)


def _with_word(every: tuple[Method, ...], word: str) -> tuple[Method, ...]:
    folded = word.casefold()
    found = tuple(method for method in every if any(folded in text.casefold() for text in _texts(method)))
    if not found:
        known = [*(method.name for method in every), *(alias.name for method in every for alias in method.aliases)]
        raise MethodError(f"no method has {word!r} in its name or description: {suggestion(word, known)}")
    return found


def _texts(method: Method) -> list[str]:
    """Return what is written about a method."""
    return [method.name, method.summary, method.reference, *(alias.name for alias in method.aliases)]


def _method(name: str, stages: tuple[Any, ...]) -> Method:
    """Describe a method by the summaries of its stages; the reference is that of the last."""
    own = tuple(parameters(stages[parametrised(stages)]))
    return Method(name, " ".join(map(_summary, stages)), stages[-1].reference, own, aliases_of(name))


def _summary(stage: Any) -> str:
    """Return the first line of the docstring of a stage, or of each of its components."""
    return " ".join((inspect.getdoc(type(one)) or "").partition("\n")[0] for one in components(stage) or (stage,))
