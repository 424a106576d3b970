"""Change of covariances, correlations and their eigenvalues."""

import numpy as np

from microagg.measure.pair_moments import PairMoments
from microagg.model.arrays import BoolArray, FloatArray, read_only
from microagg.model.assessment import CorrelationChange

_NO_EIGENVALUE = 1e-9  # of the number of columns: below, a combination of columns is constant


def correlation_change(names: tuple[str, ...], before: PairMoments, after: PairMoments) -> CorrelationChange:
    """Return the correlations of columns before and after, and the eigenvalues of both.

    Parameters
    ----------
    names
        The columns, at least two.
    before, after
        Their joint moments.

    Returns
    -------
    CorrelationChange
        The eigenvalues are those of the columns that vary in the original; NaN fills up the rest. A column that the
        release makes constant counts as uncorrelated.
    """
    old = before.correlations()
    new = after.correlations()
    varying = ~np.isnan(old.diagonal())
    arrays = (old, new, _eigenvalues(old, varying), _eigenvalues(new, varying))
    for array in arrays:
        read_only(array)
    return CorrelationChange(names, *arrays)


def _eigenvalues(correlations: FloatArray, varying: BoolArray) -> FloatArray:
    """Return the eigenvalues, the largest first, of shape (d,)."""
    chosen = np.nan_to_num(correlations[np.ix_(varying, varying)])
    np.fill_diagonal(chosen, 1.0)
    found = np.full(len(correlations), np.nan)
    found[: len(chosen)] = np.linalg.eigvalsh(chosen)[::-1]
    return found


def eigenvalue_difference(change: CorrelationChange) -> tuple[float | None, int]:
    """Return Σ |e − e′|/e over the eigenvalues of the correlations.

    Parameters
    ----------
    change
        The correlations before and after.

    Returns
    -------
    difference : float or None
        None where no column varies.
    n_left_out : int
        Number of eigenvalues that are left out, as they are 0.
    """
    before = change.eigenvalues_before[~np.isnan(change.eigenvalues_before)]
    after = change.eigenvalues_after[: len(before)]
    kept = before > _NO_EIGENVALUE * len(before)
    if not kept.any():
        return None, len(before)
    return float((np.abs(before - after)[kept] / before[kept]).sum()), int((~kept).sum())


def correlation_difference(change: CorrelationChange) -> float | None:
    """Return the mean of |r − r′| over the pairs of columns that vary in the original; None where there is none."""
    return _mean_of_pairs(np.abs(np.nan_to_num(change.after) - change.before))


def covariance_difference(before: PairMoments, after: PairMoments, varying: BoolArray) -> float | None:
    """Return the mean of |c − c′|/(s·s) over pairs of columns, in percent; None where there is no pair.

    Parameters
    ----------
    before, after
        Joint moments of columns that are scaled by their standard deviations s in the original.
    varying
        Which columns vary in the original, of shape (d,).
    """
    apart = 100.0 * np.abs(after.covariances() - before.covariances())
    apart[~(varying[:, None] & varying[None, :])] = np.nan
    return _mean_of_pairs(apart)


def _mean_of_pairs(values: FloatArray) -> float | None:
    """Return the mean over the pairs of different columns that have a number."""
    of_pairs = values[np.triu_indices(len(values), 1)]
    found = of_pairs[~np.isnan(of_pairs)]
    return float(found.mean()) if len(found) else None
