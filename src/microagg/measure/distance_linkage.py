"""Distance-based record linkage: how often the nearest released record of an original one is its own."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from microagg.control.run import Run
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.released_classes import ReleasedClasses
from microagg.model.arrays import BoolArray, FloatArray, IntArray, is_all
from microagg.model.pair_codes import pair_codes

_STAGE = "linkage by distance"


class DistanceLinkage(NamedTuple):
    """Probability that each original record is linked to its own released one.

    Parameters
    ----------
    nearest
        1/(number of released records at the least distance) if its own is among them, else 0; of shape (n,).
    nearest_two
        1/(number of released records at its own point) if at most one other point is nearer, else 0; of shape (n,).
    """

    nearest: FloatArray
    nearest_two: FloatArray


class _Points(NamedTuple):
    """Original records and released classes as points."""

    X: FloatArray  # (n, d)
    missing: BoolArray | None  # (n, d)
    released: FloatArray  # (n_classes, d)


@dataclass(frozen=True)
class _PartTick:
    """Progress callback of one part of the records."""

    run: Run
    n_before: int
    n_part: int
    n: int

    def __call__(self, done: float | None = None) -> None:
        self.run.tick(_STAGE, (self.n_before + (done or 0.0) * self.n_part) / self.n)


def link_by_distance(tables: ComparedTables, classes: ReleasedClasses, run: Run) -> DistanceLinkage:
    """Link every original record to the released records that are nearest to it.

    Distances are those of the encoding, over the cells that the original record has; a released value that is missing
    there stands at the mean of its column. O(n·n_classes·d) at worst, mostly far less; memory O(n·d).

    Parameters
    ----------
    tables
        The original and the release.
    classes
        Classes of the release.
    run
        Reports progress, checks whether to go on, and shares the work among threads.

    Returns
    -------
    DistanceLinkage
        Probabilities: at most 1/k in a released class of k records.

    Raises
    ------
    StoppedError
        If the run must end.
    """
    points = _encode(tables, classes.firsts)
    n = classes.n_records
    linkage = DistanceLinkage(np.zeros(n), np.zeros(n))
    n_done = 0
    for records, present in _by_missing_cells(points):
        X = points.X if is_all(records, n) else points.X[records]
        tick = _PartTick(run, n_done, len(records), n)
        found = _link(_columns(X, present), _columns(points.released, present), classes, records, tick)
        linkage.nearest[records] = found.nearest
        linkage.nearest_two[records] = found.nearest_two
        n_done += len(records)
    return linkage


def _encode(tables: ComparedTables, firsts: IntArray) -> _Points:
    """Encode all original records, and the first one of each released class."""
    originals = []
    released = []
    for encoded in tables.encoding.columns:
        before, after = tables.pair(encoded)
        originals.append(encoded.read(before))
        released.append(encoded.read(after.in_order(firsts)))
    X, missing = tables.encoding.coordinates(originals)
    return _Points(X, missing, tables.encoding.coordinates(released)[0])


def _by_missing_cells(points: _Points) -> Iterator[tuple[IntArray, BoolArray]]:
    """Yield records that lack the same coordinates, and which coordinates they have."""
    n, d = points.X.shape
    if points.missing is None:
        yield np.arange(n), np.ones(d, dtype=np.bool_)
        return
    pattern = np.zeros(n, dtype=np.int64)
    for lacking in points.missing.T:
        if lacking.any():
            pattern = np.unique(pair_codes(pattern, lacking.astype(np.int64)), return_inverse=True)[1].astype(np.int64)
    order = np.argsort(pattern, kind="stable")
    for records in np.split(order, np.cumsum(np.bincount(pattern))[:-1]):
        yield records, ~points.missing[records[0]]


def _columns(X: FloatArray, present: BoolArray) -> FloatArray:
    """Return the coordinates that are there; one that is 0 everywhere where none is."""
    if not present.any():
        return np.zeros((len(X), 1))
    return X if present.all() else np.ascontiguousarray(X[:, present])


def _link(
    X: FloatArray, released: FloatArray, classes: ReleasedClasses, records: IntArray, tick: _PartTick
) -> DistanceLinkage:
    """Link records that have every coordinate; classes that are equal in these are one point."""
    from microagg.kernels.geometry.equal_records import distinct_points
    from microagg.kernels.geometry.nearer_points import count_nearer

    point_of, firsts = distinct_points(released)
    sizes = np.bincount(point_of, weights=classes.sizes).astype(np.int64)
    own = point_of[classes.labels[records]]
    found = count_nearer(X, released[firsts], sizes, own, tick, tick.run.workers.map)
    is_nearest = found.n_nearer == 0
    nearest = np.zeros(len(X))
    nearest[is_nearest] = 1.0 / found.n_tied[is_nearest]
    return DistanceLinkage(nearest, np.where(found.n_nearer < 2, 1.0 / sizes[own], 0.0))
