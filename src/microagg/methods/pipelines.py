"""Pipelines: the stages of a method, in order."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from microagg.control.stage_fields import parameters
from microagg.control.stages import Bound, Construct, Refine
from microagg.model.limits import Limits
from microagg.model.problem import Problem

EFFORT = "effort"  # the name of the parameter
EFFORT_BEFORE_BOUND = "standard"  # of a search that a bound follows
_DEFAULT_BOUND_LIMITS = frozenset({"time_limit", "target_gap"})  # of a bound without `limits`


@dataclass(frozen=True)
class Pipeline:
    """Stages of a method: construct, then refine, then bound.

    Parameters
    ----------
    name
        The name under which it is reported.
    construct
        The first stage.
    refiners
        The next stages, in this order.
    bound
        The last stage, if there is one.
    one_column
        The pipeline to run instead where at most one column varies.
    bound_is_optional
        Whether the bound comes with the method, unasked, and is left out where it cannot be proved.
    """

    name: str
    construct: Construct
    refiners: tuple[Refine, ...] = ()
    bound: Bound | None = None
    one_column: "Pipeline | None" = None
    bound_is_optional: bool = False

    @property
    def stages(self) -> tuple[Any, ...]:
        """Every stage, in order."""
        return (self.construct, *self.refiners, *(() if self.bound is None else (self.bound,)))

    @property
    def limits(self) -> frozenset[str]:
        """The names of the limits that apply to it: time limits every stage."""
        refining = {"iterations"} if self.refiners else set()
        bounding = set() if self.bound is None else getattr(self.bound, "limits", _DEFAULT_BOUND_LIMITS)
        return frozenset({"time_limit", *refining, *bounding})

    def for_problem(self, problem: Problem, limits: Limits) -> "Pipeline":
        """Return the pipeline to run: another one where one column varies, with an effort where a bound follows.

        A time limit may end a search that a bound follows, but does not make it longer than it is without one.
        """
        if problem.weights is not None:
            return self._weighted(problem)
        one_column = self.one_column
        if one_column is not None and len(problem.varying) <= 1:
            if not one_column.refiners and limits.iterations is None:
                return one_column
            refiners = one_column.refiners or self.refiners
            return replace(one_column, name=f"{one_column.name}+{self.name}", refiners=refiners)
        if self.bound is None or limits.iterations is not None:
            return self
        return replace(self, refiners=tuple(map(_with_default_effort, self.refiners)))

    def _weighted(self, problem: Problem) -> "Pipeline":
        """Return the pipeline of a problem with weights, in which the best cut of one column is only a good start."""
        one_column = self.one_column
        if one_column is not None and len(problem.varying) <= 1:
            return replace(self, name=f"{one_column.name}+{self.name}", construct=one_column.construct)
        return replace(self, bound=None) if self.bound_is_optional else self


def parametrised(stages: Sequence[Any]) -> int:
    """Return the place of the stage whose parameters are those of a system: the last that has any, or the last."""
    return max((place for place, stage in enumerate(stages) if parameters(stage)), default=len(stages) - 1)


def has_effort(stage: Any) -> bool:
    """Check whether a stage has an effort."""
    return EFFORT in parameters(stage)


def with_effort(stage: Any, effort: str) -> Any:
    """Return a stage with an effort, if it has one."""
    return replace(stage, effort=effort) if has_effort(stage) else stage


def _with_default_effort(stage: Any) -> Any:
    return with_effort(stage, EFFORT_BEFORE_BOUND) if has_effort(stage) and stage.effort is None else stage
