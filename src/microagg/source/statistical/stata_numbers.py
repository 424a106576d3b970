"""Numbers in cells of a Stata file: the largest ones of each type stand for missing values, . and .a to .z."""

from typing import NamedTuple

import numpy as np

from microagg.model.arrays import FloatArray, IntArray
from microagg.source.statistical.stata_file import ByteArray, Storage

N_MISSING = 27
"""Number of different missing values."""

PRESENT = -1
"""Stands for no missing value."""

FIRST_MISSING_LABEL = 2_147_483_621
"""First number that stands for a missing value among labels."""

_FIRST_MISSING = {"byte": 101, "int": 32_741, "long": 2_147_483_621, "float": 0x7F00_0000, "double": 0x7FE0 << 48}
_STEP = {"byte": 1, "int": 1, "long": 1, "float": 0x800, "double": 1 << 40}
_BITS = {"byte": "i1", "int": "i2", "long": "i4", "float": "i4", "double": "i8"}
_LOWEST = {"byte": -127, "int": -32_767, "long": -2_147_483_647}
_LARGEST = {"float": float.fromhex("0x1.fffffep126"), "double": float.fromhex("0x1.fffffffffffffp1022")}


class Cells(NamedTuple):
    """Numbers of a column, and which of them are missing in which way."""

    numbers: FloatArray
    missing: IntArray  # PRESENT, 0 for ".", 1 for ".a", …


def decoded(cells: ByteArray, storage: Storage, order: str) -> Cells:
    """Return what stands in cells.

    Parameters
    ----------
    cells
        Their bytes, of shape (n, width).
    storage
        Their type.
    order
        "<" or ">".
    """
    raw = np.ascontiguousarray(cells).view(storage.dtype(order))[:, 0]
    bits = raw.view(f"{order}{_BITS[storage.name]}").astype(np.int64)
    first = _FIRST_MISSING[storage.name]
    ways = np.clip((bits - first) // _STEP[storage.name], 0, N_MISSING - 1)
    missing = np.where(bits >= first, ways, PRESENT)
    with np.errstate(invalid="ignore"):
        return Cells(np.where(missing == PRESENT, raw, 0).astype(np.float64), missing)


def encoded(cells: Cells, storage: Storage, order: str) -> ByteArray:
    """Return the bytes of cells, of shape (n, width); the inverse of `decoded`."""
    raw = np.where(cells.missing == PRESENT, cells.numbers, 0).astype(storage.dtype(order))
    bits = raw.view(f"{order}{_BITS[storage.name]}").copy()
    marked = cells.missing != PRESENT
    bits[marked] = _FIRST_MISSING[storage.name] + _STEP[storage.name] * cells.missing[marked]
    return bits.view(np.uint8).reshape(len(bits), storage.width)


def fitting_storage(before: Storage, numbers: FloatArray) -> Storage:
    """Return the type before if it holds numbers exactly, or with single precision if it does; else a wider one.

    Parameters
    ----------
    before
        Type of the column that was read.
    numbers
        The numbers to store, none of them missing.
    """
    names = list(_FIRST_MISSING)
    allowed = names[names.index(before.name) :] if before.is_number else names[names.index("long") :]
    return Storage.of_numbers(next((name for name in allowed if _holds(name, before, numbers)), "double"))


def _holds(name: str, before: Storage, numbers: FloatArray) -> bool:
    if name in _LARGEST:
        in_range = bool((np.abs(numbers) <= _LARGEST[name]).all())
        return in_range and (name == "double" or before.name == "float")
    whole = bool((numbers == np.rint(numbers)).all())
    return whole and bool(((numbers >= _LOWEST[name]) & (numbers < _FIRST_MISSING[name])).all())
