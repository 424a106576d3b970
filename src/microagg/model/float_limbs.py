"""Finite floats as whole numbers times powers of two, cut into limbs whose products can be summed exactly."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.row_slices import row_slices

SMALLEST_EXPONENT = -1074
"""Every finite float is a multiple of two to this power."""

LIMB_BITS = 18
"""Bits of a limb: products of two limbs, summed over a slice of rows, stay below 2^53, where floats are exact."""

Terms = Callable[[FloatArray, FloatArray, FloatArray, FloatArray], Sequence[FloatArray]]
"""Numbers to be summed: made of the floats, and of the low, middle and high limbs of their mantissas."""

NOT_FINITE = "exact sums are of finite numbers, found NaN or infinity: leave these out before"
"""Message of the error that other numbers are."""

_N_EXPONENTS = 2046  # of finite floats
_FRACTION_BITS = 52
_ROWS_PER_CHUNK = 2**12  # arrays of so many rows stay in the processor's cache


def sums_by_exponent(values: FloatArray, terms: Terms) -> Iterator[tuple[int, list[int]]]:
    """Yield exact sums of what is made of the limbs of floats.

    A float is ± m·2^(e − 1074) with whole numbers m < 2^53 and 0 ≤ e < 2046; m is cut into three limbs of 18 bits.

    Parameters
    ----------
    values
        Of shape (n,).
    terms
        Makes numbers of these limbs: whole ones below 2^37.

    Yields
    ------
    exponent : int
        e.
    sums : list of int
        Sum of each of the terms over floats of this exponent; one exponent may come several times.

    Raises
    ------
    ValueError
        If a value is not finite.
    """
    for rows in row_slices(len(values)):
        sums = _slice_sums(np.ascontiguousarray(values[rows], dtype=np.float64), terms)
        for exponent in np.flatnonzero(sums.any(axis=0)).tolist():
            yield exponent, [int(one) for one in sums[:, exponent]]


def _slice_sums(values: FloatArray, terms: Terms) -> FloatArray:
    """Return the sums of each term by exponent, of shape (terms, exponents), for the rows of a slice."""
    sums: FloatArray | None = None
    for start in range(0, len(values), _ROWS_PER_CHUNK):
        chunk = values[start : start + _ROWS_PER_CHUNK]
        exponents, low, middle, high = _limbs_of(chunk)
        lowest = int(exponents.min())
        exponents -= lowest
        for number, term in enumerate(made := terms(chunk, low, middle, high)):
            found = np.bincount(exponents, weights=term)
            sums = np.zeros((len(made), _N_EXPONENTS)) if sums is None else sums
            sums[number, lowest : lowest + len(found)] += found
    assert sums is not None, "a slice has rows"
    return sums


def _limbs_of(values: FloatArray) -> tuple[IntArray, FloatArray, FloatArray, FloatArray]:
    """Return the exponents of floats, counted from 0, and the low, middle and high limbs of their mantissas.

    Raises
    ------
    ValueError
        If a value is not finite.
    """
    bits = values.view(np.int64)
    exponents = bits >> _FRACTION_BITS
    exponents &= 0x7FF
    if int(exponents.max()) > _N_EXPONENTS:
        raise ValueError(NOT_FINITE)
    mantissas = bits & ((1 << _FRACTION_BITS) - 1)
    normal = exponents > 0
    mantissas += normal.astype(np.int64) << _FRACTION_BITS  # the leading bit, which is not stored
    exponents -= normal
    mask = (1 << LIMB_BITS) - 1
    low = (mantissas & mask).astype(np.float64)
    mantissas >>= LIMB_BITS
    middle = (mantissas & mask).astype(np.float64)
    mantissas >>= LIMB_BITS
    return exponents, low, middle, mantissas.astype(np.float64)
