"""What can be counted in a released table alone."""

import polars as pl

from microagg import read
from microagg.report.released_facts import category_counts, group_size_counts


def test_sizes_of_groups() -> None:
    table = read([[1.0, 5.0], [1.0, 5.0], [1.0, 6.0], [2.0, 5.0], [2.0, 5.0], [2.0, 5.0]])
    assert group_size_counts(table, ["0"]) == [[3, 2]]
    assert group_size_counts(table, ["0", "1"]) == [[1, 1], [2, 1], [3, 1]]


def test_categories_by_frequency_then_by_name() -> None:
    table = read(pl.DataFrame({"c": ["b", "a", None, "c", "c", "c"]}))
    assert category_counts(table, "c") == (["c", "a", "b"], [3, 1, 1])


def test_rare_categories_are_counted_together() -> None:
    table = read(pl.DataFrame({"c": [f"{number:02}" for number in range(15)]}))
    names, counts = category_counts(table, "c")
    assert names == [f"{number:02}" for number in range(12)]
    assert counts == [1] * 12 + [3]
