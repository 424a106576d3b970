"""Categories that a column has in two tables, with the same codes for the same values in both."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from microagg.measure.compared_columns import MISSING
from microagg.model.arrays import IntArray
from microagg.model.column import Column
from microagg.model.column_values import distinct_values


@dataclass(frozen=True, eq=False)
class CommonCategories:
    """Values of a column in two tables as codes.

    Parameters
    ----------
    before, after
        Code of each value, of shape (n,); `MISSING` where it is missing.
    texts
        The value of each code: in their own order those of numbers, dates and listed categories, else as texts are
        sorted. Those that only the release has come last.
    """

    before: IntArray
    after: IntArray
    texts: tuple[str, ...]

    @classmethod
    def of(cls, before: Column, after: Column) -> "CommonCategories":
        """Return the codes of a column that is read from two tables; values are compared by their texts."""
        codes_before, texts_before = _distinct_texts(before)
        codes_after, texts_after = _distinct_texts(after)
        texts = list(dict.fromkeys(texts_before))
        if before.kind in ("text", "mixed"):
            texts.sort()
        texts += [text for text in dict.fromkeys(texts_after) if text not in set(texts)]
        place = {text: number for number, text in enumerate(texts)}
        renumbered = [
            np.array([*(place[text] for text in found), MISSING], dtype=np.int64)[codes]
            for codes, found in ((codes_before, texts_before), (codes_after, texts_after))
        ]
        return cls(renumbered[0], renumbered[1], tuple(texts))


def _distinct_texts(column: Column) -> tuple[IntArray, list[str]]:
    """Return the place of each value among the distinct ones, the last place where it is missing, and their texts."""
    codes, found = distinct_values(column)
    return codes, [_text(value) for value in found]


def _text(value: Any) -> str:
    """Write a value so that equal numbers of different types read alike."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()
