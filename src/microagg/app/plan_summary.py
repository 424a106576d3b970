"""Plan in a few words, to tell runs apart: k, method, effort, and what else is asked for."""

from collections.abc import Iterable

from microagg.app.plan_text import parsed_plan
from microagg.model.errors import InputError
from microagg.model.plan import Plan

_UNREADABLE = "plan that cannot be read"


def plan_summary(plan_toml: str) -> str:
    """Return a plan in a few words, such as "k = 5, search, quick".

    Parameters
    ----------
    plan_toml
        The plan as TOML.

    Returns
    -------
    str
        Its k, methods and efforts, each once; and how many column sets it has, where these are several.
    """
    try:
        plan = parsed_plan(plan_toml)
    except InputError:
        return _UNREADABLE
    sizes = _one_each(one.k for one in plan.sets)
    methods = _one_each(one.method for one in plan.sets)
    efforts = _one_each(one.effort for one in plan.sets if one.effort is not None)
    words = [f"k = {sizes}", methods, efforts, *_more(plan)]
    return ", ".join(filter(None, words))


def _one_each(values: Iterable[object]) -> str:
    """Write values that differ, one after another."""
    return " and ".join(dict.fromkeys(map(str, values)))


def _more(plan: Plan) -> list[str]:
    found = []
    if any(one.bound for one in plan.sets):
        found.append("bound")
    if len(plan.sets) > 1:
        found.append(f"{len(plan.sets)} column sets")
    return found
