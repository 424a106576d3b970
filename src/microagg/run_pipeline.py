"""Run the stages of a pipeline: construct, refine, bound."""

import secrets
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.random import Generator

from microagg.construct.slabs import group_in_slabs
from microagg.control.run import Run
from microagg.control.stage_fields import stage_name
from microagg.control.stages import Bound, Refine
from microagg.control.stopping import StoppedError
from microagg.methods import Pipeline, check_weighted
from microagg.model.errors import MethodError
from microagg.model.history import Step
from microagg.model.limits import NO_TIME_LEFT, Limits
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.model.problem_shape import ProblemShape
from microagg.model.solution import LowerBound, Solution

_RANDOM_STATE_BITS = 63  # of a fresh random state: every file format can hold them


def check_limits(chosen: Pipeline, limits: Limits) -> None:
    """Refuse limits that no stage of a pipeline obeys."""
    ignored = [name for name in limits.given if name not in chosen.limits]
    if ignored:
        hint = ", or ask for a bound" if chosen.bound is None and "target_gap" in ignored else ""
        names = " or ".join(ignored)
        raise MethodError(f"method {chosen.name!r} has nothing that {names} could limit: leave it out{hint}")


def check_stages(stages: Pipeline, problem: ProblemShape) -> None:
    """Refuse stages that do not support a problem, or cannot weigh its records."""
    for stage in stages.stages:
        _check_support(stage, problem, is_bound=stage is stages.bound)
    if problem.weights is not None:
        check_weighted(stages)


def run_pipeline(chosen: Pipeline, problem: Problem, random_state: int | None, run: Run) -> Solution:
    """Run the stages of a pipeline, each with a random generator of its own."""
    check_limits(chosen, run.limits)
    stages = chosen.for_problem(problem, run.limits)
    check_stages(stages, problem)
    random_state = known_random_state(random_state)
    grouped = _construct_and_refine(stages, problem, random_state, refining_run(stages, run))
    bound, found = (None, grouped) if stages.bound is None else prove_bound(stages.bound, grouped, run)
    partition, better = released_groups(stages, grouped, found)
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
        improved_by_bound=partition is not grouped,
        better=better,
        random_state=random_state,
        reason=chosen.reason_for(problem),
    )


def released_groups(stages: Pipeline, grouped: Partition, found: Partition) -> tuple[Partition, Partition | None]:
    """Return the groups of a method, and better ones that the proof of its bound found, if it does not take them."""
    if not found.sse < grouped.sse:
        return grouped, None
    return (found, None) if stages.takes_improved else (grouped, found)


def known_random_state(random_state: int | None) -> int:
    """Return the random state; in place of None a fresh one, so that it can be reported and used again."""
    return secrets.randbits(_RANDOM_STATE_BITS) if random_state is None else random_state


def refining_run(stages: Pipeline, run: Run) -> Run:
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
                partition = refined_by(refine, partition, rng, run)
            except StoppedError:
                break
    return partition


def refined_by(refine: Refine, partition: Partition, rng: Generator, run: Run) -> Partition:
    """Refine a partition; refuse what a refiner may not return.

    Raises
    ------
    MethodError
        If it is no partition of the same problem, or a worse one.
    StoppedError
        If the run ended the refiner before it had a result.
    """
    refined = refine(partition, rng, run)
    _check_partition(refined, partition.problem, refine)
    if refined.sse > partition.sse:
        raise MethodError(f"{stage_name(refine)!r} made a partition worse, which no refiner may: correct it")
    return refined


def prove_bound(prove: Bound, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
    """Prove a bound, with a log of its own; one of 0 where the run ends before anything is proved."""
    run = run.child(Limits(run.limits.time_limit, None, run.limits.target_gap), own_log=True)
    with run.checked_while_compiling():
        try:
            bound, partition = prove(incumbent.problem, incumbent, run)
        except StoppedError as stopped:
            bound, partition = LowerBound(0.0, "none", stopped.ending), incumbent
    _check_partition(partition, incumbent.problem, prove)
    return replace(bound, sst=incumbent.problem.sst), partition


def _check_support(stage: Any, problem: ProblemShape, *, is_bound: bool) -> None:
    supports = getattr(stage, "supports", None)
    if supports is None or supports(problem):
        return
    needs = getattr(stage, "needs", "another problem")
    here = f"{problem.n} records, {len(problem.varying)} columns that vary and k = {problem.k}"
    what = "bound" if is_bound else "method"
    raise MethodError(f"{stage_name(stage)!r} needs {needs}: here are {here}; choose another {what}")


def _check_partition(partition: object, problem: Problem, stage: object) -> None:
    if not isinstance(partition, Partition) or partition.problem is not problem:
        found = type(partition).__name__
        raise MethodError(
            f"{stage_name(stage)!r} must return a Partition(problem, labels) of its problem, found {found}"
        )
