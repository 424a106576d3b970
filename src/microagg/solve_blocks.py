"""Solve a problem by blocks: the walls between them are soft, and wander from round to round."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import repeat
from typing import NamedTuple

import numpy as np

from microagg.available import refine_available
from microagg.constrain import constrain
from microagg.control.run import Run
from microagg.control.stages import Refine
from microagg.control.stopping import StoppedError
from microagg.join import sum_of_costs
from microagg.methods import Pipeline
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.group_rules import GroupRules
from microagg.model.history import Step
from microagg.model.names import quantity
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.model.rule_cost import RuleCost
from microagg.model.solution import Solution
from microagg.run_pipeline import check_limits, prove_bound, refining_run
from microagg.soft_walls import SoftWalls
from microagg.solve_whole import check_bound, solve_whole

_BLOCKS = 0  # spawn key of the random states of blocks, beside those of trees
_NO_RULES = GroupRules()


def solve_problem(chosen: Pipeline, problem: Problem, rules: GroupRules, random_state: int, run: Run) -> Solution:
    """Solve a problem: in one piece or, where it is large, by blocks.

    Each block is solved as if it were alone, side by side with the others. Then, round by round, whole groups are sent
    to other blocks with other walls and refined there: so every group remains legal, the loss cannot rise, and what the
    walls have cost vanishes.

    Parameters
    ----------
    chosen
        The pipeline: it tells how many records a block has.
    problem
        The problem.
    rules
        What each group must satisfy, besides having k records.
    random_state
        The same number gives the same groups, on any number of threads, in memory and out of core.
    run
        The run.

    Returns
    -------
    Solution
        The groups, and what is proved of them over the whole.
    """
    block_size = chosen.block_size_for(problem, out_of_core=run.arrays is not None)
    if block_size is None:
        return solve_whole(chosen, problem, rules, random_state, run)
    check_limits(chosen, run.limits)
    chosen = check_bound(chosen, problem)
    divided = _DividedProblem(chosen, problem, block_size, random_state, refining_run(chosen, run))
    divided.solve()
    partition, costs = divided.constrained(rules)
    bound = None
    grouped = partition
    if chosen.bound is not None and problem.weights is None:
        bound, partition = prove_bound(chosen.bound, grouped, run)
    log = run.log
    return Solution(
        partition,
        f"{chosen.name} in blocks",
        bound,
        history=(*log.steps, Step(run.elapsed, log.iterations, partition.sse)),
        iterations=log.iterations,
        ended_by=log.ended_by,
        fallback_share=divided.fallback_share,
        improved_by_bound=partition.sse < grouped.sse,
        random_state=random_state,
        rule_costs=costs,
        reason=_reason(problem, block_size, divided.n_rounds),
    )


def _reason(problem: Problem, block_size: int, n_rounds: int) -> str:
    rounds = quantity(n_rounds, "round")
    return f"{problem.n} records are more than one block of about {block_size} holds; {rounds} of blocks"


class _SolvedBlock(NamedTuple):
    """Groups of a block."""

    labels: IntArray
    centroids: FloatArray
    sizes: IntArray
    sse: float
    fallback_share: float = 0.0


@dataclass(frozen=True)
class _BlockTask:
    """Solving or refining of the blocks of one round."""

    chosen: Pipeline
    problem: Problem
    refiners: tuple[Refine, ...]
    number: int  # of the round
    random_state: int

    def __call__(self, block: int, records: IntArray, labels: IntArray | None, run: Run) -> _SolvedBlock:
        """Solve a block, or refine the groups that it has; what a killed run has found is used again."""
        part = self.problem.part(records)
        key = f"round{self.number}/block{block}"
        stored = run.checkpoint.load(key)
        if stored is not None and len(stored["labels"]) == part.n:
            return _summary(Partition(part, stored["labels"]))
        seeds = np.random.SeedSequence(self.random_state, spawn_key=(_BLOCKS, self.number, block))
        if labels is None:
            solved = self._solve(part, int(seeds.generate_state(1)[0]), run)
        else:
            start = Partition(part, np.unique(labels[records], return_inverse=True)[1])
            solved = _summary(self._refine(start, np.random.default_rng(seeds), run))
        if not is_over(run):
            run.checkpoint.store(key, {"labels": solved.labels.astype(np.int32)})
        return solved

    def _solve(self, part: Problem, random_state: int, run: Run) -> _SolvedBlock:
        chosen = replace(self.chosen, refiners=self.refiners, bound=None, bound_is_optional=False)
        solution = solve_whole(chosen, part, _NO_RULES, random_state, run)
        return _summary(solution.partition)._replace(fallback_share=solution.fallback_share)

    def _refine(self, partition: Partition, rng: np.random.Generator, run: Run) -> Partition:
        for refine in self.refiners:
            if is_over(run):
                break
            partition = refine_available(partition, refine, rng, run)
        return partition


def _summary(partition: Partition) -> _SolvedBlock:
    return _SolvedBlock(partition.labels, partition.centroids, partition.sizes, partition.sse)


def is_over(run: Run) -> bool:
    """Check whether the work must end."""
    try:
        run.check()
    except StoppedError:
        return True
    return False


class _DividedProblem:
    """Problem that is divided by soft walls, and the groups found so far.

    Parameters
    ----------
    chosen, problem, block_size, random_state, run
        As in `solve_problem`.
    """

    def __init__(self, chosen: Pipeline, problem: Problem, block_size: int, random_state: int, run: Run) -> None:
        self._chosen = chosen
        self._problem = problem
        self._random_state = random_state
        self._run = run
        self._walls = SoftWalls(problem, block_size, random_state)
        self._blocks: list[IntArray] = []
        self._labels = np.zeros(problem.n, dtype=np.int64)
        self._centroids = np.zeros((0, problem.d))
        self._sizes = np.zeros(0, dtype=np.int64)
        self.fallback_share = 0.0
        self.n_rounds = 0

    def solve(self) -> None:
        """Solve the blocks of the first round, and refine those of the others."""
        rounds = _Rounds(self._chosen, self._problem, self._run)
        for number, refiners in enumerate(rounds):
            if number == 0:
                self._blocks = self._walls.of_records()
            else:
                self._blocks = self._walls.of_groups(number, self._labels, self._centroids, self._sizes)
            stage = f"blocks, round {number + 1}{rounds.of_all}"
            task = _BlockTask(self._chosen, self._problem, refiners, number, self._random_state)
            sse = self._solve_blocks(task, stage)
            self.n_rounds = number + 1
            if self._run.ends(number + rounds.counted_from, sse):
                return

    def _solve_blocks(self, task: _BlockTask, stage: str) -> float:
        """Solve or refine the blocks of a round, and take over their groups; return the sse."""
        labels = self._labels if task.number else None
        run = self._run
        n_blocks = len(self._blocks)
        run.report(stage, 0.0)
        solved = run.workers.map(
            lambda block: task(block, self._blocks[block], labels, run.task(1.0)),
            range(n_blocks),
            lambda done: run.report(stage, done / n_blocks, f"{done} of {n_blocks}"),
        )
        n_groups = 0
        for records, block in zip(self._blocks, solved, strict=True):
            self._labels[records] = n_groups + block.labels
            n_groups += len(block.sizes)
            self.fallback_share += block.fallback_share * len(records) / self._problem.n
        self._centroids = np.concatenate([block.centroids for block in solved])
        self._sizes = np.concatenate([block.sizes for block in solved])
        return sum(block.sse for block in solved)

    def constrained(self, rules: GroupRules) -> tuple[Partition, tuple[RuleCost, ...]]:
        """Return the groups, made to satisfy rules in each block of the last round, and what each rule has cost."""
        if not rules:
            return Partition(self._problem, self._labels), ()
        blocks = _satisfiable(self._blocks, rules)
        run = self._run

        def constrain_block(records: IntArray) -> tuple[Partition, tuple[RuleCost, ...]]:
            part = self._problem.part(records)
            partition = Partition(part, np.unique(self._labels[records], return_inverse=True)[1])
            return constrain(partition, rules.part(records), run.task(1.0))

        solved = run.workers.map(
            constrain_block, blocks, lambda done: run.report("rules", done / len(blocks), f"{done} of {len(blocks)}")
        )
        labels = np.empty_like(self._labels)
        n_groups = 0
        for records, (partition, _) in zip(blocks, solved, strict=True):
            labels[records] = n_groups + partition.labels
            n_groups += partition.n_groups
        shares = [partition.problem.sst / self._problem.sst if self._problem.sst else 0.0 for partition, _ in solved]
        return Partition(self._problem, labels), sum_of_costs(shares, [costs for _, costs in solved])


def _satisfiable(blocks: list[IntArray], rules: GroupRules) -> list[IntArray]:
    """Join blocks with the next, until each could satisfy the rules as one group; what is left over joins the last."""
    joined: list[IntArray] = []
    waiting = np.zeros(0, dtype=np.int64)
    for records in blocks:
        waiting = np.sort(np.concatenate([waiting, records]))
        if not rules.part(waiting).violated(np.zeros(len(waiting), dtype=np.int64)).any():
            joined.append(waiting)
            waiting = np.zeros(0, dtype=np.int64)
    if len(waiting):
        last = [joined.pop()] if joined else []
        joined.append(np.sort(np.concatenate([*last, waiting])))
    return joined


class _Rounds:
    """Rounds of a pipeline: the refiners of each.

    Parameters
    ----------
    chosen, problem, run
        As in `solve_problem`.
    """

    def __init__(self, chosen: Pipeline, problem: Problem, run: Run) -> None:
        self._chosen = chosen
        self._problem = problem
        self._run = run
        self.n_rounds = chosen.n_rounds(run.limits)
        self.of_all = "" if self.n_rounds is None else f" of {max(1, self.n_rounds)}"
        self.counted_from = 0 if self.n_rounds == 0 else 1

    def __iter__(self) -> Iterator[tuple[Refine, ...]]:
        if self.n_rounds == 0:
            yield ()
            return
        limits = self._run.limits
        wandering = [
            stage.block_rounds(self._problem, limits) if hasattr(stage, "block_rounds") else repeat(stage)
            for stage in self._chosen.refiners
        ]
        rounds = zip(*wandering, strict=False) if wandering else repeat(())
        for number, refiners in enumerate(rounds):
            if number == self.n_rounds:
                return
            yield tuple(refiners)
