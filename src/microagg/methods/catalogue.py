"""The list of all methods."""

import inspect
from typing import Any, NamedTuple

from microagg.construct import CONSTRUCTORS
from microagg.control.stage_fields import components
from microagg.methods.aliases import Alias, aliases_of
from microagg.methods.individual_ranking import INDIVIDUAL_RANKING, IndividualRanking
from microagg.methods.parameter_list import Parameter, described_parameters
from microagg.methods.pipelines import parametrised
from microagg.methods.references import full_reference
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
    full_reference
        The paper with title, journal and pages, as far as they are known.
    parameter_list
        Values, default and meaning of each parameter.

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
    full_reference: str = ""
    parameter_list: tuple[Parameter, ...] = ()


def methods(word: str | None = None, *, bounds: bool = False) -> tuple[Method, ...]:
    """List the methods: their names, what they do, where they come from, their parameters and published names.

    Parameters
    ----------
    word
        List only the methods of this name or published name; if there is none, those with this in their names,
        published names, summaries or references. Capitals do not matter.
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
    found = tuple(method for method in every if folded in _own_names(method))
    found = found or tuple(method for method in every if any(folded in text.casefold() for text in _texts(method)))
    if not found:
        known = [*(method.name for method in every), *(alias.name for method in every for alias in method.aliases)]
        raise MethodError(f"no method has {word!r} in its name or description: {suggestion(word, known)}")
    return found


def _own_names(method: Method) -> list[str]:
    return [
        method.name,
        method.name.removeprefix("+").removeprefix("bound="),
        *(alias.name for alias in method.aliases),
    ]


def _texts(method: Method) -> list[str]:
    """Return what is written about a method."""
    return [method.name, method.summary, method.reference, *(alias.name for alias in method.aliases)]


def _method(name: str, stages: tuple[Any, ...]) -> Method:
    """Describe a method by the summaries of its stages; the reference is that of the last."""
    own = described_parameters(stages[parametrised(stages)])
    names = tuple(one.name for one in own)
    reference = stages[-1].reference
    summary = " ".join(map(_summary, stages))
    return Method(name, summary, reference, names, aliases_of(name), full_reference(reference), own)


def _summary(stage: Any) -> str:
    """Return the first line of the docstring of a stage, or of each of its components."""
    return " ".join((inspect.getdoc(type(one)) or "").partition("\n")[0] for one in components(stage) or (stage,))
