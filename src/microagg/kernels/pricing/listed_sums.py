"""What records bear of their squared distances to the nearest ones, from lists of these."""

import numpy as np

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.jit import kernel
from microagg.kernels.pricing.nearest_sums import insert_smallest, prefix_sums
from microagg.model.arrays import FloatArray, IntArray


@kernel
def spread_excess(lists: IntArray, first: IntArray, second: IntArray, excess: FloatArray, spread: FloatArray) -> None:
    """Write what records bear above one half to where their lists name the other: O(pairs·n_neighbours).

    Parameters
    ----------
    lists
        IN: the neighbours of each record, of shape (n, n_neighbours).
    first, second, excess
        IN, of shape (n_pairs,): what the first of a pair bears more, and the second less.
    spread
        OUT, of shape (n, n_neighbours): zero on entry.
    """
    for pair in range(len(excess)):
        one = first[pair]
        other = second[pair]
        for entry in range(lists.shape[1]):
            if lists[one, entry] == other:
                spread[one, entry] = excess[pair]
            if lists[other, entry] == one:
                spread[other, entry] = -excess[pair]


@kernel
def listed_sums(X: FloatArray, lists: IntArray, excess: FloatArray, radii: FloatArray, most: int) -> FloatArray:
    """Return lower bounds of the sums of the 0, 1, …, `most` smallest shares of squared distances of each record.

    A record bears half the squared distance of a record in its list and the excess of that; of one that has it in its
    list, half less the excess there; of any other, half of its radius at least. O(n·n_neighbours·(d + most)).

    Parameters
    ----------
    radii
        IN, of shape (n,): no record that is not in the list has a lower squared distance; inf where none is missing.

    Returns
    -------
    ndarray of shape (n, most + 1)
        inf where there are fewer records.
    """
    n = len(X)
    smallest = np.empty((n, most))
    for record in range(n):
        smallest[record] = 0.5 * radii[record]
    for record in range(n):
        for entry in range(lists.shape[1]):
            other = lists[record, entry]
            square = squared_distance(X, record, X, other)
            insert_smallest(smallest[record], most, 0.5 * square + excess[record, entry])
            if not (lists[other] == record).any():
                insert_smallest(smallest[other], most, 0.5 * square - excess[record, entry])
    sums = np.empty((n, most + 1))
    for record in range(n):
        prefix_sums(smallest[record], most, sums[record])
    return sums
