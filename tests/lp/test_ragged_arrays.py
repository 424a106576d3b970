"""Rows of different lengths, some of which are selected."""

import numpy as np

from lp_cases import no_records
from microagg.lp.ragged_arrays import selected_rows


def test_rows_are_selected_in_any_order_and_more_than_once() -> None:
    entries = np.array([10, 20, 21, 30, 31, 32])
    starts = np.array([0, 1, 3, 3, 6])
    new_starts, places = selected_rows(starts, np.array([3, 2, 0, 3]))
    assert new_starts.tolist() == [0, 3, 3, 4, 7]
    assert entries[places].tolist() == [30, 31, 32, 10, 30, 31, 32]
    new_starts, places = selected_rows(starts, no_records())
    assert (new_starts.tolist(), places.tolist()) == ([0], [])
