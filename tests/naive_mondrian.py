"""The oracle of Mondrian: median cuts, slow and obvious."""

import numpy as np

from microagg.model.arrays import FloatArray


def mondrian(X: FloatArray, k: int, choose: str) -> list[list[int]]:
    """Return the groups."""
    spread = np.ptp(X, axis=0)
    scaled = X / np.where(spread > 0, spread, 1.0) if choose == "range" else X
    return _cut(scaled, list(range(len(X))), k, choose)


def _cut(X: FloatArray, records: list[int], k: int, choose: str) -> list[list[int]]:
    if len(records) < 2 * k:
        return [records]
    widths = [_width(X[records, column], choose) for column in range(X.shape[1])]
    widest = widths.index(max(widths))
    by_value = sorted(records, key=lambda record: (X[record, widest], record))
    half = len(records) // 2
    return [group for part in (by_value[:half], by_value[half:]) for group in _cut(X, sorted(part), k, choose)]


def _width(values: FloatArray, choose: str) -> float:
    return float(values.max() - values.min() if choose == "range" else values.var())
