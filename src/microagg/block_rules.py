"""Enforce rules of privacy on the groups of a divided problem, block by block."""

from typing import NamedTuple

import numpy as np

from microagg.constrain import constrain
from microagg.control.run import Run
from microagg.join import sum_of_costs
from microagg.model.arrays import IntArray
from microagg.model.group_rules import GroupRules
from microagg.model.partition import Partition
from microagg.model.rule_cost import RuleCost


class ConstrainedBlock(NamedTuple):
    """Groups of a block that satisfy the rules, without their points, and what each rule has cost."""

    labels: IntArray
    n_groups: int
    sst: float
    costs: tuple[RuleCost, ...]


def constrain_blocks(
    partition: Partition, blocks: list[IntArray], rules: GroupRules, run: Run
) -> tuple[Partition, tuple[RuleCost, ...]]:
    """Make all groups satisfy rules, in each block on its own; blocks that cannot satisfy them alone are joined.

    Parameters
    ----------
    partition
        Groups of at least k records.
    blocks
        Records of each block, which consists of whole groups.
    rules
        What each group must satisfy.
    run
        Limits, progress and workers.

    Returns
    -------
    Partition, tuple of RuleCost
        Groups that satisfy all rules, and what each rule has cost, in their order.

    Raises
    ------
    InputError
        If not even one group of all records satisfies a rule.
    """
    problem = partition.problem
    joined = _satisfiable(blocks, rules)

    def constrain_block(records: IntArray) -> ConstrainedBlock:
        start = Partition(problem.part(records), partition.labels[records])
        found, costs = constrain(start, rules.part(records), run.task(1.0))
        return ConstrainedBlock(found.labels, found.n_groups, found.problem.sst, costs)

    solved = run.workers.map(
        constrain_block, joined, lambda done: run.report("rules", done / len(joined), f"{done} of {len(joined)}")
    )
    labels = np.empty(problem.n, dtype=np.int64)
    n_groups = 0
    for records, block in zip(joined, solved, strict=True):
        labels[records] = n_groups + block.labels
        n_groups += block.n_groups
    shares = [block.sst / problem.sst if problem.sst else 0.0 for block in solved]
    return Partition(problem, labels), sum_of_costs(shares, [block.costs for block in solved])


def _satisfiable(blocks: list[IntArray], rules: GroupRules) -> list[IntArray]:
    """Join blocks with the next, until each could satisfy the rules as one group; what is left over joins those before.

    All records together satisfy them, or nothing does: so the joining ends.
    """
    joined: list[IntArray] = []
    waiting = np.zeros(0, dtype=np.int64)
    for records in blocks:
        waiting = np.sort(np.concatenate([waiting, records]))
        if is_satisfiable(rules.part(waiting)):
            joined.append(waiting)
            waiting = np.zeros(0, dtype=np.int64)
    while len(waiting) and joined:
        waiting = np.sort(np.concatenate([joined.pop(), waiting]))
        if is_satisfiable(rules.part(waiting)):
            break
    return [*joined, waiting] if len(waiting) else joined


def is_satisfiable(rules: GroupRules) -> bool:
    """Check whether one group of all records that rules are about satisfies them: else no groups of these records do.

    Parameters
    ----------
    rules
        The rules about some records.
    """
    n_records = rules.rules[0].n_records if rules else 1
    return not rules.violated(np.zeros(n_records, dtype=np.int64)).any()
