"""Pipelines: the stages of a method, in order."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from microagg.control.stage_fields import parameters
from microagg.control.stages import Bound, Construct, Refine
from microagg.model.errors import MethodError
from microagg.model.limits import Limits
from microagg.model.problem_shape import ProblemShape

BLOCK_SIZE = 25_000
"""Records of a block, where nothing else is said: smaller ones lose more at their walls, larger ones take longer."""

GROUPS_PER_BLOCK = 4
"""Groups that a block holds at least: in smaller ones there is next to nothing to choose."""

_USUAL_ROUNDS = 4  # of blocks, where a refiner is the same in all of them

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
    cuts_optimally
        Whether it cuts one column optimally.
    takes_improved
        Whether it takes better groups that the proof of its bound finds: a method that is asked for by its name does
        not, unless it is a search for the best groups.
    largest_whole
        The number of records above which it divides them into blocks by itself; None: it never does.
    block_size
        The number of records of a block that the user asks for; None: as many as suit the method.
    rounds
        The number of rounds of blocks that the user asks for; None: as many as suit the method.
    """

    name: str
    construct: Construct
    refiners: tuple[Refine, ...] = ()
    bound: Bound | None = None
    one_column: "Pipeline | None" = None
    bound_is_optional: bool = False
    cuts_optimally: bool = False
    takes_improved: bool = False
    largest_whole: int | None = None
    block_size: int | None = None
    rounds: int | None = None

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

    def for_problem(self, problem: ProblemShape, limits: Limits) -> "Pipeline":
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
        return self._with_efforts(limits)

    def for_blocks(self, problem: ProblemShape, limits: Limits) -> "Pipeline":
        """Return the pipeline to run where a problem is divided: each block has the one of `in_block`.

        Refiners whose `in_blocks` is false are left out: they are for problems that are small as a whole.
        """
        stages = self._without_optional_bound() if problem.weights is not None else self._with_efforts(limits)
        return replace(stages, refiners=tuple(stage for stage in stages.refiners if getattr(stage, "in_blocks", True)))

    def in_part(self, n: int, n_all: int) -> "Pipeline":
        """Return the pipeline of a part of a larger problem: refiners with `in_part` take the size of both.

        Parameters
        ----------
        n
            The number of records of the part.
        n_all
            The number of records of all parts.
        """
        if n == n_all:
            return self
        one_column = None if self.one_column is None else self.one_column.in_part(n, n_all)
        refiners = tuple(stage.in_part(n, n_all) if hasattr(stage, "in_part") else stage for stage in self.refiners)
        return replace(self, refiners=refiners, one_column=one_column)

    def in_block(self, refiners: tuple[Refine, ...]) -> "Pipeline":
        """Return the pipeline of a block, with the refiners of a round: no bound, as bounds of blocks prove nothing."""
        one_column = self.one_column
        if one_column is not None:
            one_column = replace(one_column, refiners=refiners if one_column.refiners else (), bound=None)
        return replace(self, refiners=refiners, one_column=one_column, bound=None, bound_is_optional=False)

    def block_size_for(self, problem: ProblemShape) -> int | None:
        """Return the number of records of a block where a problem is to be divided; None where it is taken whole.

        One column that varies is never divided where it is cut optimally, unless the user asks for that.
        """
        smallest = GROUPS_PER_BLOCK * problem.k
        if self.block_size is not None:
            return self.block_size if problem.n > max(self.block_size, smallest) else None
        if self._cuts_optimally(problem):
            return None
        if self.largest_whole is None or problem.n <= max(self.largest_whole, smallest):
            return None
        return max(smallest, min(BLOCK_SIZE, -(-problem.n // 2)))

    def check_out_of_core(self, problem: ProblemShape) -> None:
        """Refuse a problem that is to be taken whole although its points are kept in files: it may be too large.

        Raises
        ------
        MethodError
            If it has more records than a block; but one column is cut optimally whatever their number.
        """
        if self.block_size_for(problem) is None and problem.n > BLOCK_SIZE and not self._cuts_optimally(problem):
            raise MethodError(
                f"method {self.name!r} takes all {problem.n} records at once, which may not fit in memory: allow more "
                f"(--memory), divide them, as in block_size={BLOCK_SIZE} (--block-size), or choose method 'auto'"
            )

    def n_rounds(self, limits: Limits) -> int | None:
        """Return the number of rounds of blocks; None where only the limits end them."""
        if self.rounds is not None:
            return self.rounds
        numbers = [stage.n_block_rounds(limits) for stage in self.refiners if hasattr(stage, "n_block_rounds")]
        known = [number for number in numbers if number is not None]
        return max(known, default=None if numbers else _USUAL_ROUNDS)

    def reason_for(self, problem: ProblemShape) -> str:
        """Return why a problem was taken whole, where the method decides that by itself; else nothing."""
        largest_whole = self.block_size or self.largest_whole
        if largest_whole is None:
            return ""
        if self._cuts_optimally(problem):
            return "one column that varies is cut optimally"
        return f"{problem.n} records are taken at once, as up to {largest_whole} are"

    def _weighted(self, problem: ProblemShape) -> "Pipeline":
        """Return the pipeline of a problem with weights, in which the best cut of one column is only a good start."""
        one_column = self.one_column
        if one_column is not None and len(problem.varying) <= 1:
            return replace(self, name=f"{one_column.name}+{self.name}", construct=one_column.construct)
        return self._without_optional_bound()

    def _without_optional_bound(self) -> "Pipeline":
        return replace(self, bound=None) if self.bound_is_optional else self

    def _with_efforts(self, limits: Limits) -> "Pipeline":
        """Return the pipeline with an effort where a bound follows, unless iterations are limited."""
        if self.bound is None or limits.iterations is not None:
            return self
        return replace(self, refiners=tuple(map(_with_default_effort, self.refiners)))

    def _cuts_optimally(self, problem: ProblemShape) -> bool:
        """Check whether one column that varies is cut optimally, in time and memory that grow with n alone."""
        if problem.weights is not None or len(problem.varying) > 1:
            return False
        return self.one_column is not None or (self.cuts_optimally and not self.refiners)


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
