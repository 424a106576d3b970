"""Most frequent categories by group, and the sets of all of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.exact_sum import sums_by_code


def group_modes(
    labels: IntArray, codes: IntArray, weights: FloatArray | None = None, preferred: IntArray | None = None
) -> IntArray:
    """Return the code of the most frequent category of each group.

    Ties go to the category that is more frequent in the whole table, then to the one that occurs first there.

    Parameters
    ----------
    labels
        Group of each record, of shape (n,).
    codes
        Category of each record, of shape (n,): 0, 1, …; −1 where it is missing.
    weights
        How often each record counts, of shape (n,); None: once.
    preferred
        All codes, in the order in which ties go to them; None: as above, where these records are the whole table.

    Returns
    -------
    ndarray of shape (n_groups,)
        −1 for a group in which every value is missing.
    """
    modes = np.full(int(labels.max()) + 1, -1, dtype=np.int64)
    present = codes >= 0
    if not present.any():
        return modes
    counts = np.ones(len(codes)) if weights is None else weights
    if preferred is None:
        preferred = _by_preference(codes[present], None if weights is None else weights[present])
    rank = np.empty(len(preferred), dtype=np.int64)
    rank[preferred] = np.arange(len(preferred))
    keys = labels[present] * len(preferred) + rank[codes[present]]
    pairs, inverse = np.unique(keys, return_inverse=True)
    group, place = np.divmod(pairs, len(preferred))
    times = np.bincount(inverse, weights=counts[present])
    best = np.lexsort((place, -times, group))
    firsts = best[np.flatnonzero(np.diff(group[best], prepend=-1))]
    modes[group[firsts]] = preferred[place[firsts]]
    return modes


def _by_preference(codes: IntArray, weights: FloatArray | None) -> IntArray:
    """Return all codes, the most frequent first, by exact sums; of equally frequent ones, that which occurs first."""
    n_codes = int(codes.max()) + 1
    first = np.full(n_codes, len(codes))
    found, places = np.unique(codes, return_index=True)
    first[found] = places
    if weights is None:
        return np.lexsort((first, -np.bincount(codes, minlength=n_codes)))
    sums = [one.units for one in sums_by_code(weights, codes, n_codes)]
    return np.array(sorted(range(n_codes), key=lambda code: (-sums[code], first[code])), dtype=np.int64)


def group_sets(
    labels: IntArray, codes: IntArray, categories: Sequence[Any], *, compared_as_text: bool = False
) -> tuple[IntArray, tuple[str, ...]]:
    """Return the set of the categories of each group, as text: "{a, b}", or "a" where it has one.

    Parameters
    ----------
    labels, codes
        As in `group_modes`.
    categories
        Meaning of each code.
    compared_as_text
        Whether categories are put in order by their texts, even if these records have none that cannot be compared.

    Returns
    -------
    sets : ndarray of shape (n_groups,)
        Number of each group's set; of a group in which every value is missing, any.
    texts : tuple of str
        The sets.
    """
    texts_of = [str(category) for category in _in_order(categories, compared_as_text)]
    rank_of = {text: rank for rank, text in enumerate(texts_of)}
    ranks = np.array([rank_of[str(category)] for category in categories], dtype=np.int64)
    present = codes >= 0
    pairs = np.unique(np.column_stack([labels[present], ranks[codes[present]]]), axis=0)
    members: dict[int, list[str]] = {}
    for group, rank in pairs.tolist():
        members.setdefault(group, []).append(texts_of[rank])
    number_of: dict[str, int] = {}
    sets = np.zeros(int(labels.max()) + 1, dtype=np.int64)
    for group, listed in members.items():
        text = listed[0] if len(listed) == 1 else f"{{{', '.join(listed)}}}"
        sets[group] = number_of.setdefault(text, len(number_of))
    return sets, tuple(number_of)


def _in_order(categories: Sequence[Any], compared_as_text: bool) -> list[Any]:
    """Return categories in order, by their texts where they cannot be compared."""
    if compared_as_text:
        return sorted(categories, key=str)
    try:
        return sorted(categories)
    except TypeError:
        return sorted(categories, key=str)
