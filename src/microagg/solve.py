"""Solve a problem: construct, refine, bound."""

import secrets
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypedDict, Unpack

import numpy as np

from microagg.construct.slabs import group_in_slabs
from microagg.control.progress import Progress
from microagg.control.run import Run, run_of
from microagg.control.stage_fields import stage_name
from microagg.control.stages import Bound
from microagg.control.stopping import StoppedError
from microagg.encode import encode
from microagg.methods import Pipeline, pipeline
from microagg.model.errors import InputError, MethodError
from microagg.model.history import Step
from microagg.model.limits import Limits
from microagg.model.names import suggestion
from microagg.model.partition import Partition
from microagg.model.plan import ColumnSet, MethodLike, Plan
from microagg.model.problem import Problem
from microagg.model.solution import LowerBound, Solution
from microagg.model.table import Table
from microagg.read import read
from microagg.select import select

_NO_TIME = 1e-9  # seconds: a limit that is over
_DRAWN_BITS = 63  # of a random state: what every file format can hold


class SolveOptions(TypedDict, total=False):
    """What can be said of solving; each option is as in `Plan`."""

    columns: Iterable[Hashable] | None
    exclude: Iterable[Hashable]
    method: MethodLike
    effort: str | None
    standardise: bool
    bound: bool | Callable[..., Any]
    random_state: int | None
    time_limit: float | None
    iterations: int | None
    target_gap: float | None


def solve(
    X: Any,
    k: int,
    *,
    run: Run | None = None,
    progress: Progress | None = None,
    **options: Unpack[SolveOptions],
) -> Solution:
    """Group records so that each group has at least k of them and little is lost.

    Parameters
    ----------
    X
        The records: an array, a dataframe or a path.
    k
        The smallest group allowed.
    run
        Limits, progress, workers, and the way to cancel the work from another thread.
    progress
        Is told how far the work is, where no run is handed in.
    **options
        As in `Plan`: columns, exclude, method, effort, standardise, bound, random_state, time_limit, iterations,
        target_gap.

    Returns
    -------
    Solution
        The groups, what they lose, and what is proved of that.

    Raises
    ------
    InputError
        Where something cannot be used: one sentence says what and why.

    Examples
    --------
    >>> import numpy as np, microagg
    >>> solution = microagg.solve(np.array([[1.0], [2.0], [8.0], [9.0]]), k=2)
    >>> solution.labels.tolist(), solution.status
    ([0, 0, 1, 1], 'optimal')
    """
    for name in options:
        if name not in SolveOptions.__annotations__:
            raise InputError(f"solve has no option {name!r}: {suggestion(name, tuple(SolveOptions.__annotations__))}")
    plan = Plan(k=k, allow_k1=True, **options)
    (wanted,) = plan.sets
    chosen = pipeline(wanted.method, wanted.effort, wanted.bound)
    with run_of(run, progress).under_way(plan.limits) as under_way:
        check_limits(chosen, under_way.limits)
        table = read(X)
        names = select(table, wanted.columns, plan.exclude)
        under_way.start_clock()
        return group(table, names, wanted, plan.random_state, under_way)


def group(table: Table, names: Sequence[str], wanted: ColumnSet, random_state: int | None, run: Run) -> Solution:
    """Group a table's records by some columns: encode them, and solve the problem that they state."""
    chosen = pipeline(wanted.method, wanted.effort, wanted.bound)
    encoding, problem = encode(table, names, wanted.k, wanted.standardise)
    solution = run_pipeline(chosen, problem, random_state, run)
    return replace(solution, encoding=encoding)


def check_limits(chosen: Pipeline, limits: Limits) -> None:
    """Refuse limits that a pipeline has nothing to limit with."""
    if ignored := [name for name in limits.given if name not in chosen.limits]:
        hint = ", or ask for a bound" if chosen.bound is None and "target_gap" in ignored else ""
        names = " or ".join(ignored)
        raise MethodError(f"method {chosen.name!r} has nothing that {names} could limit: leave it out{hint}")


def run_pipeline(chosen: Pipeline, problem: Problem, random_state: int | None, run: Run) -> Solution:
    """Run the stages of a pipeline, each with a random generator of its own.

    Of a time limit, half at most is for the stages before a bound.
    """
    check_limits(chosen, run.limits)
    stages = chosen.for_problem(problem, run.limits)
    for stage in stages.stages:
        _check_support(stage, problem)
    limits = run.limits
    refining = run
    if stages.bound is not None:
        half = None if run.time_left is None else max(run.elapsed + run.time_left / 2, _NO_TIME)
        refining = run.child(Limits(half, limits.iterations))
    random_state = drawn(random_state)
    grouped = partition = _grouped(stages, problem, random_state, refining)
    bound = None
    if stages.bound is not None:
        proving = run.child(Limits(limits.time_limit, None, limits.target_gap), own_log=True)
        bound, partition = _bounded(stages.bound, partition, proving)
    improved = bound is not None and partition.sse < grouped.sse
    log = run.log
    history = (*log.steps, Step(run.elapsed, log.iterations, partition.sse))
    return Solution(
        partition,
        stages.name,
        bound,
        history,
        log.iterations,
        log.ended_by,
        fallback_share=log.fallback_share,
        improved_by_bound=improved,
        random_state=random_state,
    )


def drawn(random_state: int | None) -> int:
    """Give a random state: where there is none, one from the operating system, so that it can be told."""
    return secrets.randbits(_DRAWN_BITS) if random_state is None else random_state


def _check_support(stage: Any, problem: Problem) -> None:
    supports = getattr(stage, "supports", None)
    if supports is None or supports(problem):
        return
    needs = getattr(stage, "needs", "another problem")
    here = f"{problem.n} records, {len(problem.varying)} columns that vary and k = {problem.k}"
    raise MethodError(f"{stage_name(stage)!r} needs {needs}: here are {here}; choose another method")


def _grouped(stages: Pipeline, problem: Problem, random_state: int, run: Run) -> Partition:
    """Construct and refine; where the run ends early, give the best legal partition so far."""
    seeds = np.random.SeedSequence(random_state).spawn(1 + len(stages.refiners))
    rngs = map(np.random.default_rng, seeds)
    with run.checked_while_compiling():
        try:
            partition = stages.construct(problem, next(rngs), run)
        except StoppedError:
            run.log.fallback_share = 1.0
            partition = Partition(problem, group_in_slabs(problem.X, problem.k))
        _check_partition(partition, problem, stages.construct)
        run.log_step(0, partition.sse)
        for refine, rng in zip(stages.refiners, rngs, strict=True):
            try:
                run.check()
                refined = refine(partition, rng, run)
            except StoppedError:
                break
            _check_partition(refined, problem, refine)
            if refined.sse > partition.sse:
                raise MethodError(f"{stage_name(refine)!r} made a partition worse, which no refiner may: mend it")
            partition = refined
    return partition


def _check_partition(partition: object, problem: Problem, stage: object) -> None:
    if not isinstance(partition, Partition) or partition.problem is not problem:
        found = type(partition).__name__
        raise MethodError(f"{stage_name(stage)!r} must give a Partition(problem, labels) of its problem, found {found}")


def _bounded(prove: Bound, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
    """Prove a bound; what is proved where the run ends before that is nothing."""
    with run.checked_while_compiling():
        try:
            bound, partition = prove(incumbent.problem, incumbent, run)
        except StoppedError as stopped:
            return LowerBound(0.0, "none", stopped.ending), incumbent
    _check_partition(partition, incumbent.problem, prove)
    return bound, partition
