"""Weights of records relative to their mean, from facts that parts of a table can tell and merge."""

from microagg.model.arrays import FloatArray
from microagg.model.errors import InputError
from microagg.model.exact_sum import ExactSum

_MIN_WEIGHT_RATIO = 1e-9  # of the smallest weight to the largest: below, sums of weights lose what the smallest adds


def relative_weights(weights: FloatArray, largest: float, total: ExactSum, n: int) -> FloatArray:
    """Return some of n weights, divided by the mean of all of them.

    Parameters
    ----------
    weights
        These weights.
    largest
        Largest of all n weights.
    total
        Sum of all n weights, each divided by the largest.
    n
        Number of all weights.

    Returns
    -------
    ndarray of the shape of `weights`
        Exactly 1 where all n weights are equal.
    """
    relative: FloatArray = weights / largest
    relative *= n / float(total)
    return relative


def check_weights(n_refused: int, smallest: float, largest: float, n: int) -> None:
    """Refuse what cannot be the weights of n records.

    Parameters
    ----------
    n_refused
        How many of them are missing, infinite, or not above 0.
    smallest, largest
        Range of the others.
    n
        Number of records.

    Raises
    ------
    InputError
        If a weight is not positive and finite, or too small beside the largest.
    """
    if n_refused:
        raise InputError(f"weights must be positive and finite, found {n_refused} of {n} that are not")
    if smallest / largest < _MIN_WEIGHT_RATIO:
        raise InputError(
            f"no weight may be less than {_MIN_WEIGHT_RATIO:g} of the largest, found {smallest / largest:.3g} of it: "
            "correct the weights"
        )
