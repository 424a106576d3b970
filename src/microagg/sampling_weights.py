"""Sampling weights of the records of a table."""

from microagg.model.arrays import FloatArray
from microagg.model.errors import InputError
from microagg.model.table import Table

MAX_WEIGHT = 1e150
"""Largest weight: squares and sums of larger ones overflow."""


def record_weights(table: Table, name: str) -> FloatArray:
    """Return sampling weights; refuse a column that cannot be that.

    Raises
    ------
    InputError
        If a weight is missing, infinite, not positive, or so large that sums of weights overflow.
    """
    weights = table.numbers(name)
    bad = ~(weights > 0) | ~(weights <= MAX_WEIGHT)
    if bad.any():
        record = int(bad.argmax())
        raise weight_error(name, record, float(weights[record]))
    return weights


def weight_error(name: str, record: int, weight: float) -> InputError:
    """Return the error of a weight that cannot be one.

    Parameters
    ----------
    name
        Name of the column of weights.
    record
        The record.
    weight
        Its weight, NaN where that is missing.
    """
    if MAX_WEIGHT < weight < float("inf"):
        return InputError(
            f"weight {name!r} is {weight:g} in row {record + 1}, and sums of such weights overflow: divide all weights "
            "by the same number, as only their proportions count"
        )
    found = "a missing value" if weight != weight else f"{weight:g}"
    return InputError(
        f"weight {name!r} must be a positive number in every record, found {found} in row {record + 1}: correct it, or "
        "leave the weight out"
    )
