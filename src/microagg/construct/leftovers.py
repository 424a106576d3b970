"""Place the last few records, too few for a group of their own."""

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.nearest_group import join_nearest


def place_rest(X: FloatArray, labels: IntArray, rest: IntArray, k: int) -> None:
    """Make k or more records of `rest` one more group, or let fewer join the nearest groups (OUT in `labels`)."""
    if len(rest) >= k:
        labels[rest] = labels.max() + 1
    else:
        join_nearest(X, labels, rest)
