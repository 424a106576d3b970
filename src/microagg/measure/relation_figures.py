"""Figures about relations between columns of numbers, and about statistics beside their sampling errors."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from microagg.control.run import Run
from microagg.measure.compared_columns import ComparedNumbers
from microagg.measure.correlation_change import (
    correlation_change,
    correlation_difference,
    covariance_difference,
    eigenvalue_difference,
)
from microagg.measure.number_comparison import NumberComparison
from microagg.measure.number_figures import NO_NUMBERS
from microagg.measure.pair_moments import PairMoments, pair_moments
from microagg.measure.probabilistic_loss import correlation_losses, covariance_losses
from microagg.measure.utility_catalogue import UTILITY_FIGURES
from microagg.model.arrays import BoolArray
from microagg.model.assessment import CorrelationChange
from microagg.model.figure import Figure
from microagg.model.names import quantity

_NO_PAIRS = "there are fewer than two columns of numbers that vary"


@dataclass(frozen=True, eq=False)
class Relations:
    """Relations between at least two columns of numbers.

    Parameters
    ----------
    before, after
        Joint moments of the columns, shifted and scaled by means and deviations of the original.
    varying
        Which columns vary in the original, of shape (d,).
    change
        Correlations before and after.
    """

    before: PairMoments
    after: PairMoments
    varying: BoolArray = field(repr=False)
    change: CorrelationChange


def relations_of(
    columns: Sequence[ComparedNumbers], compared: Sequence[NumberComparison], run: Run
) -> Relations | None:
    """Return the relations between columns of numbers.

    Parameters
    ----------
    columns
        The columns, none of which is empty.
    compared
        What was found of each of them alone.
    run
        The run.

    Returns
    -------
    Relations or None
        None where there are fewer than two columns.
    """
    if len(columns) < 2:
        return None
    shifts = np.array([one.before.mean for one in compared])
    deviations = np.array([one.before.deviation for one in compared])
    scales = np.where(deviations > 0.0, deviations, 1.0)
    before = pair_moments([one.before for one in columns], shifts, scales, run)
    after = pair_moments([one.after for one in columns], shifts, scales, run)
    names = tuple(one.name for one in columns)
    return Relations(before, after, deviations > 0.0, correlation_change(names, before, after))


def relation_figures(relations: Relations | None) -> list[Figure]:
    """Return the differences of covariances, correlations and eigenvalues.

    Parameters
    ----------
    relations
        Relations between the columns; None where there are fewer than two.

    Returns
    -------
    list of Figure
        Without values where fewer than two columns vary.
    """
    names = ("covariance_difference", "correlation_difference", "eigenvalue_difference")
    if relations is None or relations.varying.sum() < 2:
        return [UTILITY_FIGURES[name].measured(None, _NO_PAIRS) for name in names]
    eigenvalues, n_zero = eigenvalue_difference(relations.change)
    note = f"without {quantity(n_zero, 'eigenvalue')} of 0" if n_zero else ""
    covariances = covariance_difference(relations.before, relations.after, relations.varying)
    no_record = "" if covariances is not None else "no record has values in two columns"
    return [
        UTILITY_FIGURES[names[0]].measured(covariances, no_record),
        UTILITY_FIGURES[names[1]].measured(correlation_difference(relations.change), no_record),
        UTILITY_FIGURES[names[2]].measured(eigenvalues, note),
    ]


def probabilistic_figures(compared: Sequence[NumberComparison], relations: Relations | None) -> list[Figure]:
    """Return the probabilistic information loss, as a whole and of each kind of statistic.

    Parameters
    ----------
    compared
        The columns of numbers.
    relations
        Relations between them; None where there are fewer than two.

    Returns
    -------
    list of Figure
        The whole is the mean of those kinds that have a value.
    """
    varying = [one for one in compared if one.before.deviation]
    losses = {
        "pil_quantiles": _mean(one.quantile_loss for one in varying),
        "pil_means": _mean(one.mean_loss for one in varying),
        "pil_variances": _mean(one.variance_loss for one in varying),
        "pil_covariances": None if relations is None else _mean(covariance_losses(relations.before, relations.after)),
        "pil_correlations": None if relations is None else _mean(correlation_losses(relations.before, relations.after)),
    }
    parts = [
        UTILITY_FIGURES[name].measured(value, "" if value is not None else _NO_PAIRS if varying else NO_NUMBERS)
        for name, value in losses.items()
    ]
    return [_whole(losses), *parts]


def _mean(values: Iterable[float]) -> float | None:
    listed = list(values)
    return sum(listed) / len(listed) if listed else None


def _whole(losses: Mapping[str, float | None]) -> Figure:
    figure = UTILITY_FIGURES["pil"]
    whole = _mean(value for value in losses.values() if value is not None)
    if whole is None:
        return figure.measured(None, NO_NUMBERS)
    without = [name.removeprefix("pil_") for name, value in losses.items() if value is None]
    return figure.measured(whole, f"without {' and '.join(without)}" if without else "")
