"""Name the array types that every module speaks."""

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


def read_only(array: npt.NDArray[np.generic]) -> None:
    """Forbid writing to `array`: the nouns are immutable."""
    array.flags.writeable = False
