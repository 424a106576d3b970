"""Find the cheapest group by an integer programme, as the column generation paper does."""

from collections.abc import Callable

import numpy as np

from microagg.lp.highs import ended_by, new_model, set_exact
from microagg.model.arrays import FloatArray, IntArray

_SOME = 0.5  # a whole number is above or below that


def cheapest_group(
    squares: FloatArray, duals: FloatArray, size: int, told: Callable[[], bool], time_limit: float | None
) -> tuple[IntArray, float] | None:
    """Find the group of one size that loses least beyond the duals of its records, by an integer programme.

    A variable for each pair of records, of which size·(size − 1)/2 are 1; and where that of (i, j) is 1, size − 2
    others of i are: these are the pairs of a group. Θ(n³) coefficients.

    Parameters
    ----------
    told
        Is asked now and then whether to end.
    time_limit
        Seconds.

    Returns
    -------
    tuple or None
        The records, and the reduced cost that HiGHS has proved; None where it came to no end.

    References
    ----------
    The column generation paper, (14).
    """
    import highspy

    n = len(duals)
    one, other = np.triu_indices(n, 1)
    count = len(one)
    pair = np.zeros((n, n), dtype=np.int32)
    pair[one, other] = pair[other, one] = np.arange(count)
    of_record = pair[~np.eye(n, dtype=bool)].reshape(n, n - 1)
    model = new_model(0, time_limit)
    set_exact(model)
    costs = squares[one, other] / size - (duals[one] + duals[other]) / (size - 1)
    none = np.empty(0, dtype=np.int32)
    model.addCols(count, costs, np.zeros(count), np.ones(count), 0, np.zeros(count, dtype=np.int32), none, np.empty(0))
    numbers = np.arange(count, dtype=np.int32)
    model.changeColsIntegrality(count, numbers, np.full(count, highspy.HighsVarType.kInteger))
    pairs = size * (size - 1) / 2
    model.addRow(pairs, pairs, count, numbers, np.ones(count))  # (11)
    for record in range(n):  # (12)
        coefficients = np.ones((n - 1, n - 1)) - (size - 1) * np.eye(n - 1)
        starts = np.arange(0, (n - 1) ** 2, n - 1, dtype=np.int32)
        most = np.full(n - 1, highspy.kHighsInf)
        every = np.tile(of_record[record], n - 1)
        model.addRows(n - 1, np.zeros(n - 1), most, len(every), starts, every, coefficients.ravel())
    with ended_by(model.cbMipInterrupt, told):
        model.run()
    if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    chosen = np.array(model.getSolution().col_value) > _SOME
    return np.union1d(one[chosen], other[chosen]), float(model.getInfo().mip_dual_bound)
