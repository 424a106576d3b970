"""The cheapest group of one size, by the integer programme of the column generation paper."""

from typing import TYPE_CHECKING

import numpy as np

from microagg.control.run import Run
from microagg.kernels.tick import Tick
from microagg.lp.highs import BINARY_THRESHOLD, interrupted, new_model, tighten_mip_tolerances
from microagg.model.arrays import FloatArray, IntArray

if TYPE_CHECKING:
    from highspy import Highs


def cheapest_group(
    squares: FloatArray, duals: FloatArray, size: int, run: Run, tick: Tick
) -> tuple[IntArray, float] | None:
    """Find the group of least reduced cost of one size by an integer programme with Θ(n³) coefficients.

    It has a binary variable for each pair of records, of which size·(size − 1)/2 are 1; and where that of (i, j) is 1,
    size − 2 others of i are: these are the pairs of a group.

    Parameters
    ----------
    squares
        Squared distances, of shape (n, n).
    duals
        Of the records, of shape (n,).
    run, tick
        The time limit and the cancel flag of the run hold, and where `tick` raises `StoppedError`, that ends it.

    Returns
    -------
    tuple or None
        The records, and the lower bound of the reduced cost that HiGHS proved; None where it did not finish.

    References
    ----------
    The column generation paper, (14).
    """
    import highspy

    first, second = np.triu_indices(len(duals), 1)
    model = new_model(0, run.time_left)
    tighten_mip_tolerances(model)
    _add_pair_variables(model, squares[first, second] / size - (duals[first] + duals[second]) / (size - 1))
    _add_group_rows(model, first, second, len(duals), size)
    with interrupted(model.cbMipInterrupt, run, tick=tick):
        model.run()
    if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    chosen = np.array(model.getSolution().col_value) > BINARY_THRESHOLD
    return np.union1d(first[chosen], second[chosen]), float(model.getInfo().mip_dual_bound)


def _add_pair_variables(model: "Highs", costs: FloatArray) -> None:
    """Add a binary variable for each pair of records."""
    import highspy

    count = len(costs)
    nothing = np.empty(0, dtype=np.int32)
    model.addCols(count, costs, np.zeros(count), np.ones(count), 0, np.zeros(count, np.int32), nothing, np.empty(0))
    every_pair = np.arange(count, dtype=np.int32)
    model.changeColsIntegrality(count, every_pair, np.full(count, highspy.HighsVarType.kInteger))


def _add_group_rows(model: "Highs", first: IntArray, second: IntArray, n: int, size: int) -> None:
    """Add the rows that make the pairs of value 1 those of one group."""
    import highspy

    n_pairs = len(first)
    every_pair = np.arange(n_pairs, dtype=np.int32)
    group_pairs = size * (size - 1) / 2
    model.addRow(group_pairs, group_pairs, n_pairs, every_pair, np.ones(n_pairs))  # (11)
    numbers = np.zeros((n, n), dtype=np.int32)
    numbers[first, second] = numbers[second, first] = every_pair
    pairs_of_record = numbers[~np.eye(n, dtype=bool)].reshape(n, n - 1)
    coefficients = np.ones((n - 1, n - 1)) - (size - 1) * np.eye(n - 1)
    starts = np.arange(0, (n - 1) ** 2, n - 1, dtype=np.int32)
    upper = np.full(n - 1, highspy.kHighsInf)
    for record in range(n):  # (12)
        pairs = np.tile(pairs_of_record[record], n - 1)
        model.addRows(n - 1, np.zeros(n - 1), upper, len(pairs), starts, pairs, coefficients.ravel())
