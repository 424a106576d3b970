"""Keep a candidate group for every record left: itself and its k − 1 nearest.

Equal records have the same nearest, so there is one group for each point at which records stand.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.equal_records import points_of
from microagg.kernels.geometry.record_blocks import Blocks, nearest
from microagg.kernels.grouping.growth import waiting_for
from microagg.kernels.jit import kernel
from microagg.model.arrays import FloatArray, IntArray


class Candidates(NamedTuple):
    """The candidate groups."""

    point_of: IntArray  # (n,) the point of each record
    points: FloatArray  # (n_points, d)
    near: IntArray  # (n_points, waiting) the nearest records of each, by distance, then index; some may have left
    filled: IntArray  # (n_points,) how many of them are known
    centroids: FloatArray  # (n_points, d) the centroid of the k first
    squares: FloatArray  # (n_points,) how far that was from the centroid of all, when `outermost` looked
    looked: IntArray  # (n_points,) how many were left then


def candidate_bytes(X: FloatArray, k: int) -> int:
    """Estimate the memory that the candidate groups take."""
    n, d = X.shape
    return int(8 * n * (min(n, waiting_for(k)) + 2 * d + 4))


def empty_candidates(X: FloatArray, k: int) -> Candidates:
    """Make room for the candidate groups of all records: O(n·(k + d)) memory."""
    point_of, firsts = points_of(X)
    m = len(firsts)
    return Candidates(
        point_of=point_of,
        points=X[firsts],
        near=np.empty((m, min(len(X), waiting_for(k))), dtype=np.int64),
        filled=np.zeros(m, dtype=np.int64),
        centroids=np.empty((m, X.shape[1])),
        squares=np.empty(m),
        looked=np.zeros(m, dtype=np.int64),
    )


@kernel
def fill(blocks: Blocks, left: int, X: FloatArray, k: int, candidates: Candidates, first: int, last: int) -> None:
    """Look up the candidate groups (OUT) of the points first … last − 1. O(left·d) each."""
    for point in range(first, last):
        _refill(blocks, left, X, k, candidates, point)


@kernel
def outermost(blocks: Blocks, left: int, X: FloatArray, k: int, candidates: Candidates) -> int:
    """Find the record whose candidate group, taken out, leaves the least sse in itself and in the rest.

    sse(group) + sse(rest) = sse(all) − k·left/(left − k)·|centroid of group − centroid of all|², so it is
    the one whose centroid is farthest out. Candidate groups that have lost a record are mended on the way (IN/OUT).
    """
    near, centroids, squares = candidates.near, candidates.centroids, candidates.squares
    best = -1
    for place in range(left):
        record = blocks.records[place]
        point = candidates.point_of[record]
        if candidates.looked[point] != left:
            candidates.looked[point] = left
            whole = True
            for i in range(k):
                whole &= blocks.places[near[point, i]] >= 0
            if not whole:
                _mend(blocks, left, X, k, candidates, point)
            total = 0.0
            for j in range(X.shape[1]):
                difference = centroids[point, j] - (blocks.sums[j] + blocks.lost[j]) / left
                total += difference * difference
            squares[point] = total
        if best < 0:
            best = record
        else:
            other = squares[candidates.point_of[best]]
            if squares[point] > other or (squares[point] == other and record < best):
                best = record
    return best


@kernel
def _mend(blocks: Blocks, left: int, X: FloatArray, k: int, candidates: Candidates, point: int) -> None:
    """Drop the neighbours that have left, and look for more if fewer than k stay."""
    near, stay = candidates.near[point], 0
    for i in range(candidates.filled[point]):
        if blocks.places[near[i]] >= 0:
            near[stay] = near[i]
            stay += 1
    candidates.filled[point] = stay
    if stay < k:
        _refill(blocks, left, X, k, candidates, point)
    else:
        _centre(X, k, candidates, point)


@kernel
def _refill(blocks: Blocks, left: int, X: FloatArray, k: int, candidates: Candidates, point: int) -> None:
    """Look up the nearest of a point anew."""
    filled = min(left, candidates.near.shape[1])
    places = np.empty(filled, dtype=np.int64)
    distances = np.empty(filled, dtype=np.int64)
    nearest(blocks, left, candidates.points[point], places, distances)
    for i in range(filled):
        candidates.near[point, i] = blocks.records[places[i]]
    candidates.filled[point] = filled
    _centre(X, k, candidates, point)


@kernel
def _centre(X: FloatArray, k: int, candidates: Candidates, point: int) -> None:
    for j in range(X.shape[1]):
        total = 0.0
        for i in range(k):
            total += X[candidates.near[point, i], j]
        candidates.centroids[point, j] = total / k
