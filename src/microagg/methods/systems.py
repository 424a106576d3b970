"""Named systems, and how a name, an effort and a wish for a bound become a pipeline."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from microagg.bound import BOUNDS
from microagg.bound.automatic import Automatic
from microagg.bound.column_generation import ColumnGeneration
from microagg.construct import CONSTRUCTORS
from microagg.construct.kmeans import KMeans, parts_of_random_means
from microagg.control.stages import Bound, Chain, parameters, stage_name
from microagg.exact.exact_bound import Exact
from microagg.methods.grammar import StageName, looked_up, read_method, with_values
from microagg.methods.pipelines import Pipeline, knows_effort, with_effort
from microagg.model.column_set import MethodLike
from microagg.model.errors import MethodError
from microagg.refine import REFINERS
from microagg.refine.proving import Proving
from microagg.refine.reorder import RepOrder
from microagg.refine.search import Search

AUTO = "auto"  # reported under the name it resolves to
_THOROUGH = "thorough"  # the effort of a search that an attempt at a proof follows
_SEARCHES = 3  # whose groups are the first columns of a proof

_FIRST = tuple(Chain(CONSTRUCTORS["mdav"], (Search("quick"),), (number,)) for number in range(_SEARCHES))
_PAPER = ColumnGeneration("paper", "both", (Chain(CONSTRUCTORS["v-mdav"]),))
_EXACT = Exact(first=_FIRST, refine=REFINERS["descent"], search=Search("standard"))
_SOME_BRANCHES = replace(_EXACT, branches=5)
_BOUND = Automatic(ColumnGeneration(first=_FIRST))
_THOROUGH_BOUND = Automatic(_SOME_BRANCHES)
_UNIVARIATE = Pipeline("univariate", CONSTRUCTORS["univariate"], bound=BOUNDS["sorted-cut"])

SYSTEMS: dict[str, Pipeline] = {
    AUTO: Pipeline("search", CONSTRUCTORS["mdav"], (REFINERS["search"],), one_column=_UNIVARIATE),
    "search": Pipeline("search", CONSTRUCTORS["mdav"], (REFINERS["search"],)),
    "imhm": Pipeline("imhm", CONSTRUCTORS["mdav"], (REFINERS["imhm"],)),
    "icsm": Pipeline("icsm", CONSTRUCTORS["mdav"], (REFINERS["icsm"],)),
    "reporder": Pipeline("reporder", KMeans(means=1), (RepOrder(parts_of_random_means),)),
    "column-generation": Pipeline("column-generation", CONSTRUCTORS["mdav"], bound=_PAPER),
    "exact": Pipeline("exact", CONSTRUCTORS["mdav"], (REFINERS["search"],), bound=_EXACT),
    "univariate": _UNIVARIATE,
}


def pipeline(
    method: MethodLike = AUTO, effort: str | None = None, bound: bool | Callable[..., Any] = False
) -> Pipeline:
    """Find the stages of a method.

    Parameters
    ----------
    method
        A system or a constructor, and perhaps refiners, joined by "+" or one after another in a sequence; each a name
        or a stage. The parameters of a system are those of its last stage.
    effort
        That of every stage that knows one. Where it is thorough, the search ends with an attempt to prove that nothing
        is better.
    bound
        Whether a bound is proved, unless the method has one of its own; or the stage that proves it.
    """
    named = _read(method)
    if effort is not None:
        named = _with_effort(named, effort)
    if callable(bound):
        if named.bound is not None:
            raise MethodError(f"method {named.name!r} ends with a bound of its own: leave the other out")
        own: Any = bound
        return replace(named, bound=own, one_column=None)
    if bound and named.bound is None:
        default: Bound = _THOROUGH_BOUND if effort == _THOROUGH else _BOUND
        return replace(named, bound=default)
    if effort == _THOROUGH and named.bound is None:
        return replace(named, refiners=(*named.refiners, Proving(_SOME_BRANCHES)))
    return named


def certifies(method: MethodLike) -> bool:
    """Say whether a method writes down how its bound was proved."""
    return isinstance(pipeline(method).bound, Exact)


def _with_effort(named: Pipeline, effort: str) -> Pipeline:
    if not any(map(knows_effort, named.refiners)):
        raise MethodError(f"method {named.name!r} knows no effort, as 'search' does: leave it out, found {effort!r}")
    if any(getattr(stage, "effort", None) for stage in named.refiners):
        raise MethodError(f"the effort is said twice, in method {named.name!r} and as {effort!r}: leave one out")
    refiners = tuple(with_effort(stage, effort) for stage in named.refiners)
    return _with_refiners(named, refiners)


def _with_refiners(named: Pipeline, refiners: tuple[Any, ...]) -> Pipeline:
    """Give a pipeline with refiners that the user asked for: these run after the optimum of one column, too."""
    one_column = None if named.one_column is None else replace(named.one_column, refiners=refiners)
    return replace(named, refiners=refiners, one_column=one_column)


def _read(method: MethodLike) -> Pipeline:
    first, *others = _written(method)
    refiners = tuple(_refiner(other) for other in others)
    name = "+".join([_name(first), *map(_name, others)])
    if not isinstance(first, StageName):
        return Pipeline(name, first, refiners)
    if first.name in SYSTEMS:
        return replace(_system(first, refiners), name=name)
    if first.name in REFINERS:
        raise MethodError(f"{first.name!r} is a refiner: it follows a constructor, as in 'mdav+{first.name}'")
    construct = looked_up("method", first, CONSTRUCTORS, [*SYSTEMS])
    return Pipeline(name, with_values(construct, first), refiners)


def _written(method: MethodLike) -> list[Any]:
    """List what is written of each stage: names read, stages as they are."""
    listed: Sequence[Any] = method if isinstance(method, list | tuple) else [method]
    stages: list[Any] = []
    for one in listed:
        if isinstance(one, str):
            stages += read_method(one)
        elif callable(one) and not isinstance(one, type):
            stages.append(one)
        else:
            raise MethodError(f"a method is a name such as 'mdav', or a stage that can be called, found {one!r}")
    if not stages:
        raise MethodError("a method needs at least one stage, found none")
    return stages


def _name(stage: Any) -> str:
    """Give the name under which a stage is reported."""
    if isinstance(stage, StageName):
        return stage.text.replace(AUTO, SYSTEMS[AUTO].name) if stage.name == AUTO else stage.text
    return stage_name(stage)


def _refiner(written: Any) -> Any:
    if not isinstance(written, StageName):
        return written
    return with_values(looked_up("refiner", written, REFINERS, []), written)


def _system(written: StageName, refiners: tuple[Any, ...]) -> Pipeline:
    """Give a system with its parameters set, and refiners that follow it."""
    system = SYSTEMS[written.name]
    if system.bound is None:
        last = with_values(system.refiners[-1], written)
        every = (*system.refiners[:-1], last, *refiners)
        return _with_refiners(system, every) if written.values or refiners else system
    if refiners and parameters(system.bound):
        raise MethodError(f"nothing can follow {written.name!r}, which ends with its bound: leave the rest out")
    return replace(system, refiners=(*system.refiners, *refiners), bound=with_values(system.bound, written))
