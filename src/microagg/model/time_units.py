"""Units of time in which dates and times are averaged and rounded."""

import numpy as np

from microagg.model.column import Column

_UNITS = ("D", "h", "m", "s", "ms", "us", "ns")


def own_unit(column: Column) -> str:
    """Return the unit of a column of dates or times: the largest of which all its values are whole multiples.

    Parameters
    ----------
    column
        Of kind "date" or "datetime".

    Returns
    -------
    str
        numpy's word for it: of dates their own, as "D"; of times one of "D", "h", "m", "s", "ms", "us", "ns".
    """
    values = column.values if column.missing is None else column.values[~column.missing]
    if column.kind == "date":
        return np.datetime_data(values.dtype)[0]
    exact = (unit for unit in _UNITS if np.array_equal(values.astype(f"datetime64[{unit}]"), values))
    return next(exact, np.datetime_data(values.dtype)[0])


def finer_unit(one: str, other: str) -> str:
    """Return the unit of two columns together: the finer of their own.

    Parameters
    ----------
    one, other
        numpy's words for units of time.
    """
    if one == other:
        return one
    return _UNITS[max(_UNITS.index(one), _UNITS.index(other))]
