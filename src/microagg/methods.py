"""Turn a method's name into its recipe: which constructor, which refiners, which bound."""

import difflib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, TypeVar

from microagg.bound import BOUNDS, Bound
from microagg.construct import CONSTRUCTORS, Construct
from microagg.errors import MethodError
from microagg.refine import REFINERS, Refine


class Method(NamedTuple):
    """Describe one method in a line."""

    name: str
    summary: str
    reference: str
    parameters: tuple[str, ...]


@dataclass(frozen=True)
class Recipe:
    """Hold the stages of a method: construct, then refine, then bound.

    Parameters
    ----------
    name
        What the user calls it.
    construct
        The first stage.
    refiners
        The next stages, in this order.
    bound
        The last stage, if there is one.
    """

    name: str
    construct: Construct
    refiners: tuple[Refine, ...] = ()
    bound: Bound | None = None

    @property
    def can_stop(self) -> bool:
        """Say whether a limit of time or iterations has anything to limit."""
        return bool(self.refiners)


SYSTEMS: dict[str, Recipe] = {
    "univariate": Recipe("univariate", CONSTRUCTORS["univariate"], bound=BOUNDS["sorted-cut"]),
}


Stage = TypeVar("Stage", Construct, Refine)


def recipe(name: str) -> Recipe:
    """Read a method's name: a named system, or a constructor and its refiners joined by "+".

    Each stage may have parameters, as in "v-mdav(gamma=1.1)" or "mf-tsp(path=nearest)+recut".
    """
    if not isinstance(name, str):
        raise MethodError(f"a method is a name such as 'mdav', found {name!r}")
    if name in SYSTEMS:
        return SYSTEMS[name]
    first, *others = name.split("+")
    construct = _stage("method", first, CONSTRUCTORS, [*SYSTEMS, *CONSTRUCTORS])
    return Recipe(name, construct, tuple(_stage("refiner", other, REFINERS, [*REFINERS]) for other in others))


def _stage(what: str, text: str, registry: Mapping[str, Stage], known: list[str]) -> Stage:
    """Look a stage up, and set the parameters that stand in parentheses after its name."""
    name, parenthesis, rest = text.partition("(")
    if name not in registry:
        raise _unknown(what, name, known)
    stage: Any = registry[name]
    if not parenthesis:
        return registry[name]
    names = _parameters(stage)
    values = {}
    for assignment in rest.removesuffix(")").split(","):
        parameter, equals, value = (part.strip() for part in assignment.partition("="))
        if not (rest.endswith(")") and equals and value):
            raise MethodError(f"parameters are written as in 'v-mdav(gamma=0.5)', found {text!r}")
        if parameter not in names:
            takes = f"its parameters are {', '.join(names)}" if names else "it has none"
            raise MethodError(f"{what} {name!r} has no parameter {parameter!r}: {takes}")
        values[parameter] = _value(value)
    parametrised: Stage = replace(stage, **values)
    return parametrised


def _value(text: str) -> int | float | str:
    """Read a parameter's value: a number if it looks like one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def methods() -> tuple[Method, ...]:
    """List every method: its name, what it does, where it comes from, and its parameters.

    A name that starts with "+" is a refiner: append it to any constructor, as in "mdav+recut".
    """
    stages: dict[str, Construct | Refine] = {**CONSTRUCTORS}
    stages.update({name: system.construct for name, system in SYSTEMS.items()})
    stages.update({f"+{name}": refiner for name, refiner in REFINERS.items()})
    return tuple(Method(name, _summary(stage), stage.reference, _parameters(stage)) for name, stage in stages.items())


def _parameters(stage: Any) -> tuple[str, ...]:
    """Name what can be set in parentheses: the fields of a stage, unless they are the parts that it is made of."""
    return () if hasattr(stage, "parts") else tuple(field.name for field in fields(stage))


def _summary(stage: Construct | Refine) -> str:
    """Give the first line of a stage's docstring, or those of the parts that it is made of."""
    parts = getattr(stage, "parts", (stage,))
    return " ".join((inspect.getdoc(type(part)) or "").partition("\n")[0] for part in parts)


def _unknown(what: str, name: str, known: list[str]) -> MethodError:
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
    hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(dict.fromkeys(known))}"
    return MethodError(f"there is no {what} {name!r}: {hint}")
