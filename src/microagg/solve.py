"""Solve a problem: construct, refine, bound."""

import secrets
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
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
from microagg.methods import Pipeline, check_weighted, pipeline, set_pipeline
from microagg.model.column_set import ColumnSet, MethodLike, check_known
from microagg.model.errors import MethodError
from microagg.model.history import Step
from microagg.model.limits import NO_TIME_LEFT, Limits
from microagg.model.partition import Partition
from microagg.model.plan import Plan
from microagg.model.problem import Problem
from microagg.model.solution import LowerBound, Solution
from microagg.model.table import Table
from microagg.read import read
from microagg.select import select

_RANDOM_STATE_BITS = 63  # of a fresh random state: every file format can hold them


class SolveOptions(TypedDict, total=False):
    """Options of `solve`; each is as in `Plan`."""

    columns: Iterable[Hashable] | None
    exclude: Iterable[Hashable]
    method: MethodLike
    effort: str | None
    standardise: bool
    scale: str | float | Mapping[Any, str | float] | None
    transform: str | Mapping[Any, str] | None
    nominal: Iterable[Hashable] | None
    ordinal: Iterable[Hashable] | Mapping[Any, Iterable[Any]] | None
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
    """Group records into groups of at least k with little information loss.

    Parameters
    ----------
    X
        The records: an array, a dataframe or a path.
    k
        Smallest group allowed.
    run
        Limits, progress, workers, and the way to cancel the work from another thread.
    progress
        Called with stage, share done and note, where no run is given.
    **options
        As in `Plan`: columns, exclude, method, effort, standardise, scale, transform, nominal, ordinal, bound,
        random_state, time_limit, iterations, target_gap.

    Returns
    -------
    Solution
        The groups, their loss, and what is proved of it.

    Raises
    ------
    InputError
        If something cannot be used: one sentence says what and why.

    Examples
    --------
    >>> import numpy as np, microagg
    >>> solution = microagg.solve(np.array([[1.0], [2.0], [8.0], [9.0]]), k=2)
    >>> solution.labels.tolist(), solution.status
    ([0, 0, 1, 1], 'optimal')
    """
    check_known(options, tuple(SolveOptions.__annotations__), "solve")
    plan = Plan(k=k, allow_k1=True, **options)
    with begun(X, plan, run_of(run, progress)) as (table, names, current):
        return group_table(table, names, plan.sets[0], plan.random_state, current)


@contextmanager
def begun(X: Any, plan: Plan, run: Run) -> Iterator[tuple[Table, Sequence[str], Run]]:
    """Begin to solve in a `with` block: check the limits, read the records, select the columns of the one column set.

    Yields
    ------
    tuple of Table, sequence of str and Run
        The records, the names of the columns, and the run, which is under way.
    """
    (wanted,) = plan.sets
    chosen = pipeline(wanted.method, wanted.effort, wanted.bound)
    with run.under_way(plan.limits) as current:
        check_limits(chosen, current.limits)
        table = read(X)
        names = select(table, wanted.columns, plan.exclude)
        current.start_clock()
        yield table, names, current


def group_table(table: Table, names: Sequence[str], wanted: ColumnSet, random_state: int | None, run: Run) -> Solution:
    """Group a table's records by some columns: encode these, and solve the problem."""
    chosen = set_pipeline(wanted)
    encoding, problem = encode(table, names, wanted.k, wanted.treatment)
    solution = run_pipeline(chosen, problem, random_state, run)
    return replace(solution, encoding=encoding)


def check_limits(chosen: Pipeline, limits: Limits) -> None:
    """Refuse limits that no stage of a pipeline obeys."""
    ignored = [name for name in limits.given if name not in chosen.limits]
    if ignored:
        hint = ", or ask for a bound" if chosen.bound is None and "target_gap" in ignored else ""
        names = " or ".join(ignored)
        raise MethodError(f"method {chosen.name!r} has nothing that {names} could limit: leave it out{hint}")


def run_pipeline(chosen: Pipeline, problem: Problem, random_state: int | None, run: Run) -> Solution:
    """Run the stages of a pipeline, each with a random generator of its own."""
    check_limits(chosen, run.limits)
    stages = chosen.for_problem(problem, run.limits)
    for stage in stages.stages:
        _check_support(stage, problem)
    if problem.weights is not None:
        check_weighted(stages)
    random_state = known_random_state(random_state)
    grouped = _construct_and_refine(stages, problem, random_state, _refining_run(stages, run))
    partition = grouped
    bound = None
    if stages.bound is not None:
        proving = run.child(Limits(run.limits.time_limit, None, run.limits.target_gap), own_log=True)
        bound, partition = _prove_bound(stages.bound, grouped, proving)
    log = run.log
    return Solution(
        partition,
        stages.name,
        bound,
        history=(*log.steps, Step(run.elapsed, log.iterations, partition.sse)),
        iterations=log.iterations,
        starts=log.starts,
        ended_by=log.ended_by,
        fallback_share=log.fallback_share,
        improved_by_bound=partition.sse < grouped.sse,
        random_state=random_state,
    )


def known_random_state(random_state: int | None) -> int:
    """Return the random state; in place of None a fresh one, so that it can be reported and used again."""
    return secrets.randbits(_RANDOM_STATE_BITS) if random_state is None else random_state


def _refining_run(stages: Pipeline, run: Run) -> Run:
    """Return the run of the stages before a bound: with half of the time at most, and without the target gap."""
    if stages.bound is None:
        return run
    left = run.time_left
    half = None if left is None else max(run.elapsed + left / 2, NO_TIME_LEFT)
    return run.child(Limits(half, run.limits.iterations))


def _construct_and_refine(stages: Pipeline, problem: Problem, random_state: int, run: Run) -> Partition:
    """Construct and refine; where the run ends early, return the best legal partition so far."""
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
                raise MethodError(f"{stage_name(refine)!r} made a partition worse, which no refiner may: correct it")
            partition = refined
    return partition


def _prove_bound(prove: Bound, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
    """Prove a bound; one of 0 where the run ends before anything is proved."""
    with run.checked_while_compiling():
        try:
            bound, partition = prove(incumbent.problem, incumbent, run)
        except StoppedError as stopped:
            return LowerBound(0.0, "none", stopped.ending), incumbent
    _check_partition(partition, incumbent.problem, prove)
    return bound, partition


def _check_support(stage: Any, problem: Problem) -> None:
    supports = getattr(stage, "supports", None)
    if supports is None or supports(problem):
        return
    needs = getattr(stage, "needs", "another problem")
    here = f"{problem.n} records, {len(problem.varying)} columns that vary and k = {problem.k}"
    raise MethodError(f"{stage_name(stage)!r} needs {needs}: here are {here}; choose another method")


def _check_partition(partition: object, problem: Problem, stage: object) -> None:
    if not isinstance(partition, Partition) or partition.problem is not problem:
        found = type(partition).__name__
        raise MethodError(
            f"{stage_name(stage)!r} must return a Partition(problem, labels) of its problem, found {found}"
        )
