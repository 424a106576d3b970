"""Codes of pairs of codes."""

import numpy as np

from microagg.model.arrays import IntArray


def pair_codes(one: IntArray, other: IntArray) -> IntArray:
    """Return a number for each pair of codes, in the order of the pairs: equal if and only if both codes are.

    Parameters
    ----------
    one, other
        Numbers from 0 to the number of records, of shape (n,).
    """
    pairs: IntArray = one * (other.max(initial=0) + 1)
    np.add(pairs, other, out=pairs)
    return pairs
