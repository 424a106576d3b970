"""Resolution of a method: from names or stages, an effort and a wish for a bound to a pipeline."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from microagg.construct import CONSTRUCTORS
from microagg.control.stage_fields import parameters, stage_name
from microagg.control.stages import Bound
from microagg.exact.exact_bound import Exact
from microagg.methods.aliases import ALIASES, without_alias
from microagg.methods.grammar import StageName, find_stage, listed_stages, read_method, set_parameters
from microagg.methods.individual_ranking import INDIVIDUAL_RANKING, column_method, individual_ranking
from microagg.methods.pipelines import Pipeline, has_effort, parametrised, with_effort
from microagg.methods.systems import AUTO, DEFAULT_BOUND, NAMED_BOUNDS, SHORT_PROOF, SYSTEMS, THOROUGH_BOUND
from microagg.model.column_set import ColumnSet, MethodLike
from microagg.model.errors import MethodError
from microagg.refine import REFINERS
from microagg.refine.proving import Proving

_DEFAULT_NAME = "automatic"  # of the bound that is meant where none is named
_THOROUGH = "thorough"  # the effort of a search that an attempt at a proof follows


def pipeline(
    method: MethodLike = AUTO, effort: str | None = None, bound: bool | str | Callable[..., Any] = False
) -> Pipeline:
    """Return the pipeline of a method.

    Parameters
    ----------
    method
        A system or a constructor, and perhaps refiners, joined by "+" or one after another in a sequence; each a name
        or a stage. The parameters of a system are those of its last stage that has any. A published name (see
        `ALIASES`) works like the name of a system.
    effort
        The effort of every stage that has one. If it is thorough, an attempt to prove the optimum follows the search.
    bound
        Whether a bound is proved, unless the method has one of its own; or the name of the bound, or its stage.

    Raises
    ------
    MethodError
        If a name or a parameter is unknown, or the stages do not go together.
    """
    named = _named_pipeline(method)
    if effort is not None:
        named = _with_effort(named, effort)
    if isinstance(bound, str):
        bound = True if bound == _DEFAULT_NAME else named_bound(bound)
    if callable(bound):
        if named.bound is not None:
            raise MethodError(f"method {named.name!r} ends with a bound of its own: leave the other out")
        own: Any = bound
        one_column = named.one_column and replace(named.one_column, bound=own, bound_is_optional=False)
        return replace(_proving(named, effort), bound=own, one_column=one_column)
    if bound and named.bound_is_optional:
        return replace(named, bound_is_optional=False)
    if bound and named.bound is None:
        if named.takes_improved and effort == _THOROUGH:
            return replace(named, bound=THOROUGH_BOUND)
        return replace(_proving(named, effort), bound=DEFAULT_BOUND)
    return named if bound or named.bound is not None else _proving(named, effort)


def _proving(named: Pipeline, effort: str | None) -> Pipeline:
    """Return a pipeline whose search a short proof follows, as a thorough effort asks: its better groups are taken."""
    if effort != _THOROUGH:
        return named
    return replace(named, refiners=(*named.refiners, Proving(SHORT_PROOF)))


def named_bound(text: str) -> Bound:
    """Return the bound of a name, with the parameters that are written after it.

    Raises
    ------
    MethodError
        If there is no such bound, or it has no such parameter.
    """
    written, *others = read_method(text)
    if others:
        raise MethodError(f"a bound is one stage, as 'column-generation', found {text!r}")
    bound: Bound = set_parameters(find_stage("bound", written, NAMED_BOUNDS, []), written)
    return bound


def set_pipeline(wanted: ColumnSet) -> Pipeline:
    """Return the pipeline of a column set: of individual ranking, that of its one column, under the name as written."""
    chosen = pipeline(column_method(wanted.method), wanted.effort, wanted.bound)
    chosen = _divided(chosen, wanted.block_size, wanted.rounds)
    if individual_ranking(wanted.method) is None:
        return chosen
    return replace(chosen, name="+".join(map(_name, listed_stages(wanted.method))))


def _divided(chosen: Pipeline, block_size: int | None, rounds: int | None) -> Pipeline:
    """Return a pipeline that divides records into blocks as the user asks for."""
    if rounds is not None and rounds > 1 and not chosen.refiners:
        raise MethodError(f"method {chosen.name!r} has no refiner that rounds of blocks could repeat: leave rounds out")
    if rounds is not None and block_size is None and chosen.largest_whole is None:
        raise MethodError(f"method {chosen.name!r} takes all records at once: give block_size, or leave rounds out")
    if block_size is not None and isinstance(chosen.bound, Exact):
        raise MethodError("the bound 'exact' proves the optimum of all records at once: leave it or block_size out")
    return replace(chosen, block_size=block_size, rounds=rounds)


def certifies(method: MethodLike, bound: bool | str = False) -> bool:
    """Check whether the bound of a method, or the one asked for, comes with a proof that `certify` can check."""
    return isinstance(pipeline(column_method(method), bound=bound).bound, Exact)


def _with_effort(named: Pipeline, effort: str) -> Pipeline:
    if not any(map(has_effort, named.refiners)):
        raise MethodError(f"method {named.name!r} has no effort, as 'search' does: leave it out, found {effort!r}")
    if any(getattr(stage, "effort", None) for stage in named.refiners):
        raise MethodError(f"the effort is given twice, in method {named.name!r} and as {effort!r}: leave one out")
    refiners = tuple(with_effort(stage, effort) for stage in named.refiners)
    return _with_refiners(named, refiners)


def _with_refiners(named: Pipeline, refiners: tuple[Any, ...]) -> Pipeline:
    """Return a pipeline with refiners that the user asked for: these follow the optimum of one column, too."""
    one_column = None if named.one_column is None else replace(named.one_column, refiners=refiners)
    return replace(named, refiners=refiners, one_column=one_column)


def _named_pipeline(method: MethodLike) -> Pipeline:
    if individual_ranking(method) is not None:
        raise MethodError(
            f"{INDIVIDUAL_RANKING!r} groups each column on its own and makes no one partition: only protect can use it"
        )
    listed = listed_stages(method)
    name = "+".join(map(_name, listed))
    first, *others = _without_alias(listed)
    refiners = tuple(_refiner(other) for other in others)
    if not isinstance(first, StageName):
        return Pipeline(name, first, refiners)
    if first.name in SYSTEMS:
        return replace(_system(first, refiners), name=name)
    if first.name in REFINERS:
        raise MethodError(f"{first.name!r} is a refiner: it follows a constructor, as in 'mdav+{first.name}'")
    construct = find_stage("method", first, CONSTRUCTORS, [*SYSTEMS, INDIVIDUAL_RANKING, *CONSTRUCTORS, *ALIASES])
    return Pipeline(name, set_parameters(construct, first), refiners)


def _without_alias(stages: list[Any]) -> list[Any]:
    """Replace a published name, with which the stages may begin, by the stages that it stands for."""
    first, *others = stages
    return [*without_alias(first), *others] if isinstance(first, StageName) else stages


def _name(stage: Any) -> str:
    """Return the name under which a stage is reported."""
    if isinstance(stage, StageName):
        return stage.text.replace(AUTO, SYSTEMS[AUTO].name) if stage.name == AUTO else stage.text
    return stage_name(stage)


def _refiner(written: Any) -> Any:
    if not isinstance(written, StageName):
        return written
    return set_parameters(find_stage("refiner", written, REFINERS, []), written)


def _system(written: StageName, refiners: tuple[Any, ...]) -> Pipeline:
    """Return a system with its parameters set, and refiners after it."""
    system = SYSTEMS[written.name]
    if system.bound is None:
        stages = list(system.stages)
        place = parametrised(stages)
        stages[place] = set_parameters(stages[place], written)
        construct, *own = stages
        changed = replace(system, construct=construct)
        return _with_refiners(changed, (*own, *refiners)) if written.values or refiners else system
    if refiners and parameters(system.bound):
        raise MethodError(f"nothing can follow {written.name!r}, which ends with its bound: leave the rest out")
    return replace(system, refiners=(*system.refiners, *refiners), bound=set_parameters(system.bound, written))
