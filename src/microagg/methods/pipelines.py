"""Pipelines: the stages of a method, in order."""

from dataclasses import dataclass, replace
from typing import Any

from microagg.control.stages import Bound, Construct, Refine, parameters
from microagg.model.limits import Limits
from microagg.model.problem import Problem

EFFORT = "effort"  # the parameter of stages that know one
STANDARD = "standard"  # the effort of a search that a bound follows
_ANY_BOUND = frozenset({"time_limit", "target_gap"})  # what limits a bound that does not say what does


@dataclass(frozen=True)
class Pipeline:
    """The stages of a method: construct, then refine, then bound.

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
    one_column: "Pipeline | None" = None

    @property
    def stages(self) -> tuple[Any, ...]:
        """Every stage, in order."""
        return (self.construct, *self.refiners, *(() if self.bound is None else (self.bound,)))

    @property
    def limits(self) -> frozenset[str]:
        """The names of the limits that have anything to limit: time limits everything."""
        refining = {"iterations"} if self.refiners else set()
        bounding = set() if self.bound is None else getattr(self.bound, "limits", _ANY_BOUND)
        return frozenset({"time_limit", *refining, *bounding})

    def for_problem(self, problem: Problem, limits: Limits) -> "Pipeline":
        """Give the stages that are run: others where one column varies, an effort where a bound follows a search.

        A limit of time ends a search that a bound follows, but does not make it longer than it is without one.
        """
        one_column = self.one_column
        if one_column is not None and len(problem.varying) <= 1:
            if not one_column.refiners and limits.iterations is None:
                return one_column
            refiners = one_column.refiners or self.refiners
            return replace(one_column, name=f"{one_column.name}+{self.name}", refiners=refiners)
        if self.bound is None or limits.iterations is not None:
            return self
        return replace(self, refiners=tuple(map(_with_standard_effort, self.refiners)))


def knows_effort(stage: Any) -> bool:
    """Say whether a stage has an effort."""
    return EFFORT in parameters(stage)


def with_effort(stage: Any, effort: str) -> Any:
    """Give a stage with an effort, if it knows one."""
    return replace(stage, effort=effort) if knows_effort(stage) else stage


def _with_standard_effort(stage: Any) -> Any:
    return with_effort(stage, STANDARD) if knows_effort(stage) and stage.effort is None else stage
