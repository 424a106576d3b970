"""Array types used throughout the package, and the protection of arrays in immutable values."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

NewArray = Callable[[tuple[int, ...], Any], Any]
"""Makes an array of a shape and a type, whose entries are to be filled in: in memory, or in a file."""


def read_only(array: npt.NDArray[Any]) -> None:
    """Forbid writing to `array`."""
    array.flags.writeable = False


def is_all(records: IntArray, n: int) -> bool:
    """Check whether some indices are those of all n records, in order."""
    return len(records) == n and np.array_equal(records, np.arange(n))


class ReadOnlyArrays:
    """Mixin that makes array attributes read-only again after unpickling: numpy does not pickle that flag."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for value in state.values():
            if isinstance(value, np.ndarray):
                read_only(value)
