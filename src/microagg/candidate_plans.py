"""Plans of the candidates of a comparison: one plan, with each k and each method in place of its own."""

from collections.abc import Sequence
from typing import Any

from microagg.methods import SYSTEMS, Pipeline, column_method, pipeline
from microagg.methods.grammar import read_method
from microagg.methods.pipelines import EFFORT, has_effort
from microagg.model.column_set import MethodLike
from microagg.model.errors import InputError, MethodError
from microagg.model.limits import Limits
from microagg.model.plan import LIMITS, Plan
from microagg.refine import REFINERS

_FIRST = "mdav"  # what a refiner follows that is named alone
_COMPARED = ("k", "method")  # options that each candidate has of its own


def candidate_plan(plan: Plan, k: int, method: MethodLike) -> Plan:
    """Return a plan with another k and method, in each of its column sets.

    Parameters
    ----------
    plan
        The plan. Its effort, and its limits, hold for those methods that have something to limit.
    k
        Smallest group allowed.
    method
        The method.

    Returns
    -------
    Plan
        The plan of this candidate, the same otherwise.

    Raises
    ------
    InputError
        If the plan does not go with this k or this method.
    """
    bound = _fitting_bound(method, plan)
    chosen = pipeline(column_method(method), bound=bound)
    skipped = {*_COMPARED, *(name for name in LIMITS if name not in chosen.limits)}
    if not _has_effort(chosen):
        skipped.add(EFFORT)
    given = _with_bound(_without(plan.given, skipped), bound)
    if "sets" in given:
        given["sets"] = [_with_bound(_without(one, skipped), bound) for one in given["sets"]]
    return Plan(**given, k=k, method=method)


def _fitting_bound(method: MethodLike, plan: Plan) -> Any:
    """Return the bound of a plan; of a method that ends with a bound of its own, whether there is one."""
    bound = plan.sets[0].bound
    return bound if pipeline(column_method(method)).bound is None else bool(bound)


def _with_bound(given: dict[str, Any], bound: Any) -> dict[str, Any]:
    return given | {"bound": bound} if "bound" in given else given


def fitting_limits(limits: Limits, plan: Plan) -> Limits:
    """Return those limits of a run that the method of a candidate obeys."""
    one = plan.sets[0]
    chosen = pipeline(column_method(one.method), one.effort, one.bound)
    return Limits(**{name: getattr(limits, name) for name in limits.given if name in chosen.limits})


def checked_methods(methods: object) -> dict[str, MethodLike]:
    """Return methods by their names.

    Parameters
    ----------
    methods
        What the user passed: a list of names or stages; a refiner alone follows MDAV.

    Raises
    ------
    InputError
        If it is no such list, or if a method is named twice.
    MethodError
        If one is unknown.
    """
    if isinstance(methods, str) or not isinstance(methods, Sequence):
        raise InputError(f"methods must be a list of methods, as in ['mdav', 'search'], found {methods!r}")
    if not methods:
        raise InputError("methods is empty: name at least one, as in ['mdav', 'search']")
    named: dict[str, MethodLike] = {}
    for one in methods:
        method = _complete(one) if isinstance(one, str) else one
        chosen = pipeline(column_method(method))
        name = method if isinstance(method, str) else chosen.name
        if name in named:
            raise InputError(f"method {name!r} is named twice in methods: name it once")
        named[name] = method
    return named


def check_used(plan: Plan, methods: Sequence[MethodLike], limits: Limits) -> None:
    """Refuse an effort or a limit that none of the methods obeys.

    Raises
    ------
    MethodError
        If there is one.
    """
    chosen = [pipeline(column_method(method), bound=_fitting_bound(method, plan)) for method in methods]
    if any(one.effort is not None for one in plan.sets) and not any(map(_has_effort, chosen)):
        raise MethodError("none of the methods has an effort, as 'search' does: leave the effort out, or add a method")
    for name in limits.given:
        if not any(name in one.limits for one in chosen):
            raise MethodError(f"none of the methods has anything that {name} could limit: leave it out")


def _complete(method: str) -> str:
    """Return the name of a method without blanks and capitals; of a refiner alone, with what it follows."""
    stages = read_method(method)
    text = "+".join(stage.text for stage in stages)
    return f"{_FIRST}+{text}" if stages[0].name in REFINERS.keys() - SYSTEMS.keys() else text


def _has_effort(chosen: Pipeline) -> bool:
    return any(map(has_effort, chosen.refiners))


def _without(options: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in names}
