"""Probabilistic record linkage: how often the released record that weighs most for an original one is its own."""

from functools import partial

import numpy as np

from microagg.control.run import Run
from microagg.measure.agreement_patterns import (
    MAX_COLUMNS,
    Agreement,
    PatternCounts,
    compare_columns,
    merged,
)
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.match_weights import MatchWeights, fit_weights
from microagg.measure.released_classes import ReleasedClasses
from microagg.measure.risk_catalogue import RISK_FIGURES
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.figure import Figure

_STAGE = "probabilistic linkage"
_MAX_ORIGINALS = 2000  # that are compared: all of a table that has no more
_MIN_ORIGINALS = 200
_MAX_PAIRS = 2 * 10**8  # of an original and a released class
_PAIRS_AT_ONCE = 2**20
_SLICES = 8  # between two ticks: each is the work of one thread


def link_by_probability(tables: ComparedTables, classes: ReleasedClasses, run: Run) -> Figure:
    """Link original records to the released ones that weigh most, and count those that are their own.

    Of up to 2000 records, all are compared with all. Of more, originals at equal intervals are compared with every
    class of the release, so that the time grows with the number of records at most.

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
    Figure
        The share in percent; its note says what was compared.

    Raises
    ------
    StoppedError
        If the run must end.
    """
    originals = _chosen(classes)
    agreement = Agreement(compare_columns(tables, originals, classes.firsts), classes.sizes)
    slices = _slices(len(originals), len(classes))
    table = _count(agreement, slices, run)
    weights = fit_weights(table, agreement.n_bits, 1.0 / classes.n_records, partial(run.tick, _STAGE, 0.5))
    shares = _link(agreement, table, weights.of_patterns, classes.labels[originals], slices, run)
    note = _note(tables, classes, len(originals), weights)
    return RISK_FIGURES["pld"].measured(100.0 * float(shares.mean()), note)


def _chosen(classes: ReleasedClasses) -> IntArray:
    """Return the original records that are compared."""
    n = classes.n_records
    if n <= _MAX_ORIGINALS:
        return np.arange(n)
    wanted = min(_MAX_ORIGINALS, max(_MIN_ORIGINALS, _MAX_PAIRS // len(classes)))
    return np.arange(wanted) * n // wanted


def _slices(n_originals: int, n_classes: int) -> list[slice]:
    step = max(1, _PAIRS_AT_ONCE // n_classes)
    return [slice(first, min(first + step, n_originals)) for first in range(0, n_originals, step)]


def _count(agreement: Agreement, slices: list[slice], run: Run) -> PatternCounts:
    """Count all pairs of records by their patterns."""
    found: list[PatternCounts] = []
    for first in range(0, len(slices), _SLICES):
        run.tick(_STAGE, 0.5 * first / len(slices))
        found = [merged([*found, *run.workers.map(agreement.counted, slices[first : first + _SLICES])])]
    return found[0]


def _link(
    agreement: Agreement, table: PatternCounts, weights: FloatArray, own: IntArray, slices: list[slice], run: Run
) -> FloatArray:
    """Return, for each original, 1/(number of released records that weigh most) if its own is among them, else 0."""

    def link_slice(originals: slice) -> FloatArray:
        weight = agreement.looked_up(agreement.codes(originals), table, weights)
        highest = weight.max(axis=1)
        n_highest = np.where(weight == highest[:, None], agreement.sizes, 0).sum(axis=1)
        is_own = weight[np.arange(len(weight)), own[originals]] == highest
        return np.where(is_own, 1.0 / n_highest, 0.0)

    found: list[FloatArray] = []
    for first in range(0, len(slices), _SLICES):
        run.tick(_STAGE, 0.5 + 0.5 * first / len(slices))
        found += run.workers.map(link_slice, slices[first : first + _SLICES])
    return np.concatenate(found)


def _note(tables: ComparedTables, classes: ReleasedClasses, n_originals: int, weights: MatchWeights) -> str:
    """Say what was compared, and whether the weights are to be relied on."""
    notes = []
    if n_originals < classes.n_records:
        notes.append(
            f"of a sample of {n_originals} original records at equal intervals, each compared with all "
            f"{classes.n_records} released ones"
        )
    if len(tables.names) > MAX_COLUMNS:
        notes.append(f"the first {MAX_COLUMNS} of {len(tables.names)} columns were compared")
    if not weights.converged:
        notes.append("the EM algorithm has not converged: another weighting may link more")
    return "; ".join(notes)
