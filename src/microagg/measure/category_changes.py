"""Changes of categories: which share of the values is another one, and how often each occurs."""

import numpy as np

from microagg.measure.compared_columns import MISSING, ComparedCategories
from microagg.model.arrays import IntArray
from microagg.model.assessment import CategoryAssessment

_MAX_LISTED = 12  # categories that are counted one by one


def n_present(column: ComparedCategories) -> int:
    """Return the number of values that are there."""
    return int((column.before != MISSING).sum())


def n_changed(column: ComparedCategories) -> int:
    """Return the number of values that have changed."""
    return int((column.before != column.after).sum())


def assess_categories(column: ComparedCategories) -> CategoryAssessment:
    """Count the categories of a column before and after.

    Parameters
    ----------
    column
        The column.

    Returns
    -------
    CategoryAssessment
        The twelve most frequent categories of the original, and all others together.
    """
    before = _counts(column.before, len(column.categories))
    after = _counts(column.after, len(column.categories))
    listed = np.argsort(-before[:-1], kind="stable")[:_MAX_LISTED]
    return CategoryAssessment(
        name=column.name,
        changed=100.0 * n_changed(column) / max(1, n_present(column)),
        categories=tuple(column.categories[place] for place in listed),
        before_counts=_listed_counts(before, after, listed, before),
        after_counts=_listed_counts(before, after, listed, after),
    )


def _counts(codes: IntArray, n_categories: int) -> IntArray:
    """Return how often each category occurs, and after them all that the original does not have."""
    return np.bincount(codes[codes != MISSING], minlength=n_categories + 1).astype(np.int64)


def _listed_counts(before: IntArray, after: IntArray, listed: IntArray, counts: IntArray) -> tuple[int, ...]:
    """Return the counts of some categories, and that of all others if either table has others."""
    has_others = any(one.sum() > one[listed].sum() for one in (before, after))
    others = [int(counts.sum() - counts[listed].sum())] if has_others else []
    return (*counts[listed].tolist(), *others)
