"""Separation of rank-1 cuts that a fractional solution violates."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.random import Generator

from microagg.control.workers import Workers
from microagg.kernels.tick import Tick
from microagg.lp.group_columns import GroupColumns
from microagg.lp.lp_solution import INTEGRALITY_TOL
from microagg.lp.rank_one_cuts import RankOneCuts
from microagg.model.arrays import FloatArray, IntArray

if TYPE_CHECKING:
    from microagg.kernels.pricing.violated_cuts import FractionalColumns

_MIN_VIOLATION = 0.001  # of a cut that is worth a row
_DENOMINATORS = (3, 4, 5, 6, 7)  # besides 2
_MAX_RECORDS_PER_CUT = 9
_NEIGHBOURHOOD_SIZE = 24  # records among which a cut is searched for
_ANNEALING_STEPS = 1500  # in each neighbourhood
_MAX_CUTS_PER_RECORD = 15  # of a round
_NEIGHBOURHOODS_PER_CALL = 32

Terms = tuple[tuple[int, int], ...]
"""The records of a cut and their weights."""


class _Violated(NamedTuple):
    """Violated cuts, each a row of records and weights; the rest of a row has weight 0."""

    records: IntArray
    weights: IntArray
    denominators: IntArray
    violations: FloatArray


class _FractionalSupport(NamedTuple):
    """Columns of fractional value, over the records that they hold, renumbered."""

    table: "FractionalColumns"
    records: IntArray  # the record of each new number


def separate(
    columns: GroupColumns, values: FloatArray, max_cuts: int, rng: Generator, workers: Workers, tick: Tick
) -> RankOneCuts:
    """Find cuts that the values of columns violate: the most violated ones, a few for each record.

    First subset-row cuts (three records, weights 1 and q = 2) from the triangles of the graph of records that share
    columns; then cuts of up to nine records and q up to 7, by simulated annealing.

    References
    ----------
    Jepsen, Petersen, Spoorendonk & Pisinger (2008), Subset-row inequalities applied to the vehicle-routing problem with
    time windows, Operations Research 56(2). Pecin, Pessoa, Poggi, Uchoa & Santos (2017), Limited memory rank-1 cuts for
    vehicle routing problems, Operations Research Letters 45(3).
    """
    from microagg.kernels.pricing.violated_cuts import neighbourhoods, shared_values, violated_triples

    support = _fractional_support(columns, values)
    if support is None:
        return RankOneCuts.empty(columns.n)
    shared = shared_values(support.table)
    triples, violations = violated_triples(support.table, shared, _MIN_VIOLATION)
    subset_rows = _Violated(support.records[triples], np.ones_like(triples), np.full(len(triples), 2), violations)
    near = neighbourhoods(shared, _NEIGHBOURHOOD_SIZE)
    annealed = _annealed_cuts(support, near, rng, workers, tick)
    return _cuts_of_terms(columns.n, _most_violated(columns.n, [subset_rows, *annealed], max_cuts))


def _fractional_support(columns: GroupColumns, values: FloatArray) -> _FractionalSupport | None:
    """Return the columns of fractional value; None where there are none."""
    from microagg.kernels.pricing.violated_cuts import FractionalColumns

    which = np.flatnonzero((values > INTEGRALITY_TOL) & (values < 1 - INTEGRALITY_TOL))
    if not len(which):
        return None
    fractional = columns.select(which)
    records, places = np.unique(fractional.records, return_inverse=True)
    column_numbers = np.repeat(np.arange(len(which)), np.diff(fractional.starts))
    order = np.argsort(places, kind="stable")
    record_starts = np.searchsorted(places[order], np.arange(len(records) + 1))
    table = FractionalColumns(
        fractional.starts, places.astype(np.int64), values[which], record_starts, column_numbers[order]
    )
    return _FractionalSupport(table, records)


def _annealed_cuts(
    support: _FractionalSupport, near: IntArray, rng: Generator, workers: Workers, tick: Tick
) -> list[_Violated]:
    """Search for cuts around each record, for each denominator."""
    from microagg.kernels.pricing.violated_cuts import anneal_cuts

    def search(some: IntArray, q: int, own: Generator) -> _Violated:
        weights = np.zeros_like(some)
        violations = np.zeros(len(some))
        anneal_cuts(support.table, some, q, _MAX_RECORDS_PER_CUT, _ANNEALING_STEPS, own, weights, violations)
        found = violations > _MIN_VIOLATION
        return _Violated(support.records[some[found]], weights[found], np.full(found.sum(), q), violations[found])

    slices = [near[first : first + _NEIGHBOURHOODS_PER_CALL] for first in range(0, len(near), _NEIGHBOURHOODS_PER_CALL)]
    tasks = [(some, q) for q in _DENOMINATORS for some in slices]
    rngs = rng.spawn(len(tasks))
    futures = [workers.submit(search, *task, own) for task, own in zip(tasks, rngs, strict=True)]
    found = []
    try:
        for future in futures:
            found.append(future.result())
            tick()
    finally:
        for future in futures:
            future.cancel()
    return found


def _most_violated(n: int, found: list[_Violated], max_cuts: int) -> list[tuple[int, Terms]]:
    """Return denominators and terms of the most violated cuts, none twice, and each record in a few only."""
    listed = [
        (-violation, int(q), tuple(sorted((int(r), int(w)) for r, w in zip(records, weights, strict=True) if w)))
        for some in found
        for records, weights, q, violation in zip(*some, strict=True)
    ]
    cuts_of_record = np.zeros(n, dtype=np.int64)
    known = set()
    taken: list[tuple[int, Terms]] = []
    for _, q, terms in sorted(listed):
        if len(taken) == max_cuts:
            break
        records = [record for record, _ in terms]
        if (q, terms) not in known and cuts_of_record[records].max() < _MAX_CUTS_PER_RECORD:
            known.add((q, terms))
            cuts_of_record[records] += 1
            taken.append((q, terms))
    return taken


def _cuts_of_terms(n: int, taken: list[tuple[int, Terms]]) -> RankOneCuts:
    if not taken:
        return RankOneCuts.empty(n)
    starts = np.cumsum([0, *(len(terms) for _, terms in taken)])
    records, weights = np.array([term for _, terms in taken for term in terms]).T
    denominators = np.array([q for q, _ in taken])
    return RankOneCuts(n, starts, records.copy(), weights.copy(), denominators)
