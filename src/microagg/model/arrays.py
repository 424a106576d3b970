"""The array types that every module speaks, and how nouns keep theirs from being written."""

from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


def read_only(array: npt.NDArray[Any]) -> None:
    """Forbid writing to `array`: the nouns are immutable."""
    array.flags.writeable = False


class ReadOnlyArrays:
    """A noun whose arrays cannot be written, nor after it was pickled: numpy does not pickle that flag."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for value in state.values():
            if isinstance(value, np.ndarray):
                read_only(value)
