"""The cheapest group of one size, by the integer programme of the column generation paper."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from microagg.control.run import Run
from microagg.kernels.tick import Tick
from microagg.lp.highs import BINARY_THRESHOLD, interrupted, new_model, tighten_mip_tolerances
from microagg.lp.triangle_cuts import violated_triangles
from microagg.model.arrays import FloatArray, IntArray

if TYPE_CHECKING:
    from highspy import Highs

_MAX_CUT_ROUNDS = 20  # of solving the linear relaxation and adding the triangle inequalities that it violates


def cheapest_group(
    squares: FloatArray, duals: FloatArray, size: int, run: Run, tick: Tick, triangles: bool = False
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
    triangles
        Whether triangle inequalities strengthen the linear relaxation, before variables have to be binary.

    Returns
    -------
    tuple or None
        The records, and the lower bound of the reduced cost that HiGHS proved; None where it did not finish.

    References
    ----------
    The column generation paper, (14); section 4.2 for triangle inequalities, which are not necessary there.
    """
    import highspy

    n = len(duals)
    first, second = np.triu_indices(n, 1)
    numbers = np.zeros((n, n), dtype=np.int32)  # of the variable of each pair
    numbers[first, second] = numbers[second, first] = np.arange(len(first))
    model = new_model(0, run.time_left)
    tighten_mip_tolerances(model)
    _add_pair_variables(model, squares[first, second] / size - (duals[first] + duals[second]) / (size - 1))
    _add_group_rows(model, numbers, size)
    if triangles and not _add_triangle_rows(model, numbers, run, tick):
        return None
    _require_integers(model, len(first))
    with interrupted(model.cbMipInterrupt, run, tick=tick):
        model.run()
    if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    chosen = np.array(model.getSolution().col_value) > BINARY_THRESHOLD
    return np.union1d(first[chosen], second[chosen]), float(model.getInfo().mip_dual_bound)


def _add_pair_variables(model: "Highs", costs: FloatArray) -> None:
    """Add a variable between 0 and 1 for each pair of records."""
    count = len(costs)
    nothing = np.empty(0, dtype=np.int32)
    model.addCols(count, costs, np.zeros(count), np.ones(count), 0, np.zeros(count, np.int32), nothing, np.empty(0))


def _require_integers(model: "Highs", count: int) -> None:
    """Make the variables of all pairs binary."""
    import highspy

    every_pair = np.arange(count, dtype=np.int32)
    model.changeColsIntegrality(count, every_pair, np.full(count, highspy.HighsVarType.kInteger))


def _add_group_rows(model: "Highs", numbers: NDArray[np.int32], size: int) -> None:
    """Add the rows that make the pairs of value 1 those of one group."""
    import highspy

    n = len(numbers)
    n_pairs = n * (n - 1) // 2
    every_pair = np.arange(n_pairs, dtype=np.int32)
    group_pairs = size * (size - 1) / 2
    model.addRow(group_pairs, group_pairs, n_pairs, every_pair, np.ones(n_pairs))  # (11)
    pairs_of_record = numbers[~np.eye(n, dtype=bool)].reshape(n, n - 1)
    coefficients = np.ones((n - 1, n - 1)) - (size - 1) * np.eye(n - 1)
    starts = np.arange(0, (n - 1) ** 2, n - 1, dtype=np.int32)
    upper = np.full(n - 1, highspy.kHighsInf)
    for record in range(n):  # (12)
        pairs = np.tile(pairs_of_record[record], n - 1)
        model.addRows(n - 1, np.zeros(n - 1), upper, len(pairs), starts, pairs, coefficients.ravel())


def _add_triangle_rows(model: "Highs", numbers: NDArray[np.int32], run: Run, tick: Tick) -> bool:
    """Add triangle inequalities that the linear relaxation violates, round by round; return False where it is ended."""
    import highspy

    n = len(numbers)
    for _ in range(_MAX_CUT_ROUNDS):
        with interrupted(model.cbSimplexInterrupt, run, tick=tick):
            model.run()
        if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return False
        values = np.array(model.getSolution().col_value)
        i, j, r = violated_triangles(values[numbers], n).T
        if not len(i):
            break
        pairs = np.column_stack([numbers[i, r], numbers[j, r], numbers[i, j]]).ravel()
        coefficients = np.tile([1.0, 1.0, -1.0], len(i))
        lower = np.full(len(i), -highspy.kHighsInf)
        starts = np.arange(0, 3 * len(i), 3, dtype=np.int32)
        model.addRows(len(i), lower, np.ones(len(i)), len(pairs), starts, pairs, coefficients)
    return True
