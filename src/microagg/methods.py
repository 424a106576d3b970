"""Turn a method's name into its recipe: which constructor, which refiners, which bound."""

import difflib
import inspect
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, NamedTuple, TypeVar

from numpy.random import Generator, default_rng

from microagg.bound import BOUNDS, Bound
from microagg.bound.automatic import Automatic
from microagg.bound.column_generation import ColumnGeneration, First
from microagg.bound.exact import Exact
from microagg.checks import flag
from microagg.construct import CONSTRUCTORS, Construct
from microagg.construct.kmeans import KMeans, parts_of_random_means
from microagg.errors import MethodError
from microagg.partition import Partition
from microagg.problem import Problem
from microagg.progress import Progress, silent
from microagg.refine import REFINERS, Refine
from microagg.refine.reorder import RepOrder
from microagg.refine.search import Search
from microagg.stop import Stop


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
    one_column
        What takes its place where at most one column varies.
    """

    name: str
    construct: Construct
    refiners: tuple[Refine, ...] = ()
    bound: Bound | None = None
    one_column: "Recipe | None" = None

    @property
    def limits(self) -> frozenset[str]:
        """Name the limits that have anything to limit."""
        refining = frozenset(("time_limit", "iterations") if self.refiners else ())
        return refining if self.bound is None else refining | self.bound.limits


_AUTO = "auto"  # says of itself what it came to
_THOROUGH_EFFORT = "thorough"  # that of a search which a proof follows
_PROVED = 17_000, 5  # k times as many records, and k, up to which it does: else minutes pass before the first branch
_RUNS = 3  # of the search, whose groups are the first columns


def _built(constructor: str) -> First:
    """Give what makes a partition by a constructor."""
    return lambda problem, stop, progress: CONSTRUCTORS[constructor](problem, default_rng(0), progress)


def _searched(number: int) -> First:
    """Give what makes a partition by a quick search, another for each number."""

    def first(problem: Problem, stop: Stop, progress: Progress) -> Partition:
        rng = default_rng([number])
        return Search("quick")(CONSTRUCTORS["mdav"](problem, rng, progress), rng, stop, progress)

    return first


def _searched_on(partition: Partition, stop: Stop, progress: Progress) -> Partition:
    """Search on from a partition, as long as a search takes that nobody limits."""
    return Search("standard")(partition, default_rng(0), stop, progress)


def _descended(partition: Partition) -> Partition:
    """Refine a partition by descending from it."""
    return REFINERS["descent"](partition, default_rng(0), Stop(), silent)


@dataclass(frozen=True)
class Proving:
    """Look for a better partition by trying to prove that there is none, of up to 17 000/k records and k up to 5.

    Not where iterations are limited, as a proof has none.
    """

    exact: Exact = field(metadata={"handed in": True})
    reference: ClassVar[str] = "microagg"

    def __call__(self, partition: Partition, rng: Generator, stop: Stop, progress: Progress) -> Partition:
        """Refine the partition; `rng` is not needed."""
        problem = partition.problem
        n, k = problem.n, problem.k
        allowed = n * k <= _PROVED[0] and k <= _PROVED[1] and len(problem.varying) > 1
        if not allowed or stop.iterations is not None or stop(stop.heard.iterations, partition.sse):
            return partition
        best = self.exact(problem, partition, stop.for_bound(), progress)[1]
        stop(stop.heard.iterations, best.sse)  # remembers what has ended it, if anything
        return best


_FIRST = tuple(map(_searched, range(_RUNS)))
_PAPER = ColumnGeneration("paper", "both", (_built("v-mdav"),))
_BOUND = Automatic(ColumnGeneration(first=_FIRST))
_EXACT = Exact(first=_FIRST, refine=_descended, search=_searched_on)
_THOROUGH = replace(_EXACT, branches=5)
_UNIVARIATE = Recipe("univariate", CONSTRUCTORS["univariate"], bound=BOUNDS["sorted-cut"])

SYSTEMS: dict[str, Recipe] = {
    _AUTO: Recipe("search", CONSTRUCTORS["mdav"], (REFINERS["search"],), one_column=_UNIVARIATE),
    "search": Recipe("search", CONSTRUCTORS["mdav"], (REFINERS["search"],)),
    "imhm": Recipe("imhm", CONSTRUCTORS["mdav"], (REFINERS["imhm"],)),
    "icsm": Recipe("icsm", CONSTRUCTORS["mdav"], (REFINERS["icsm"],)),
    "reporder": Recipe("reporder", KMeans(means=1), (RepOrder(parts_of_random_means),)),
    "column-generation": Recipe("column-generation", CONSTRUCTORS["mdav"], bound=_PAPER),
    "exact": Recipe("exact", CONSTRUCTORS["mdav"], (REFINERS["search"],), bound=_EXACT),
    "univariate": _UNIVARIATE,
}


def recipe(name: str, effort: str | None = None, bound: bool = False) -> Recipe:
    """Read a method's name: a system or a constructor, and perhaps refiners, joined by "+".

    Each stage may have parameters, as in "v-mdav(gamma=1.1)" or "mf-tsp(path=nearest)+recut"; those of a system are
    those of its last stage. Capitals and spaces do not matter. An effort is that of every stage that knows one; where
    it is thorough, the search ends with an attempt to prove that nothing is better. A bound is asked for, unless the
    method has one of its own.
    """
    read = _read(name)
    if flag("bound", bound) and read.bound is None:
        read = replace(read, bound=_BOUND)
    if effort is None:
        return read
    if not any(map(_knows_effort, read.refiners)):
        raise MethodError(f"method {read.name!r} knows no effort, as 'search' does: leave it out, found {effort!r}")
    if any(getattr(stage, "effort", None) for stage in read.refiners):
        raise MethodError(f"the effort is said twice, in method {read.name!r} and as {effort!r}: leave one out")
    with_effort: Any = replace
    refiners = [with_effort(stage, effort=effort) if _knows_effort(stage) else stage for stage in read.refiners]
    thorough = effort == _THOROUGH_EFFORT
    if thorough and read.bound is None:
        refiners.append(Proving(_THOROUGH))
    last = Automatic(_THOROUGH) if thorough and read.bound is _BOUND else read.bound
    return replace(read, refiners=tuple(refiners), bound=last)


def certifies(name: str) -> bool:
    """Say whether a method writes down how its bound was proved."""
    return isinstance(recipe(name).bound, Exact)


def _knows_effort(stage: Any) -> bool:
    return "effort" in _parameters(stage)


def _read(name: str) -> Recipe:
    if not isinstance(name, str):
        raise MethodError(f"a method is a name such as 'mdav', found {name!r}")
    name = "".join(name.lower().split())
    first, *others = re.split(r"\+(?![^()]*\))", name)
    refiners = tuple(_stage("refiner", other, REFINERS) for other in others)
    head = first.partition("(")[0]
    if head in SYSTEMS:
        system = SYSTEMS[head]
        name = name.replace(_AUTO, system.name) if head == _AUTO else name
        if system.bound is None:
            last = _stage("method", first, {head: system.refiners[-1]})
            return replace(system, name=name, refiners=(*system.refiners[:-1], last, *refiners))
        if refiners and _parameters(system.bound):
            raise MethodError(f"nothing can follow {head!r}, which ends with its bound, found {'+'.join(others)!r}")
        bound = _stage("method", first, {head: system.bound})
        return replace(system, name=name, refiners=(*system.refiners, *refiners), bound=bound)
    construct = _stage("method", first, CONSTRUCTORS, [*SYSTEMS])
    return Recipe(name, construct, refiners)


Stage = TypeVar("Stage", Construct, Refine, Bound)


def _stage(what: str, text: str, registry: Mapping[str, Stage], systems: Iterable[str] = ()) -> Stage:
    """Look a stage up, and set the parameters that stand in parentheses after its name."""
    name, parenthesis, rest = text.partition("(")
    if name not in registry:
        raise _unknown(what, name, list(dict.fromkeys([*systems, *registry])))
    stage: Any = registry[name]
    if not parenthesis:
        return registry[name]
    names = _parameters(stage)
    values: dict[str, int | float | str] = {}
    for assignment in rest.removesuffix(")").split(","):
        parameter, equals, value = assignment.partition("=")
        if not (rest.endswith(")") and equals and value):
            raise MethodError(f"parameters are written as in 'v-mdav(gamma=0.5)', found {text!r}")
        if parameter not in names:
            takes = f"its parameters are {', '.join(names)}" if names else "it has none"
            raise MethodError(f"{what} {name!r} has no parameter {parameter!r}: {takes}")
        if parameter in values:
            raise MethodError(f"{what} {name!r} has one parameter {parameter!r}, found two in {text!r}")
        values[parameter] = _value(value)
    for part in dict.fromkeys(names[parameter] for parameter in values):
        changes = {parameter: value for parameter, value in values.items() if names[parameter] == part}
        stage = replace(stage, **({part: replace(getattr(stage, part), **changes)} if part else changes))
    parametrised: Stage = stage
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
    listed = [
        Method(name, _summary(stage), stage.reference, tuple(_parameters(stage)))
        for name, stage in CONSTRUCTORS.items()
    ]
    for name, system in SYSTEMS.items():
        if name not in CONSTRUCTORS:
            stages: list[Construct | Refine | Bound] = [system.construct, *system.refiners]
            stages += [] if system.bound is None else [system.bound]
            parameters = tuple(_parameters(stages[-1]))
            listed.append(Method(name, " ".join(map(_summary, stages)), stages[-1].reference, parameters))
    for name, refiner in REFINERS.items():
        listed.append(Method(f"+{name}", _summary(refiner), refiner.reference, tuple(_parameters(refiner))))
    return tuple(listed)


def _parameters(stage: Any) -> dict[str, str]:
    """Name what can be set in parentheses, and the part of the stage that has it: "" for the stage itself."""
    if not hasattr(stage, "parts"):
        return {field.name: "" for field in fields(stage) if "handed in" not in field.metadata}
    parts = {field.name: getattr(stage, field.name) for field in fields(stage)}
    return {field.name: name for name, part in parts.items() if not hasattr(part, "parts") for field in fields(part)}


def _summary(stage: Construct | Refine | Bound) -> str:
    """Give the first line of a stage's docstring, or those of the parts that it is made of."""
    parts = getattr(stage, "parts", (stage,))
    return " ".join((inspect.getdoc(type(part)) or "").partition("\n")[0] for part in parts)


def _unknown(what: str, name: str, known: list[str]) -> MethodError:
    if what == "method" and name in REFINERS:
        return MethodError(f"{name!r} is a refiner: it follows a constructor, as in 'mdav+{name}'")
    longer = [other for other in known if other.startswith(f"{name}-")]
    close = longer or difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(known)}"
    return MethodError(f"there is no {what} {name!r}: {hint}")
