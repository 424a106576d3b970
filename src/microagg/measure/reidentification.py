"""Expected re-identification: how often an intruder who knows all protected values of a person finds the record."""

import numpy as np

from microagg.measure.compared_tables import ComparedTables
from microagg.measure.released_classes import ReleasedClasses
from microagg.measure.risk_catalogue import RISK_FIGURES
from microagg.model.arrays import FloatArray
from microagg.model.checks import positive_number
from microagg.model.errors import InputError
from microagg.model.figure import Figure
from microagg.sampling_weights import record_weights

_TOGETHER = "the columns of all column sets are taken together"


def measure_reidentification(
    tables: ComparedTables, classes: ReleasedClasses, sampling_fraction: float | None
) -> list[Figure]:
    """Return the risk of a prosecutor, a journalist and a marketer.

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
    note = _TOGETHER if tables.plan is not None and len(tables.plan.sets) > 1 else ""
    return [
        RISK_FIGURES["reidentification_prosecutor"].measured(100.0 / int(classes.sizes.min()), note),
        _journalist(tables, classes, checked_fraction(sampling_fraction)),
        RISK_FIGURES["reidentification_marketer"].measured(100.0 * len(classes) / classes.n_records, note),
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


def _journalist(tables: ComparedTables, classes: ReleasedClasses, fraction: float | None) -> Figure:
    figure = RISK_FIGURES["reidentification_journalist"]
    weight = None if tables.plan is None else tables.plan.roles.weight
    if fraction is not None:
        note = f"each class of the population is taken as its records divided by the sampling fraction, {fraction:g}"
        return figure.measured(_highest(classes, classes.sizes / fraction), note)
    if weight is None:
        return figure.measured(None, "neither a sampling fraction nor a column of weights is given")
    tables.before.check_name(weight)
    weights = record_weights(tables.before, weight)
    in_population = np.bincount(classes.labels, weights=weights).astype(np.float64)
    note = f"each class of the population is taken as the sum of the weights of its records, in {weight!r}"
    return figure.measured(_highest(classes, in_population), note)


def _highest(classes: ReleasedClasses, in_population: FloatArray) -> float:
    """Return 1/size of the smallest class of the population, in percent: it has the released records at least."""
    return 100.0 / float(np.maximum(in_population, classes.sizes).min())
