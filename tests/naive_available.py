"""Oracle of grouping by the cells that are there, cell by cell."""

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray


def available_sse(X: FloatArray, missing: BoolArray, labels: IntArray) -> float:
    """Sum the squared differences of cells that are there from the mean of those of their group."""
    total = 0.0
    for label in set(labels.tolist()):
        for j in range(X.shape[1]):
            cells = [X[i, j] for i in range(len(X)) if labels[i] == label and not missing[i, j]]
            if cells:
                mean = sum(cells) / len(cells)
                total += sum((cell - mean) ** 2 for cell in cells)
    return total


def filled_cell(X: FloatArray, missing: BoolArray, record: int, column: int, n_donors: int) -> float:
    """Return the mean of the nearest records that have a cell, by distances over the cells that both have."""
    n, d = X.shape
    near = []
    for other in range(n):
        both = [j for j in range(d) if not missing[record, j] and not missing[other, j]]
        if other != record and not missing[other, column] and both:
            square = sum((X[record, j] - X[other, j]) ** 2 for j in both) * d / len(both)
            near.append((square, other))
    if not near:
        return float(np.mean([X[i, column] for i in range(n) if not missing[i, column]]))
    donors = [X[other, column] for _, other in sorted(near)[:n_donors]]
    return float(np.mean(donors))


def blank_total(X: FloatArray, missing: BoolArray, prices: FloatArray, labels: IntArray) -> float:
    """Sum the squares of cells that are left, and the prices of those that are blanked for their whole group."""
    means, variances = prices
    total = 0.0
    for label in set(labels.tolist()):
        members = [i for i in range(len(X)) if labels[i] == label]
        for j in range(X.shape[1]):
            there = [X[i, j] for i in members if not missing[i, j]]
            if len(there) == len(members):
                total += sum((cell - sum(there) / len(there)) ** 2 for cell in there)
            else:
                total += sum(max(variances[j], (cell - means[j]) ** 2) for cell in there)
    return total
