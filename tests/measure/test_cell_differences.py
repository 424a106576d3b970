"""Differences between cells: by hand, and of any parts merged."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.measure.cell_differences import CellDifferences

CELLS = st.tuples(st.one_of(st.none(), st.integers(-4, 4)), st.integers(-4, 4))


def _arrays(cells: list[tuple[int | None, int]]) -> list[np.ndarray]:
    before = np.array([np.nan if old is None else float(old) for old, _ in cells])
    after = np.array([np.nan if old is None else float(new) for old, new in cells])
    return [before, after]


def test_differences_by_hand() -> None:
    found = CellDifferences.of(*_arrays([(2, 3), (0, 4), (None, 0), (-4, -4), (-1, 1)]))
    assert (found.count, found.n_changed, found.absolute) == (4, 3, 7.0)
    assert (found.n_ratios, found.ratios) == (3, 1 / 2 + 0 + 2)


def test_ratio_beyond_all_numbers_is_no_warning() -> None:
    found = CellDifferences.of(np.array([5e-324]), np.array([1.0]))
    assert found.ratios == np.inf


@given(st.lists(CELLS, min_size=1, max_size=20), st.data())
def test_parts_merge_to_the_differences_of_the_whole(cells: list[tuple[int | None, int]], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(cells) - 1))
    parts = [CellDifferences.of(*_arrays(part)) for part in (cells[:cut], cells[cut:]) if part]
    merged = parts[0] if len(parts) == 1 else parts[0].merged(parts[1])
    there = [(old, new) for old, new in cells if old is not None]
    assert merged.count == len(there)
    assert merged.n_changed == sum(old != new for old, new in there)
    assert merged.absolute == sum(abs(old - new) for old, new in there)
    assert merged.n_ratios == sum(old != 0 for old, _ in there)
    assert merged.ratios == pytest.approx(sum(abs(old - new) / abs(old) for old, new in there if old))
