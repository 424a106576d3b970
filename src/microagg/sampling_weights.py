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
    found = "a missing value" if weight != weight else f"{weight:g}"
    return InputError(
        f"weight {name!r} must be a positive number in every record, found {found} in row {record + 1}: correct it, or "
        "leave the weight out"
    )
