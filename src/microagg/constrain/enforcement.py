"""Enforce rules on the groups of a partition."""

from collections.abc import Iterator

from microagg.constrain.constrained_rounds import refine
from microagg.constrain.legal_starts import grown, merged
from microagg.constrain.ruled_problem import RuledProblem
from microagg.control.round_progress import RoundProgress
from microagg.control.run import Run
from microagg.control.stopping import StoppedError
from microagg.model.arrays import IntArray
from microagg.model.group_rules import GroupRules
from microagg.model.partition import Partition


def enforce(partition: Partition, rules: GroupRules, run: Run) -> Partition:
    """Return the better of two partitions that satisfy rules: of groups merged, and of groups grown to satisfy them.

    One group of all records must satisfy the rules. Both partitions are refined with the rules kept, so that they are
    legal whenever the run ends.
    """
    problem = partition.problem
    ruled = RuledProblem(problem, rules)
    progress = RoundProgress("rules", problem, run)
    found = [merged(ruled, partition.labels, progress.ticker(0, partition.sse))]
    try:
        for start in _starts(ruled, found[0], progress):
            groups = ruled.groups(start)
            found.append(groups.labels)
            refine(ruled, groups, progress)
    except StoppedError:
        pass
    return min((Partition(problem, labels) for labels in found), key=lambda one: one.sse)


def _starts(ruled: RuledProblem, first: IntArray, progress: RoundProgress) -> Iterator[IntArray]:
    """Yield the merged groups, then grown ones."""
    yield first
    other = grown(ruled, progress.ticker(0, ruled.problem.sst))
    if other is not None:
        yield other
