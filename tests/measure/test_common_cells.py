"""Cells that both tables have: masks, counts, and the squares of what is left."""

import numpy as np
import pytest

from microagg import Column
from microagg.measure.common_cells import CellCounts, common_column
from microagg.model.column_encoding import fit_column
from microagg.model.treatment import Treatment


def test_value_that_one_table_lacks_is_missing_in_both() -> None:
    before = Column.of_numbers("x", np.array([1.0, 2.0, np.nan, np.nan, 5.0]))
    after = Column.of_numbers("x", np.array([1.5, np.nan, 3.0, np.nan, 5.0]))
    found = common_column(before, after)
    assert found.counts == CellCounts(3, 1, 1)
    assert not found.counts.are_whole
    assert np.isnan(found.before.numbers()).tolist() == [False, True, True, True, False]
    assert np.isnan(found.after.numbers()).tolist() == [False, True, True, True, False]


def test_columns_that_lack_the_same_values_stay_as_they_are() -> None:
    before = Column.of_numbers("x", np.array([1.0, np.nan]))
    after = Column.of_numbers("x", np.array([7.0, np.nan]))
    found = common_column(before, after)
    assert found.counts.are_whole
    assert (found.before is before, found.after is after) == (True, True)


def test_counts_of_columns_add_up() -> None:
    assert CellCounts.merged([CellCounts(3, 1, 0), CellCounts(4, 0, 2)]) == CellCounts(7, 1, 2)


@pytest.mark.parametrize("values", [[1.0, 2.0, 7.0, 7.0, 3.0], ["a", "b", "b", "c", "a"]])
def test_total_squares_of_all_cells_are_those_of_the_column(values: list[object]) -> None:
    of = Column.of_objects if isinstance(values[0], str) else Column.of_numbers
    column = of("x", np.array(values))
    encoding = fit_column(column, Treatment())
    read = encoding.read(column)
    assert encoding.total_of(read) == pytest.approx(encoding.total)
    assert encoding.total_of(np.full(5, np.nan)) == 0.0
    assert 0.0 < encoding.total_of(np.where(np.arange(5) == 0, np.nan, read)) < encoding.total
