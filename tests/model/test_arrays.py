"""Arrays that cannot be written."""

import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from microagg.model.arrays import ReadOnlyArrays, read_only


@dataclass
class _Value(ReadOnlyArrays):
    array: Any
    other: Any


def test_arrays_stay_read_only_when_they_are_pickled() -> None:
    value = _Value(np.arange(3), [1, 2])
    read_only(value.array)
    with pytest.raises(ValueError, match="read-only"):
        value.array[0] = 1
    again = pickle.loads(pickle.dumps(value))
    assert not again.array.flags.writeable
    assert again.other == [1, 2]
    again.other.append(3)
