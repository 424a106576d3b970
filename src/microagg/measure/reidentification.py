"""Expected re-identification: how often an intruder who knows all protected values of a person finds the record."""

import numpy as np

from microagg.measure.compared_tables import ComparedTables
from microagg.measure.released_classes import ReleasedClasses, units_of
from microagg.measure.risk_catalogue import RISK_FIGURES
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.checks import positive_number
from microagg.model.errors import InputError
from microagg.model.figure import Figure
from microagg.model.pair_codes import pair_codes
from microagg.sampling_weights import record_weights

_TOGETHER = "the columns of all column sets are taken together"
_UNITS = "units are counted, not records"


def measure_reidentification(
    tables: ComparedTables, classes: ReleasedClasses, sampling_fraction: float | None
) -> list[Figure]:
    """Return the risk of a prosecutor, a journalist and a marketer.

    Where the plan names a unit, as a household with a record for each of its members, or a person with several
    records, the units of a class hide each other: it counts as many as it has different units.

    Parameters
    ----------
    tables
        The original and the release.
    classes
        Classes of the release.
    sampling_fraction
        Share of the population that is in the table; None where it is not known.

    Returns
    -------
    list of Figure
        In percent; that of the journalist is None unless the fraction is given, or the plan names a column of weights.

    Raises
    ------
    InputError
        If the fraction is not above 0 and at most 1, or a weight is not positive.
    """
    units = units_of(tables)
    counts = classes.unit_counts(units)
    notes = [_TOGETHER] if tables.plan is not None and len(tables.plan.sets) > 1 else []
    if units is not None:
        notes.append(_UNITS)
    note = "; ".join(notes)
    picked = float((classes.sizes / counts).sum())
    return [
        RISK_FIGURES["reidentification_prosecutor"].measured(100.0 / int(counts.min()), note),
        _journalist(tables, classes, units, checked_fraction(sampling_fraction)),
        RISK_FIGURES["reidentification_marketer"].measured(100.0 * picked / classes.n_records, note),
    ]


def checked_fraction(fraction: float | None) -> float | None:
    """Return a sampling fraction; refuse one that is not above 0 and at most 1."""
    if fraction is None:
        return None
    number = positive_number("sampling_fraction", fraction)
    if number > 1.0:
        raise InputError(
            f"sampling_fraction must be at most 1, found {fraction!r}: state the share of the population, as 0.05 for "
            "one in twenty"
        )
    return number


def _journalist(
    tables: ComparedTables, classes: ReleasedClasses, units: IntArray | None, fraction: float | None
) -> Figure:
    figure = RISK_FIGURES["reidentification_journalist"]
    weight = None if tables.plan is None else tables.plan.roles.weight
    counts = classes.unit_counts(units)
    if fraction is not None:
        counted = "records" if units is None else "units"
        note = f"each class of the population is taken as its {counted} divided by the sampling fraction, {fraction:g}"
        return figure.measured(_highest(counts, counts / fraction), note)
    if weight is None:
        return figure.measured(None, "neither a sampling fraction nor a column of weights is given")
    tables.before.check_name(weight)
    weights = record_weights(tables.before, weight)
    of_what = "its records" if units is None else "its units, each the mean of its records'"
    note = f"each class of the population is taken as the sum of the weights of {of_what}, in {weight!r}"
    return figure.measured(_highest(counts, _sums(classes.labels, units, weights)), note)


def _sums(labels: IntArray, units: IntArray | None, weights: FloatArray) -> FloatArray:
    """Return the sum of the weights of each class: of its records, or of its units, each with its mean weight there."""
    if units is not None:
        _, firsts, places = np.unique(pair_codes(labels, units), return_index=True, return_inverse=True)
        weights = np.bincount(places, weights=weights) / np.bincount(places)
        labels = labels[firsts]
    return np.bincount(labels, weights=weights).astype(np.float64)


def _highest(counts: IntArray, in_population: FloatArray) -> float:
    """Return 1/size of the smallest class of the population, in percent: it has the released ones at least."""
    return 100.0 / float(np.maximum(in_population, counts).min())
