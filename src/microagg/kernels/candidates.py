"""Keep a candidate group for every record left: itself and its k − 1 nearest."""

from typing import NamedTuple

import numpy as np

from microagg.arrays import FloatArray, IntArray
from microagg.kernels._jit import kernel
from microagg.kernels.blocks import Blocks, nearest

_WAITING = 4  # times k: how many of its nearest a record keeps in wait


class Candidates(NamedTuple):
    """The candidate groups."""

    near: IntArray  # (n, waiting) the nearest of each record, by distance, then index; some may have left
    filled: IntArray  # (n,) how many of them are known
    centroids: FloatArray  # (n, d) the centroid of the k first


def empty_candidates(X: FloatArray, k: int) -> Candidates:
    """Make room for the candidate groups of all records: O(n·(k + d)) memory."""
    n, d = X.shape
    return Candidates(np.empty((n, min(n, _WAITING * k)), np.int64), np.zeros(n, np.int64), np.empty((n, d)))


@kernel
def fill(blocks: Blocks, left: int, X: FloatArray, k: int, candidates: Candidates, first: int, last: int) -> None:
    """Look up the candidate groups (OUT) of the records at the places first … last − 1. O(left·d) each."""
    for place in range(first, last):
        _refill(blocks, left, X, k, candidates, blocks.records[place])


@kernel
def outermost(blocks: Blocks, left: int, X: FloatArray, k: int, candidates: Candidates) -> int:
    """Find the record whose candidate group, taken out, leaves the least sse in itself and in the rest.

    sse(group) + sse(rest) = sse(all) − k·left/(left − k)·|centroid of group − centroid of all|², so it is
    the one whose centroid is farthest out. Candidate groups that have lost a record are mended on the way (IN/OUT).
    """
    d = X.shape[1]
    best, best_squares = -1, -1.0
    for place in range(left):
        record = blocks.records[place]
        whole = True
        for i in range(k):
            whole &= blocks.places[candidates.near[record, i]] >= 0
        if not whole:
            _mend(blocks, left, X, k, candidates, record)
        squares = 0.0
        for j in range(d):
            difference = candidates.centroids[record, j] - blocks.sums[j] / left
            squares += difference * difference
        if squares > best_squares or (squares == best_squares and record < best):
            best, best_squares = record, squares
    return best


@kernel
def _mend(blocks: Blocks, left: int, X: FloatArray, k: int, candidates: Candidates, record: int) -> None:
    """Drop the neighbours that have left, and look for more if fewer than k stay."""
    near, stay = candidates.near[record], 0
    for i in range(candidates.filled[record]):
        if blocks.places[near[i]] >= 0:
            near[stay] = near[i]
            stay += 1
    candidates.filled[record] = stay
    if stay < k:
        _refill(blocks, left, X, k, candidates, record)
    else:
        _centre(X, k, candidates, record)


@kernel
def _refill(blocks: Blocks, left: int, X: FloatArray, k: int, candidates: Candidates, record: int) -> None:
    """Look up the nearest of a record anew."""
    filled = min(left, candidates.near.shape[1])
    places = np.empty(filled, dtype=np.int64)
    distances = np.empty(filled, dtype=np.int64)
    nearest(blocks, left, X[record], places, distances)
    for i in range(filled):
        candidates.near[record, i] = blocks.records[places[i]]
    candidates.filled[record] = filled
    _centre(X, k, candidates, record)


@kernel
def _centre(X: FloatArray, k: int, candidates: Candidates, record: int) -> None:
    for j in range(X.shape[1]):
        total = 0.0
        for i in range(k):
            total += X[candidates.near[record, i], j]
        candidates.centroids[record, j] = total / k
