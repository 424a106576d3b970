"""Solve a problem by blocks: the walls between them are soft, and wander from round to round."""

from functools import partial

import numpy as np

from microagg.block_plan import BlockPlan, plan_blocks
from microagg.block_rounds import refiners_of_rounds
from microagg.block_rules import constrain_blocks
from microagg.block_task import BlockTask, SolvedBlock
from microagg.control.block_progress import BlockProgress
from microagg.control.run import Run
from microagg.control.stopping import Ending, StoppedError
from microagg.methods import Pipeline
from microagg.model.arrays import IntArray
from microagg.model.group_rules import GroupRules
from microagg.model.history import Step
from microagg.model.names import quantity
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.model.rule_cost import RuleCost
from microagg.model.solution import Solution
from microagg.run_pipeline import prove_bound, refining_run, released_groups
from microagg.soft_walls import SoftWalls
from microagg.solve_whole import solve_whole


def solve_problem(
    chosen: Pipeline, problem: Problem, rules: GroupRules, random_state: int, run: Run, rows: IntArray | None = None
) -> Solution:
    """Solve a problem: in one piece or, where it is large, by blocks.

    Each block is solved as if it were alone, side by side with the others. Then, round by round, whole groups are sent
    to other blocks with other walls and refined there: so every group remains legal, the loss cannot rise, and what the
    walls have cost becomes little. A bound is proved over the whole.

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
        The run. An iteration is a round of blocks, in which each refiner does as many iterations at most.
    rows
        Row of each record in the table that was read, of shape (n,); None: 0, 1, …

    Returns
    -------
    Solution
        The groups, and what is proved of them over the whole.

    Raises
    ------
    MethodError
        If the pipeline cannot solve the problem, or has nothing that the limits of the run could limit.
    InputError
        If the rules cannot be satisfied.
    """
    if run.arrays is not None:
        chosen.check_out_of_core(problem)
    plan = plan_blocks(chosen, problem, run.limits)
    if plan is None:
        return solve_whole(chosen, problem, rules, random_state, run)
    stages = plan.stages
    divided = _DividedProblem(plan, problem, random_state, refining_run(stages, run), rows)
    divided.solve()
    grouped, costs = divided.constrained(rules)
    bound, found = (None, grouped) if stages.bound is None else prove_bound(stages.bound, grouped, run)
    # what a proof finds satisfies no rule but k
    partition, better = released_groups(stages, grouped, grouped if rules else found)
    log = run.log
    return Solution(
        partition,
        f"{stages.name} in blocks",
        bound,
        history=(*log.steps, Step(run.elapsed, log.iterations, partition.sse)),
        iterations=log.iterations,
        starts=log.starts,
        ended_by=log.ended_by,
        fallback_share=log.fallback_share,
        improved_by_bound=partition is not grouped,
        better=better,
        random_state=random_state,
        rule_costs=costs,
        reason=reason_for_blocks(problem.n, plan.block_size, divided.n_rounds),
    )


def reason_for_blocks(n_records: int, block_size: int, n_rounds: int) -> str:
    """Return why so many records were divided into blocks, and how often."""
    rounds = quantity(n_rounds, "round")
    return f"{n_records} records are more than one block of about {block_size} holds; {rounds} of blocks"


class _DividedProblem:
    """Problem that is divided by soft walls, and the groups found so far.

    Parameters
    ----------
    plan
        The plan of its blocks.
    problem, random_state, run, rows
        As in `solve_problem`.
    """

    def __init__(
        self, plan: BlockPlan, problem: Problem, random_state: int, run: Run, rows: IntArray | None = None
    ) -> None:
        self._plan = plan
        self._problem = problem
        self._random_state = random_state
        self._run = run
        self._walls = SoftWalls(problem, plan.block_size, random_state, rows)
        self._blocks: dict[int, IntArray] = {}
        self._labels = np.zeros(problem.n, dtype=np.int64)
        self._centroids = np.zeros((0, problem.d))
        self._sizes = np.zeros(0, dtype=np.int64)
        self._sse: float | None = None
        self.n_rounds = 0

    def solve(self) -> None:
        """Solve the blocks of the first round, and refine those of the others, until the run or its rounds end."""
        plan = self._plan
        of_all = "" if plan.n_rounds is None else f" of {plan.n_rounds}"
        endless = refiners_of_rounds(plan.stages, self._problem, self._run.limits)
        for number, refiners in enumerate(endless if plan.refiners is None else plan.refiners):
            try:
                self._divide(number)
            except StoppedError:
                return
            labels = self._labels if number else None
            task = BlockTask(plan.stages, self._problem, refiners, number, self._random_state, labels)
            sse = self._solve_blocks(task, f"blocks, round {number + 1}{of_all}")
            self.n_rounds = number + 1
            if self._run.ends(self.n_rounds if refiners else 0, sse):
                return

    def constrained(self, rules: GroupRules) -> tuple[Partition, tuple[RuleCost, ...]]:
        """Return the groups, made to satisfy rules in the blocks of the last round, and what each rule has cost."""
        partition = Partition(self._problem, self._labels)
        return constrain_blocks(partition, list(self._blocks.values()), rules, self._run) if rules else (partition, ())

    def _divide(self, number: int) -> None:
        """Make the blocks of a round; raise `StoppedError` where those of an earlier one are to be kept."""
        tick = partial(self._run.tick, "divide")
        if number > 0:
            self._blocks = self._walls.of_groups(number, self._labels, self._centroids, self._sizes, tick)
            return
        try:
            self._blocks = self._walls.of_records(tick)
        except StoppedError:
            self._blocks = self._walls.in_order()

    def _solve_blocks(self, task: BlockTask, stage: str) -> float:
        """Solve or refine the blocks of a round, and take over their groups; return the sse."""
        run = self._run
        n_blocks = len(self._blocks)
        largest_first = sorted(self._blocks, key=lambda block: -len(self._blocks[block]))  # so that none is late
        shares = _shares([len(self._blocks[block]) for block in largest_first], run.workers.count)
        progress = BlockProgress(stage, n_blocks, self._problem, run, self._sse)
        progress.report(0)

        def solve_block(turn: int) -> SolvedBlock:
            number = largest_first[turn]
            records = self._blocks[number]
            solved_block = task(number, records, run.task(shares[turn]))
            progress.add(records, solved_block.sse, solved_block.gain)
            return solved_block

        found = run.workers.map(solve_block, range(n_blocks), progress.report)
        solved = [found[turn] for turn in np.argsort(largest_first).tolist()]
        labels = np.empty_like(self._labels)
        n_groups = 0
        for records, block in zip(self._blocks.values(), solved, strict=True):
            labels[records] = n_groups + block.labels
            n_groups += len(block.sizes)
            run.log.fallback_share += block.fallback_share * len(records) / self._problem.n
        self._labels = labels
        self._centroids = np.concatenate([block.centroids for block in solved])
        self._sizes = np.concatenate([block.sizes for block in solved])
        run.log.starts = max(run.log.starts, *(block.starts for block in solved))
        run.log.ended_by = _ended_by([run.log.ended_by, *(block.ended_by for block in solved)])
        self._sse = float(sum(block.sse for block in solved))
        progress.finish(self._sse)
        return self._sse


def _shares(sizes: list[int], n_workers: int) -> list[float]:
    """Return the share of the time left that each block may take when it begins: as much for each record."""
    left = np.cumsum(sizes[::-1])[::-1]
    return [n_workers * size / n_left for size, n_left in zip(sizes, left.tolist(), strict=True)]


def _ended_by(endings: list[Ending | None]) -> Ending | None:
    """Return what ended some work: time or a person, if they did, as it is not reproducible then."""
    found = [ending for ending in endings if ending is not None]
    return next((ending for ending in found if ending in ("time_limit", "cancelled")), found[0] if found else None)
