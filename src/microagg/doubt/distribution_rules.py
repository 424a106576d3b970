"""Rules that describe how the values of a column of numbers are distributed: constant, piled up at zero, or skewed."""

import numpy as np

from microagg.doubt.column_profile import ColumnProfile
from microagg.model.arrays import FloatArray

_NEARLY_ALL = 0.99  # of the records, with the same value
_ZERO_SHARE = 0.1  # of the records, exactly zero
_ZERO_TIMES = 3  # as often as any other value, at least: a count falls off more slowly
_NEAR_ZERO = 0.01  # of the median of the other values
_NEAR_SHARE = 0.2  # of the number of zeros: more values near zero are a distribution that reaches it
_MIN_SKEWED = 30  # records: the skewness of fewer is chance
_SKEWNESS = 2.0  # that of an exponential distribution
_MENDED = 0.5  # of the skewness: what logarithms may leave of it
_LARGEST = 0.01  # of the records


def nearly_constant(profile: ColumnProfile) -> str | None:
    """Return how many records have the same value, where nearly all have."""
    if not len(profile.values):
        return None
    share = profile.counts.max() / len(profile.values)
    if len(profile.counts) == 1:
        return "is constant: all its values are the same"
    if share < _NEARLY_ALL:
        return None
    return f"is nearly constant: {100 * share:.1f} % of its values are the same"


def structural_zeros(profile: ColumnProfile) -> str | None:
    """Return how many values are exactly zero, where many are and the others are far from it."""
    zero = profile.distinct == 0
    if not zero.any() or len(profile.distinct) == 1:
        return None
    n_zero = int(profile.counts[zero][0])
    if n_zero < max(_ZERO_SHARE * len(profile.values), _ZERO_TIMES * int(profile.counts[~zero].max())):
        return None
    sizes = np.abs(profile.values[profile.values != 0].astype(np.float64))
    if (sizes <= _NEAR_ZERO * np.median(sizes)).sum() > _NEAR_SHARE * n_zero:
        return None
    return (
        f"has structural zeros: {100 * n_zero / len(profile.values):.0f} % of its values are exactly 0, "
        "the others far from it"
    )


def skewed(profile: ColumnProfile) -> str | None:
    """Return how skewed a column is, where it is much, and its logarithms are much less."""
    values = profile.values.astype(np.float64)
    if len(values) < _MIN_SKEWED:
        return None
    skewness = _skewness(values)
    if abs(skewness) < _SKEWNESS or abs(_skewness(np.sign(values) * np.log1p(np.abs(values)))) > _MENDED * abs(
        skewness
    ):
        return None
    side = "right" if skewness > 0 else "left"
    return f"is skewed to the {side}: {_how_skewed(values, skewness)}"


def _how_skewed(values: FloatArray, skewness: float) -> str:
    """Describe skewed values: by what the largest hold, if they have a total."""
    total = values.sum()
    if values.min() < 0 or total <= 0:
        return f"skewness {skewness:.1f}"
    n_largest = max(1, round(_LARGEST * len(values)))
    share = np.partition(values, -n_largest)[-n_largest:].sum() / total
    return f"the largest {n_largest} of {len(values)} values hold {100 * share:.0f} % of the total"


def _skewness(values: FloatArray) -> float:
    deviations = values - values.mean()
    largest = np.abs(deviations).max()
    if not 0 < largest < np.inf:
        return 0.0
    scaled = deviations / largest
    variance = float(np.mean(scaled**2))
    return float(np.mean(scaled**3)) / float(variance**1.5)
