"""Split tree: a binary tree of half-spaces that sends every point to one of its leaves.

The tree is built on a sample that is part of the data. Every leaf holds at least some number of sample points, and
points are routed by the same arithmetic that has built the tree: so it holds at least as many points of the data.
"""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from microagg.kernels.geometry.principal_axes import principal_axes
from microagg.kernels.jit import inner_kernel, kernel
from microagg.kernels.tick import Tick, no_tick
from microagg.model.arrays import BoolArray, FloatArray, IntArray, read_only

_ROUTED_AT_ONCE = 2**16  # points
_LEAST_SIDE = 0.35  # of the leaves below a cut, where walls are to wander
_WALL_SHIFT = 0.25  # of a leaf: how far a cut is moved at most, where walls are to wander


class SplitTree(NamedTuple):
    """Nodes of a split tree, the root first; a tree of one leaf has none.

    A point is below the cut of a node if its product with the node's axis is; then it goes to the first child.
    """

    axes: FloatArray  # (n_nodes, d)
    cuts: FloatArray  # (n_nodes,)
    children: IntArray  # (n_nodes, 2) the index of a node, or −1 − the number of a leaf
    n_leaves: int


def build_tree(sample: FloatArray, leaf_size: float, min_points: int, rng: Generator | None = None) -> SplitTree:
    """Split sample points into leaves of nearly equal size.

    A part is cut along its principal axis, with half of its leaves on either side; or, with `rng`, along a random
    direction drawn from its covariance, nearly so, so that every tree has other walls. Where many points have the same
    place on the axis, the cut is between two places as near as possible; where that leaves fewer than `min_points` on a
    side, along the columns, the one of greatest variance first. Leaves are numbered from the first child to the second,
    so that leaves with neighbouring numbers are near each other.

    Parameters
    ----------
    sample
        The points, of shape (any number, d).
    leaf_size
        The number of points that a leaf has about: at most half as many again, unless it cannot be split.
    min_points
        The smallest number of points of a leaf, unless there are fewer in all.
    rng
        Where the directions are drawn from; None: principal axes.
    """
    axes: list[FloatArray] = []
    cuts: list[float] = []
    children: list[list[int]] = []
    n_leaves = 0
    waiting = [(np.arange(len(sample)), -1, 0)]  # points, parent, which child of it they are
    while waiting:
        points, parent, which = waiting.pop()
        n_parts = round(len(points) / leaf_size)
        split = _split(sample[points], n_parts, min_points, rng) if n_parts > 1 else None
        if split is None:
            number = -1 - n_leaves
            n_leaves += 1
        else:
            axis, cut, is_below = split
            number = len(axes)
            axes.append(axis)
            cuts.append(cut)
            children.append([0, 0])
            waiting.append((points[~is_below], number, 1))
            waiting.append((points[is_below], number, 0))
        if parent >= 0:
            children[parent][which] = number
    d = sample.shape[1]
    return SplitTree(
        np.array(axes, dtype=np.float64).reshape(-1, d),
        np.array(cuts, dtype=np.float64),
        np.array(children, dtype=np.int64).reshape(-1, 2),
        n_leaves,
    )


def route(tree: SplitTree, X: FloatArray, tick: Tick = no_tick) -> IntArray:
    """Return the leaf of each point, of shape (n,): O(d·depth) for each."""
    leaves = np.zeros(len(X), dtype=np.int64)
    if len(tree.cuts):
        for first in range(0, len(X), _ROUTED_AT_ONCE):
            tick(first / len(X))
            some = slice(first, first + _ROUTED_AT_ONCE)
            points = np.ascontiguousarray(X[some]).view()
            read_only(points)  # whether or not the caller may write to them: numba would compile the kernel for either
            _route(tree, points, leaves[some])
    return leaves


def _split(
    points: FloatArray, n_parts: int, min_points: int, rng: Generator | None
) -> tuple[FloatArray, float, BoolArray] | None:
    """Return axis and cut of what will be several leaves, and which points are below; None if it cannot be split."""
    centred = points - points.mean(axis=0)
    share = _share_below(n_parts, rng)
    for axis in _axes(centred, rng):
        along = np.empty(len(points))
        _project(points, axis, along)
        cut = _cut(along, share, min_points)
        if cut is not None:
            return axis, cut, along < cut
    return None


def _share_below(n_parts: int, rng: Generator | None) -> float:
    """Return the share of the points that a cut leaves below it: enough for about half of the leaves."""
    if rng is None:
        return (n_parts // 2) / n_parts
    n_below = round(rng.uniform(_LEAST_SIDE, 1 - _LEAST_SIDE) * n_parts)
    shift = rng.uniform(-_WALL_SHIFT, _WALL_SHIFT)
    return float(min(max(n_below, 1), n_parts - 1) + shift) / n_parts


def _axes(centred: FloatArray, rng: Generator | None) -> list[FloatArray]:
    """Return the axes to try: the principal or a random one, then the columns."""
    d = centred.shape[1]
    scale = np.abs(centred).max(initial=0.0)
    if scale == 0.0:
        return []
    scaled = centred / scale
    if rng is None:
        first = principal_axes(scaled.T @ scaled)[:, 0]
    else:
        first = scaled.T @ rng.standard_normal(len(scaled))
    first = first / np.abs(first).max(initial=np.finfo(np.float64).tiny)
    by_variance = np.argsort(-np.square(scaled).sum(axis=0), kind="stable")
    return [np.ascontiguousarray(first), *np.eye(d)[by_variance]]


def _cut(along: FloatArray, share: float, min_points: int) -> float | None:
    """Return the place on an axis that leaves this share of the points below it, as nearly as ties allow."""
    places = np.sort(along)
    starts = np.flatnonzero(places[1:] > places[:-1]) + 1  # how many points are below each possible cut
    starts = starts[(starts >= min_points) & (len(places) - starts >= min_points)]
    if not len(starts):
        return None
    n_below = starts[np.abs(starts - share * len(places)).argmin()]
    return float(places[n_below])


@inner_kernel
def _place(point: FloatArray, axis: FloatArray) -> float:
    """Return the product of a point and an axis, summed in the order of the columns: O(d)."""
    place = 0.0
    for j in range(len(axis)):
        place += point[j] * axis[j]
    return place


@kernel
def _project(points: FloatArray, axis: FloatArray, along: FloatArray) -> None:
    """Compute the place of each point on an axis (OUT in `along`): O(n·d)."""
    for i in range(len(points)):
        along[i] = _place(points[i], axis)


@kernel
def _route(tree: SplitTree, points: FloatArray, leaves: IntArray) -> None:
    """Find the leaf of each point (OUT in `leaves`): O(n·d·depth)."""
    for i in range(len(points)):
        node = 0
        while node >= 0:
            is_above = _place(points[i], tree.axes[node]) >= tree.cuts[node]
            node = tree.children[node, 1 if is_above else 0]
        leaves[i] = -1 - node
