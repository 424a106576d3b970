"""Solution of a linear programme over group columns."""

from typing import NamedTuple

import numpy as np

from microagg.lp.duals import Duals
from microagg.model.arrays import FloatArray, IntArray

INTEGRALITY_TOL = 1e-6  # distance from 0 or 1 within which a value counts as integral


class LpSolution(NamedTuple):
    """Optimal solution of a linear programme over group columns; its objective bounds every integral choice of them."""

    objective: float
    duals: Duals
    values: FloatArray  # (n_columns,)
    uncovered: float = 0.0  # sum of the artificial variables: how many records are left out, at a penalty

    def integral_columns(self) -> IntArray | None:
        """Return the columns of value 1; None where the solution is fractional or leaves records out."""
        chosen = np.flatnonzero(self.values > 1 - INTEGRALITY_TOL)
        is_integral = self.values[chosen].sum() > self.values.sum() - INTEGRALITY_TOL
        return chosen if is_integral and self.uncovered < INTEGRALITY_TOL else None
