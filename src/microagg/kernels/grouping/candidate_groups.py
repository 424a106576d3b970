"""A candidate group for every record left: the record and its k − 1 nearest.

Equal records have the same nearest, so there is one candidate group for each distinct point.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.geometry.equal_records import distinct_points
from microagg.kernels.geometry.record_blocks import Blocks, compute_centroid, nearest
from microagg.kernels.grouping.growth import shortlist_length
from microagg.kernels.jit import inner_kernel, kernel
from microagg.model.arrays import FloatArray, IntArray


class Candidates(NamedTuple):
    """Candidate groups."""

    point_of: IntArray  # (n,) the point of each record
    points: FloatArray  # (n_points, d)
    neighbours: IntArray  # (n_points, length) the records nearest to each, by distance, then index; some may have left
    n_neighbours: IntArray  # (n_points,) how many of them are known
    centroids: FloatArray  # (n_points, d) the centroid of the k first of them
    squares: FloatArray  # (n_points,) its squared distance from the centroid of all records left, when last measured
    sses: FloatArray  # (n_points,) the sse of the k first of them, -1 if it is not computed
    measured_at: IntArray  # (n_points,) how many records were left then


def candidate_bytes(X: FloatArray, k: int) -> int:
    """Estimate the memory of the candidate groups."""
    n, d = X.shape
    return int(8 * n * (min(n, shortlist_length(k)) + 2 * d + 5))


def empty_candidates(X: FloatArray, k: int) -> Candidates:
    """Allocate the candidate groups of all records: O(n·(k + d)) memory."""
    point_of, firsts = distinct_points(X)
    n_points = len(firsts)
    return Candidates(
        point_of=point_of,
        points=X[firsts],
        neighbours=np.empty((n_points, min(len(X), shortlist_length(k))), dtype=np.int64),
        n_neighbours=np.zeros(n_points, dtype=np.int64),
        centroids=np.empty((n_points, X.shape[1])),
        squares=np.empty(n_points),
        sses=np.empty(n_points),
        measured_at=np.zeros(n_points, dtype=np.int64),
    )


@kernel
def fill_candidates(
    blocks: Blocks, n_left: int, X: FloatArray, k: int, candidates: Candidates, first: int, last: int
) -> None:
    """Find the candidate groups (OUT) of the points first … last − 1: O(n_left·d) each."""
    for point in range(first, last):
        _find_neighbours(blocks, n_left, X, k, candidates, point)


@kernel
def best_candidate(blocks: Blocks, n_left: int, X: FloatArray, k: int, candidates: Candidates) -> int:
    """Find the record whose candidate group, taken out, leaves the least sse in itself and in the rest.

    sse(group) + sse(rest) = sse(all) − k·m/(m − k)·‖centroid of group − centroid of all‖² for m records left, so it is
    the one whose centroid is farthest out; ties go to the lowest record. Candidate groups that have lost a record are
    repaired (IN/OUT). O(n_left + n_points·(k + d)), and O(n_left·d) more for a group that needs new neighbours.
    """
    centroid = np.empty((1, X.shape[1]))
    compute_centroid(blocks, n_left, centroid[0])
    best = -1
    best_squares = 0.0
    for place in range(n_left):
        record = blocks.records[place]
        point = candidates.point_of[record]
        if candidates.measured_at[point] != n_left:
            candidates.measured_at[point] = n_left
            if not _is_complete(blocks, k, candidates, point):
                _repair(blocks, n_left, X, k, candidates, point)
            candidates.squares[point] = squared_distance(candidates.centroids, point, centroid, 0)
        squares = candidates.squares[point]
        if best < 0 or squares > best_squares or (squares == best_squares and record < best):
            best = record
            best_squares = squares
    return best


@kernel
def extreme_candidate(blocks: Blocks, n_left: int, X: FloatArray, k: int, candidates: Candidates, densest: bool) -> int:
    """Find the record whose candidate group has the least sse or, unless `densest`, the largest.

    Ties go to the lowest record. Candidate groups that have lost a record are repaired (IN/OUT).
    O(n_left + n_points·k), O(k·d) more for a group that is repaired, and O(n_left·d) for one that needs new neighbours.
    """
    best = -1
    best_sse = 0.0
    for place in range(n_left):
        record = blocks.records[place]
        point = candidates.point_of[record]
        if candidates.measured_at[point] != n_left:
            candidates.measured_at[point] = n_left
            if not _is_complete(blocks, k, candidates, point):
                _repair(blocks, n_left, X, k, candidates, point)
        if candidates.sses[point] < 0.0:
            candidates.sses[point] = _candidate_sse(X, k, candidates, point)
        sse = candidates.sses[point]
        is_better = sse < best_sse if densest else sse > best_sse
        if best < 0 or is_better or (sse == best_sse and record < best):
            best = record
            best_sse = sse
    return best


@inner_kernel
def _candidate_sse(X: FloatArray, k: int, candidates: Candidates, point: int) -> float:
    """Compute the sse of a candidate group: O(k·d)."""
    sse = 0.0
    for i in range(k):
        sse += squared_distance(X, candidates.neighbours[point, i], candidates.centroids, point)
    return sse


@inner_kernel
def _is_complete(blocks: Blocks, k: int, candidates: Candidates, point: int) -> bool:
    """Check whether none of the k records of a candidate group has left: O(k)."""
    complete = True
    for i in range(k):
        complete &= blocks.places[candidates.neighbours[point, i]] >= 0
    return complete


@inner_kernel
def _repair(blocks: Blocks, n_left: int, X: FloatArray, k: int, candidates: Candidates, point: int) -> None:
    """Drop a point's neighbours that have left, and find new ones if fewer than k stay (IN/OUT): O(k·d) mostly."""
    neighbours = candidates.neighbours[point]
    n_staying = 0
    for i in range(candidates.n_neighbours[point]):
        if blocks.places[neighbours[i]] >= 0:
            neighbours[n_staying] = neighbours[i]
            n_staying += 1
    candidates.n_neighbours[point] = n_staying
    if n_staying < k:
        _find_neighbours(blocks, n_left, X, k, candidates, point)
    else:
        _update_centroid(X, k, candidates, point)


@inner_kernel
def _find_neighbours(blocks: Blocks, n_left: int, X: FloatArray, k: int, candidates: Candidates, point: int) -> None:
    """Find the records left that are nearest to a point (OUT in `candidates`): O(n_left·d)."""
    length = min(n_left, candidates.neighbours.shape[1])
    places = np.empty(length, dtype=np.int64)
    square_bits = np.empty(length, dtype=np.int64)
    nearest(blocks, n_left, candidates.points[point], places, square_bits)
    for i in range(length):
        candidates.neighbours[point, i] = blocks.records[places[i]]
    candidates.n_neighbours[point] = length
    _update_centroid(X, k, candidates, point)


@inner_kernel
def _update_centroid(X: FloatArray, k: int, candidates: Candidates, point: int) -> None:
    """Compute the centroid of a candidate group, and forget its sse (OUT in `candidates`): O(k·d)."""
    candidates.sses[point] = -1.0
    for j in range(X.shape[1]):
        total = 0.0
        for i in range(k):
            total += X[candidates.neighbours[point, i], j]
        candidates.centroids[point, j] = total / k
