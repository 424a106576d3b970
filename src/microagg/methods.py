"""Turn a method's name into its recipe: which constructor, which refiners, which bound."""

import difflib
import inspect
from dataclasses import dataclass
from typing import NamedTuple

from microagg.bound import BOUNDS, Bound
from microagg.construct import CONSTRUCTORS, Construct
from microagg.errors import MethodError
from microagg.refine import REFINERS, Refine


class Method(NamedTuple):
    """Describe one method in a line."""

    name: str
    summary: str
    reference: str


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


def recipe(name: str) -> Recipe:
    """Read a method's name: a named system, or a constructor and its refiners joined by "+"."""
    if not isinstance(name, str):
        raise MethodError(f"a method is a name such as 'mdav', found {name!r}")
    if name in SYSTEMS:
        return SYSTEMS[name]
    first, *others = name.split("+")
    if first not in CONSTRUCTORS:
        raise _unknown("method", first, [*SYSTEMS, *CONSTRUCTORS])
    for other in others:
        if other not in REFINERS:
            raise _unknown("refiner", other, [*REFINERS])
    return Recipe(name, CONSTRUCTORS[first], tuple(REFINERS[other] for other in others))


def methods() -> tuple[Method, ...]:
    """List every method: its name, what it does, and where it comes from.

    A name that starts with "+" is a refiner: append it to any constructor, as in "mdav+recut".
    """
    stages: dict[str, Construct | Refine] = {**CONSTRUCTORS}
    stages.update({name: system.construct for name, system in SYSTEMS.items()})
    stages.update({f"+{name}": refiner for name, refiner in REFINERS.items()})
    return tuple(Method(name, _summary(stage), stage.reference) for name, stage in stages.items())


def _summary(stage: Construct | Refine) -> str:
    return (inspect.getdoc(type(stage)) or "").partition("\n")[0]


def _unknown(what: str, name: str, known: list[str]) -> MethodError:
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
    hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(dict.fromkeys(known))}"
    return MethodError(f"there is no {what} {name!r}: {hint}")
