"""Facts that can be counted in a released table alone: sizes of groups, and frequencies of categories."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from microagg.model.column_values import distinct_values
from microagg.model.table import Table

_MAX_CATEGORIES = 12


def group_size_counts(released: Table, columns: Sequence[str]) -> list[list[int]]:
    """Return the numbers of records that share their released values, and how often each occurs."""
    sizes, counts = np.unique(np.bincount(released.patterns(columns)), return_counts=True)
    return [[int(size), int(number)] for size, number in zip(sizes, counts, strict=True)]


def category_counts(released: Table, name: str) -> tuple[list[str], list[int]]:
    """Return the most frequent categories of a column and how often each occurs; last, all others together.

    Parameters
    ----------
    released
        The released table.
    name
        Name of the column.

    Returns
    -------
    list of str, list of int
        Of equally frequent categories the first in alphabetical order comes first. There is one count more than
        categories where there are others.
    """
    codes, values = distinct_values(released.column(name))
    found: Counter[str] = Counter()
    for value, number in zip(values, np.bincount(codes[codes >= 0], minlength=len(values)).tolist(), strict=True):
        found[str(value)] += number
    ordered = sorted(((text, number) for text, number in found.items() if number), key=lambda pair: (-pair[1], pair[0]))
    others = sum(number for _, number in ordered[_MAX_CATEGORIES:])
    shown = ordered[:_MAX_CATEGORIES]
    return [text for text, _ in shown], [*(number for _, number in shown), *([others] if others else [])]
