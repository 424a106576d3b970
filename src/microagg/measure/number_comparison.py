"""Compare one column of numbers before and after: all that needs this column alone."""

import math
from typing import NamedTuple

import numpy as np

from microagg.measure.cell_differences import CellDifferences
from microagg.measure.compared_columns import ComparedNumbers
from microagg.measure.distributions import counts_in, distribution_of, empty_distribution, quantiles
from microagg.measure.moments import Moments
from microagg.measure.probabilistic_loss import LEVELS, mean_loss, quantile_loss, variance_loss
from microagg.model.arrays import FloatArray
from microagg.model.assessment import NumberAssessment


class NumberComparison(NamedTuple):
    """One column of numbers before and after, not all of which are missing.

    Parameters
    ----------
    assessment
        What is reported of it.
    before, after
        Moments of the original and of the release.
    differences
        Differences between the cells.
    quantile_distance
        Mean distance of the quantiles of 5 %, 10 %, …, 95 % before and after.
    quantile_loss
        What is lost of these quantiles beside their sampling errors, in percent.
    """

    assessment: NumberAssessment
    before: Moments
    after: Moments
    differences: CellDifferences
    quantile_distance: float
    quantile_loss: float

    @property
    def mean_loss(self) -> float:
        """What is lost of the mean beside its sampling error, in percent."""
        return mean_loss(self.before, self.after)

    @property
    def variance_loss(self) -> float:
        """What is lost of the variance beside its sampling error, in percent."""
        return variance_loss(self.before, self.after)


def is_empty(column: ComparedNumbers) -> bool:
    """Check whether every value of a column is missing."""
    return bool(np.isnan(column.before).all())


def empty_assessment(column: ComparedNumbers) -> NumberAssessment:
    """Return what is reported of a column in which every value is missing."""
    nothing = empty_distribution(len(column.before))
    return NumberAssessment(column.name, nothing, nothing, (), (), None, column.unit)


def compare_numbers(column: ComparedNumbers) -> NumberComparison:
    """Compare one column before and after.

    Parameters
    ----------
    column
        The column; some value is not missing.

    Returns
    -------
    NumberComparison
        What is measured of it.
    """
    old = _ordered(column.before)
    new = _ordered(column.after)
    before = Moments.of(old)
    after = Moments.of(new)
    differences = CellDifferences.of(column.before, column.after)
    return NumberComparison(
        _assessment(column, old, new, (before, after), il1s_of(differences, before.deviation)),
        before,
        after,
        differences,
        float(np.abs(quantiles(new, LEVELS) - quantiles(old, LEVELS)).mean()),
        quantile_loss(old, new),
    )


def _ordered(numbers: FloatArray) -> FloatArray:
    """Return the numbers that are not missing, in ascending order."""
    ordered = np.sort(numbers)  # NaN comes last
    return ordered[: len(ordered) - int(np.isnan(ordered).sum())]


def il1s_of(differences: CellDifferences, deviation: float) -> float | None:
    """Return the mean of |x − x′|/(√2·s) over the cells of a column; None where s is 0."""
    return differences.absolute / (differences.count * math.sqrt(2.0) * deviation) if deviation else None


def _assessment(
    column: ComparedNumbers, old: FloatArray, new: FloatArray, moments: tuple[Moments, Moments], il1s: float | None
) -> NumberAssessment:
    n_missing = len(column.before) - len(old)
    before = distribution_of(moments[0], old, n_missing)
    bins = np.array(before.bins)
    return NumberAssessment(
        name=column.name,
        before=before,
        after=distribution_of(moments[1], new, n_missing),
        before_counts=before.counts,
        after_counts=counts_in(bins, new),
        il1s=il1s,
        unit=column.unit,
    )
