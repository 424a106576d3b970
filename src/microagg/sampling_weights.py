"""Sampling weights of the records of a table."""

from microagg.model.arrays import FloatArray
from microagg.model.errors import InputError
from microagg.model.table import Table


def record_weights(table: Table, name: str) -> FloatArray:
    """Return sampling weights; refuse a column that cannot be that.

    Raises
    ------
    InputError
        If a weight is missing, infinite, or not positive.
    """
    weights = table.numbers(name)
    bad = ~(weights > 0) | ~(weights < float("inf"))
    if bad.any():
        row = int(bad.argmax()) + 1
        found = "a missing value" if weights[row - 1] != weights[row - 1] else f"{weights[row - 1]:g}"
        raise InputError(
            f"weight {name!r} must be a positive number in every record, found {found} in row {row}: correct it, or "
            "leave the weight out"
        )
    return weights
