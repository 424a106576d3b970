"""Categories of parts of a column: counted, weighed, and preferred by their weight in the whole."""

import numpy as np

from microagg import Column
from microagg.model.category_counts import CategoryCounts


def test_categories_are_preferred_by_weight_then_by_their_first_row() -> None:
    column = Column.of_objects("x", ["a", "a", "b", "c"])
    rows = np.array([5, 6, 7, 2])
    assert CategoryCounts.of(column, rows).preferred_keys() == ("a", "c", "b")
    weights = np.array([0.1, 0.2, 0.3, 0.3])
    weighted = CategoryCounts.of(column, rows, weights)
    assert weighted.preferred_keys() == ("a", "c", "b")  # 0.1 + 0.2 is exactly a little more than 0.3
    more = CategoryCounts.of(Column.of_objects("x", ["b"]), np.array([0]), np.array([1e-3]))
    assert weighted.merged(more).preferred_keys() == more.merged(weighted).preferred_keys() == ("b", "a", "c")


def test_merged_categories_are_listed_by_their_first_row() -> None:
    first = CategoryCounts.of(Column.of_objects("x", ["b", "a"]), np.array([4, 2]))
    second = CategoryCounts.of(Column.of_objects("x", ["b", "c"]), np.array([1, 3]))
    assert first.merged(second).column().objects() == ["b", "a", "c"]
    assert [(one.count, one.first_row) for one in second.merged(first).in_order()] == [(2, 1), (1, 2), (1, 3)]
