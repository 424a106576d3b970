"""Changes of categories."""

import numpy as np

from microagg.measure.category_changes import assess_categories, n_changed, n_present
from microagg.measure.compared_columns import MISSING, ComparedCategories


def test_changes_by_hand() -> None:
    before = np.array([0, 0, 1, 1, 1, MISSING])
    after = np.array([0, 1, 1, 1, 2, MISSING])  # 2 is none of the original's categories
    column = ComparedCategories("c", before, after, ("a", "b"))
    assert (n_present(column), n_changed(column)) == (5, 2)
    found = assess_categories(column)
    assert (found.name, found.changed, found.categories) == ("c", 40.0, ("b", "a"))
    assert (found.before_counts, found.after_counts) == ((3, 2, 0), (3, 1, 1))
    assert "'b'" not in repr(found)


def test_there_are_no_others_unless_there_are() -> None:
    codes = np.array([0, 1, 1])
    found = assess_categories(ComparedCategories("c", codes, codes, ("a", "b")))
    assert (found.changed, found.before_counts, found.after_counts) == (0.0, (2, 1), (2, 1))


def test_rare_categories_are_counted_together() -> None:
    codes = np.repeat(np.arange(14), np.arange(14, 0, -1))
    found = assess_categories(ComparedCategories("c", codes, codes, tuple("abcdefghijklmn")))
    assert found.categories == tuple("abcdefghijkl")
    assert found.before_counts == (*range(14, 2, -1), 3)


def test_every_value_may_be_missing() -> None:
    codes = np.array([MISSING, MISSING])
    found = assess_categories(ComparedCategories("c", codes, codes, ()))
    assert (found.changed, found.categories, found.before_counts) == (0.0, (), ())
