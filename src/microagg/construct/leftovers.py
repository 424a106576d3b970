"""Leftovers: the last records, which a constructor has not grouped."""

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.nearest_group import join_nearest


def place_leftovers(
    X: FloatArray, labels: IntArray, leftovers: IntArray, k: int, weights: FloatArray | None = None
) -> None:
    """Label k or more leftovers as one more group, or fewer as members of the nearest groups (OUT in `labels`)."""
    if len(leftovers) >= k:
        labels[leftovers] = labels.max() + 1
    else:
        join_nearest(X, labels, leftovers, weights)
