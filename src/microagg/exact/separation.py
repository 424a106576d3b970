"""Cut off parts of columns: find rank-1 cuts that they break, and no choice of whole columns does."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.random import Generator

from microagg.control.workers import Workers
from microagg.lp.group_columns import Columns, Rows
from microagg.model.arrays import FloatArray, IntArray

if TYPE_CHECKING:
    from microagg.kernels.pricing.violated_cuts import Parts

_SOME = 1e-6  # a part that is none, or all
_BROKEN = 0.001  # by less than that, a cut is not worth a row
_DENOMINATORS = (3, 4, 5, 6, 7)
_MOST, _NEAR = 9, 24  # records of a cut, and of a neighbourhood in which it is looked for
_STEPS = 1500  # of the search in each neighbourhood
_EACH = 15  # cuts of a round that a record may be in
_SLICE = 32  # neighbourhoods between two looks at whether to go on


class _Found(NamedTuple):
    """Hold cuts, each a row of records and weights; the rest of a row has no weight."""

    records: IntArray
    weights: IntArray
    denominators: IntArray
    broken: FloatArray


def separate(
    columns: Columns,
    parts: FloatArray,
    most: int,
    rng: Generator,
    workers: Workers,
    hear: Callable[[], None],
) -> Rows:
    """Find cuts that parts of columns break: those that are broken most, a few for each record.

    First those of three records, weights 1 and q = 2 (subset-row cuts), from the triangles of the graph of records that
    share columns; then those of up to nine records and q up to 7, by a random search.

    Parameters
    ----------
    most
        Cuts that are wanted.

    References
    ----------
    Jepsen, Petersen, Spoorendonk & Pisinger (2008), Subset-row inequalities applied to the vehicle-routing problem with
    time windows, Operations Research 56(2). Pecin, Pessoa, Poggi, Uchoa & Santos (2017), Limited memory rank-1 cuts for
    vehicle routing problems, Operations Research Letters 45(3).
    """
    from microagg.kernels.pricing.violated_cuts import Parts, broken_triangles, neighbourhoods, shared_parts

    some = np.flatnonzero((parts > _SOME) & (parts < 1 - _SOME))
    if not len(some):
        return Rows.none(columns.n)
    chosen = columns.only(some)
    members, places = np.unique(chosen.records, return_inverse=True)  # only these are in parts of columns
    numbers = np.repeat(np.arange(len(some)), np.diff(chosen.starts))
    order = np.argsort(places, kind="stable")
    firsts = np.searchsorted(places[order], np.arange(len(members) + 1))
    fraction = Parts(chosen.starts, places.astype(np.int64), parts[some], firsts, numbers[order])
    shared = shared_parts(fraction)
    triples, broken = broken_triangles(fraction, shared, _BROKEN)
    ones = np.ones_like(triples)
    found = [_Found(members[triples], ones, np.full(len(triples), 2), broken)]
    near = neighbourhoods(shared, _NEAR)
    found += _anneal(fraction, near, members, rng, workers, hear)
    return _best(columns.n, found, most)


def _anneal(
    fraction: "Parts",
    near: IntArray,
    members: IntArray,
    rng: Generator,
    workers: Workers,
    hear: Callable[[], None],
) -> list[_Found]:
    """Look for cuts around each record, for each denominator."""
    from microagg.kernels.pricing.violated_cuts import anneal

    slices = [near[first : first + _SLICE] for first in range(0, len(near), _SLICE)]
    tasks = [(some, q) for q in _DENOMINATORS for some in slices]

    def look(some: IntArray, q: int, own: Generator) -> _Found:
        weights, broken = np.zeros_like(some), np.zeros(len(some))
        anneal(fraction, some, q, _MOST, _STEPS, own, weights, broken)
        there = broken > _BROKEN
        return _Found(members[some[there]], weights[there], np.full(there.sum(), q), broken[there])

    rngs = rng.spawn(len(tasks))
    futures = [workers.submit(look, *task, own) for task, own in zip(tasks, rngs, strict=True)]
    found = []
    try:
        for future in futures:
            found.append(future.result())
            hear()
    finally:
        for future in futures:
            future.cancel()
    return found


def _best(n: int, found: list[_Found], most: int) -> Rows:
    """Take those that are broken most, at most so many, and so many of each record, none twice."""
    listed = [
        (-broken, int(q), tuple(sorted((int(r), int(w)) for r, w in zip(records, weights, strict=True) if w)))
        for some in found
        for records, weights, q, broken in zip(*some, strict=True)
    ]
    used, known = np.zeros(n, dtype=np.int64), set()
    taken: list[tuple[int, tuple[tuple[int, int], ...]]] = []
    for _, q, terms in sorted(listed):
        records = [record for record, _ in terms]
        if len(taken) == most:
            break
        if (q, terms) not in known and used[records].max() < _EACH:
            known.add((q, terms))
            used[records] += 1
            taken.append((q, terms))
    if not taken:
        return Rows.none(n)
    starts = np.cumsum([0, *(len(terms) for _, terms in taken)])
    records, weights = np.array([term for _, terms in taken for term in terms]).T
    denominators = np.array([q for q, _ in taken])
    return Rows(n, starts, records.copy(), weights.copy(), denominators)
