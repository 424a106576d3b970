"""Arrays keep their type and shape where they can."""

import numpy as np
import pytest

from microagg import Column, InputError, ReadError, read
from microagg.source import ArraySource
from microagg.write import to_native


def test_type_and_shape_are_kept() -> None:
    array = np.array([[1, 2], [3, 4]], dtype=np.int16)
    table = read(array)
    kept = to_native(table.with_columns([Column("0", "integer", np.array([7, 8]))]))
    assert (kept.dtype, kept.tolist()) == (np.int16, [[7, 2], [8, 4]])
    wide = to_native(table.with_columns([Column("0", "integer", np.array([2**40, 8]))]))
    assert (wide.dtype, wide.tolist()) == (np.int64, [[2**40, 2], [8, 4]])
    single = read(np.array([1.0, 2.0], dtype=np.float32))
    out = to_native(single.with_columns([Column.of_numbers("0", np.array([0.5, np.nan]))]))
    assert (out.dtype, out.shape) == (np.float32, (2,))
    assert np.isnan(out[1])
    assert to_native(table.without(["0"])).tolist() == [[2], [4]]
    assert array.tolist() == [[1, 2], [3, 4]]


def test_columns_are_named_by_their_labels_or_numbers() -> None:
    array = np.ones((2, 2))
    assert ArraySource(array).names == ("0", "1")
    assert ArraySource(array, ("a", "b")).names == ("a", "b")


@pytest.mark.parametrize(("kept", "exact"), [(2**53, True), (2**53 + 1, False)])
def test_integers_that_floats_cannot_hold_are_not_rounded(kept: int, exact: bool) -> None:
    means = Column.of_numbers("0", np.array([0.5, 0.5]))
    table = read(np.array([[1, kept], [2, 4]])).with_columns([means])
    if exact:
        assert to_native(table).tolist() == [[0.5, float(kept)], [0.5, 4.0]]
    else:
        with pytest.raises(InputError, match="floats cannot hold"):
            to_native(table)


def test_error_names_a_value_and_the_remedy() -> None:
    with pytest.raises(ReadError, match=r"row 1 of column 0 holds .*'x'\)?; convert it, or name other columns$"):
        read(np.array([["x"], ["y"]])).numbers("0")
