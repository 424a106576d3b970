"""Data sets of any number of records for the measurements of scale: three plain shapes, and five that are hard.

Rows are drawn batch by batch, each batch with a random state of its own, so that a data set of a thousand records is
the beginning of that of ten million, which never needs to be in memory.
"""

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.random import Generator

from microagg.model.arrays import FloatArray

BATCH = 2**16  # rows

_STATE = 21  # random state of all data sets
_N_CLUSTERS = 50
_CENTRES = 3.46  # standard deviation of the centres: MDAV loses 6.1 % of 100 000 records of ten columns at k = 5
_SPREAD = 0.7  # of the logarithm of each record's distance from its centre, in standard normal ones
_FREEDOM = 3.0  # degrees of freedom of the heavy tails: the least whole number with a variance
_DUPLICATES = 0.3  # share of the rows that repeat another
_ZEROS = 0.99  # share of the cells of a column
_OUTLIERS = 20

Draw = Callable[[Generator, int, int], FloatArray]
"""Draws rows of some columns: random generator, number of rows, number of columns."""


def _mixture(rng: Generator, n: int, d: int) -> FloatArray:
    """Draw from fifty normal clusters; the distance from the centre is stretched by a lognormal factor a record."""
    centres = np.random.default_rng([_STATE, d]).normal(0.0, _CENTRES, size=(_N_CLUSTERS, d))
    cluster = rng.integers(_N_CLUSTERS, size=n)
    stretch = np.exp(rng.normal(0.0, _SPREAD, size=(n, 1)))
    return centres[cluster] + stretch * rng.normal(size=(n, d))


def _heavy_tails(rng: Generator, n: int, d: int) -> FloatArray:
    """Draw independent cells from Student's t distribution."""
    return rng.standard_t(_FREEDOM, size=(n, d))


def _normal(rng: Generator, n: int, d: int) -> FloatArray:
    """Draw independent standard normal cells."""
    return rng.normal(size=(n, d))


PLAIN: Mapping[str, Draw] = {"mixture": _mixture, "heavy-tails": _heavy_tails, "normal": _normal}
"""Shapes of plain data, by name."""


def batches(shape: str, n: int, d: int) -> Iterator[FloatArray]:
    """Generate the rows of plain data, batch by batch.

    Parameters
    ----------
    shape
        Name of a shape in `PLAIN`.
    n
        Number of rows.
    d
        Number of columns.

    Yields
    ------
    array of shape (at most `BATCH`, d)
        The next rows.
    """
    for number, start in enumerate(range(0, n, BATCH)):
        rng = np.random.default_rng([_STATE, d, number])
        yield PLAIN[shape](rng, BATCH, d)[: n - start]


def plain(shape: str, n: int, d: int) -> FloatArray:
    """Return plain data as one array of shape (n, d)."""
    X = np.empty((n, d))
    for number, batch in enumerate(batches(shape, n, d)):
        X[number * BATCH : (number + 1) * BATCH] = batch
    return X


def _duplicates(X: FloatArray) -> None:
    """Let three rows in ten repeat one of the others."""
    n = len(X)
    rng = np.random.default_rng([_STATE, n])
    order = rng.permutation(n)
    n_copies = round(_DUPLICATES * n)
    copies, others = np.split(order, [n_copies])
    X[copies] = X[rng.choice(others, size=n_copies)]


def _constant_column(X: FloatArray) -> None:
    """Make a column constant."""
    X[:, 0] = 1.0


def _two_values(X: FloatArray) -> None:
    """Leave a column only two values, half of the rows each."""
    X[:, 0] = X[:, 0] > np.median(X[:, 0])


def _zeros(X: FloatArray) -> None:
    """Let a column be 0 in all but one row in a hundred."""
    X[X[:, 0] < np.quantile(X[:, 0], _ZEROS), 0] = 0.0


def _all_equal_but_few(X: FloatArray) -> None:
    """Make all rows equal but twenty, which are spread over the table."""
    n = len(X)
    others = np.ones(n, dtype=np.bool_)
    others[np.linspace(0, n - 1, _OUTLIERS).astype(np.int64)] = False
    X[others] = X[others][0]


HARD: Mapping[str, Callable[[FloatArray], None]] = {
    "duplicates": _duplicates,
    "constant-column": _constant_column,
    "two-values": _two_values,
    "zeros": _zeros,
    "all-equal": _all_equal_but_few,
}
"""What makes the mixture hard, in place, by name."""


def data(shape: str, n: int, d: int) -> FloatArray:
    """Return plain data, or the mixture made hard, as one array of shape (n, d)."""
    if shape in PLAIN:
        return plain(shape, n, d)
    X = plain("mixture", n, d)
    HARD[shape](X)
    return X


TITLES = {
    "mixture": "mixture of Gaussians",
    "heavy-tails": "heavy tails",
    "normal": "iid normal",
    "duplicates": "30 % duplicate rows",
    "constant-column": "one constant column",
    "two-values": "one column of two values",
    "zeros": "one column with 99 % zeros",
    "all-equal": "all rows equal but 20",
}
"""What people call each shape."""
