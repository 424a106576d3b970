"""Which stages can weigh records in their objective, and the refusal of those that cannot."""

from typing import Any

from microagg.construct import CONSTRUCTORS
from microagg.control.stage_fields import components, stage_name
from microagg.methods.pipelines import Pipeline
from microagg.model.errors import MethodError
from microagg.refine import REFINERS

_OTHERWISE = "choose mdav, univariate, descent or search, or leave weighted_loss out"


def check_weighted(stages: Pipeline) -> None:
    """Refuse a pipeline for a problem with weights, unless each of its stages says that it obeys them.

    Raises
    ------
    MethodError
        If a stage has no `weighted` that is true, or if there is a bound: none is proved with weights.
    """
    for stage in (stages.construct, *stages.refiners):
        if not getattr(stage, "weighted", False):
            raise MethodError(f"{_registered_name(stage)!r} cannot weigh records in its objective: {_OTHERWISE}")
    if stages.bound is not None:
        raise MethodError(
            f"method {stages.name!r} proves no bound where records are weighted: leave the bound out, {_OTHERWISE}"
        )


def _registered_name(stage: Any) -> str:
    """Return the name of a stage in a method, whatever its parameters; of a user's own stage, as it is reported."""
    kinds = _kinds(stage)
    registered = {**REFINERS, **CONSTRUCTORS}
    return next((name for name, known in registered.items() if _kinds(known) == kinds), stage_name(stage))


def _kinds(stage: Any) -> list[type]:
    """Return the types of a stage and its components."""
    return [type(one) for one in (stage, *components(stage))]
