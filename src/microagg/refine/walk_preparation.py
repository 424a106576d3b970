"""Preparation of refiners that walk through the groups again and again."""

from typing import TYPE_CHECKING

from microagg.control.round_progress import RoundProgress
from microagg.model.partition import Partition

if TYPE_CHECKING:
    from microagg.kernels.walks.walk_context import WalkContext


def prepare_walks(
    partition: Partition, progress: RoundProgress, n_neighbours: int, max_distance_records: int = 0
) -> "WalkContext":
    """Compute what all walks over the same records share.

    Parameters
    ----------
    partition
        The partition whose records are walked over.
    progress
        The progress of the refiner, before its first round.
    n_neighbours
        The length of each record's neighbour list, which is searched first for the next group: the more walks, the
        longer lists are worth their computation.
    max_distance_records
        The number of records up to which all their distances are kept.
    """
    from microagg.kernels.geometry.approximate_neighbours import neighbours_near
    from microagg.kernels.geometry.distances import distance_matrix
    from microagg.kernels.walks.walk_context import make_walk_context

    def tick(done: float | None = None) -> None:
        progress.report(0, partition.sse)

    tick()
    X = partition.problem.X
    near = neighbours_near(X, min(len(X) - 1, n_neighbours), tick, progress.run.workers.map)
    return make_walk_context(X, near, distance_matrix(X, tick) if len(X) <= max_distance_records else None)
