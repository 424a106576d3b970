"""Ragged arrays: rows of different lengths, one after another, with the place where each one starts."""

import numpy as np

from microagg.model.arrays import IntArray


def selected_rows(starts: IntArray, which: IntArray) -> tuple[IntArray, IntArray]:
    """Return the starts of the selected rows, put one after another, and the places of their entries."""
    lengths = np.diff(starts)[which]
    new_starts = np.concatenate([[0], np.cumsum(lengths)])
    offsets = np.arange(new_starts[-1]) - np.repeat(new_starts[:-1], lengths)
    return new_starts, offsets + np.repeat(starts[which], lengths)
