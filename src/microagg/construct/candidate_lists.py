"""Candidate groups of all records, for constructors that choose the best of them again and again."""

from typing import TYPE_CHECKING

from microagg.construct.memory_check import check_memory
from microagg.construct.partial_grouping import PartialGrouping

if TYPE_CHECKING:
    from microagg.kernels.grouping.candidate_groups import Candidates


def candidate_groups(grouping: PartialGrouping, method: str, memory_limit: float) -> "Candidates":
    """List a candidate group for each record: the record and its k − 1 nearest, and more that can replace them.

    O(n·(k + d)) memory, O(n²·d) time.

    Parameters
    ----------
    grouping
        The records, none of them grouped yet.
    method
        The name of the method, for reports and errors.
    memory_limit
        The bytes that the lists may take: if they need more, that is an error before any work.
    """
    from microagg.kernels.grouping.candidate_groups import candidate_bytes, empty_candidates, fill_candidates
    from microagg.kernels.tick import steps_per_tick

    X, k = grouping.X, grouping.k
    nearest = f"the nearest of {len(X)} records at k = {k}"
    check_memory(method, nearest, candidate_bytes(X, k), memory_limit, "cbfs-nn")
    candidates = empty_candidates(X, k)
    n_points = len(candidates.points)
    step = steps_per_tick(X.size + 8 * len(X) * k)
    for start in range(0, n_points, step):
        grouping.run.tick(f"{method}: nearest records", start / n_points)
        fill_candidates(grouping.blocks, grouping.n_left, X, k, candidates, start, min(start + step, n_points))
    return candidates
