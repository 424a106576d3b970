"""Rank-1 cuts that fractional values of group columns violate.

A cut gives some records integer weights w and has a denominator q. Group columns C with values x count
Σ x_C·⌊w(C)/q⌋ in it: at most ⌊Σw/q⌋ where the values are integral. What is above that is the violation.
"""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from microagg.kernels.jit import inner_kernel, kernel
from microagg.model.arrays import FloatArray, IntArray

_FIRST_TEMPERATURE = 0.2  # of the annealing, in units of violation
_LAST_TEMPERATURE = 0.01
_MIN_IMPROVEMENT = 1e-9  # of the violation: less is rounding
_FIRST_CAPACITY = 1024  # triples; doubled when they are full


class FractionalColumns(NamedTuple):
    """Group columns of fractional value, by column and by record."""

    column_starts: IntArray  # (n_columns + 1,) start of each column's records in the next array
    column_records: IntArray  # records of the columns
    values: FloatArray  # (n_columns,) fractional value of each column
    record_starts: IntArray  # (n + 1,) start of each record's columns in the next array
    record_columns: IntArray  # columns of the records


@kernel
def shared_values(columns: FractionalColumns) -> FloatArray:
    """Return the total value of the columns that hold both of two records: O(n² + Σ|C|²).

    Returns
    -------
    ndarray of shape (n, n)
        Zero on the diagonal.
    """
    n = len(columns.record_starts) - 1
    shared = np.zeros((n, n))
    for column in range(len(columns.values)):
        start, end = columns.column_starts[column], columns.column_starts[column + 1]
        for i in range(start, end):
            for j in range(start, end):
                if i != j:
                    shared[columns.column_records[i], columns.column_records[j]] += columns.values[column]
    return shared


@kernel
def violated_triples(columns: FractionalColumns, shared: FloatArray, least: float) -> tuple[IntArray, FloatArray]:
    """Find the violated cuts of three records, each of weight 1, with q = 2: O(Σ over records of their neighbours²).

    Parameters
    ----------
    shared
        IN: from `shared_values`.
    least
        Only larger violations count.

    Returns
    -------
    tuple
        The records, of shape (any number, 3), and the violation of each cut.
    """
    n = len(shared)
    triples = np.empty((_FIRST_CAPACITY, 3), dtype=np.int64)
    violations = np.empty(_FIRST_CAPACITY)
    found = 0
    neighbours = np.empty(n, dtype=np.int64)
    held = np.zeros(len(columns.values), dtype=np.int64)
    for a in range(n):
        count = _later_neighbours(shared, a, neighbours)
        for i in range(count):
            b = neighbours[i]
            for j in range(i + 1, count):
                c = neighbours[j]
                if shared[b, c] == 0.0 or shared[a, b] + shared[a, c] + shared[b, c] <= 1.0 + least:
                    continue
                violation = _triple_violation(columns, a, b, c, held)
                if violation <= least:
                    continue
                if found == len(violations):
                    triples = np.concatenate((triples, np.empty_like(triples)))
                    violations = np.concatenate((violations, np.empty_like(violations)))
                triples[found, 0] = a
                triples[found, 1] = b
                triples[found, 2] = c
                violations[found] = violation
                found += 1
    return triples[:found], violations[:found]


@inner_kernel
def _later_neighbours(shared: FloatArray, record: int, neighbours: IntArray) -> int:
    """Write the records after one that share a column with it to `neighbours` (OUT), and return how many there are."""
    count = 0
    for other in range(record + 1, len(shared)):
        if shared[record, other] > 0.0:
            neighbours[count] = other
            count += 1
    return count


@inner_kernel
def _triple_violation(columns: FractionalColumns, a: int, b: int, c: int, held: IntArray) -> float:
    """Return the total value, less one, of the columns that hold at least two of three records.

    `held` is workspace of shape (n_columns,), zero before and after.
    """
    violation = -1.0
    for record in (a, b, c):
        for place in range(columns.record_starts[record], columns.record_starts[record + 1]):
            column = columns.record_columns[place]
            held[column] += 1
            if held[column] == 2:
                violation += columns.values[column]
    for record in (a, b, c):
        for place in range(columns.record_starts[record], columns.record_starts[record + 1]):
            held[columns.record_columns[place]] = 0
    return violation


@kernel
def neighbourhoods(shared: FloatArray, size: int) -> IntArray:
    """Return for each record itself and those that share most with the ones before them: O(n²·size).

    Returns
    -------
    ndarray of shape (n, size)
        −1 where no other record shares anything.
    """
    n = len(shared)
    near = np.full((n, size), -1, dtype=np.int64)
    for record in range(n):
        ties = np.zeros(n)
        latest = record
        near[record, 0] = record
        ties[record] = -np.inf
        for place in range(1, size):
            for other in range(n):
                ties[other] += shared[latest, other]
            latest = int(np.argmax(ties))
            if ties[latest] <= 0.0:
                break
            near[record, place] = latest
            ties[latest] = -np.inf
    return near


@kernel
def anneal_cuts(
    columns: FractionalColumns,
    near: IntArray,
    q: int,
    most: int,
    steps: int,
    rng: Generator,
    weights: IntArray,
    excess: FloatArray,
) -> None:
    """Search a violated cut in each neighbourhood by simulated annealing, one random weight changed in each step.

    Time: O(steps·columns of a record) for each neighbourhood.

    Parameters
    ----------
    near
        IN: rows of `neighbourhoods`.
    q
        The denominator.
    most
        Records of positive weight that a cut may have.
    steps
        Steps in each neighbourhood.
    weights, excess
        OUT: the weights and the violation of the best cut in each neighbourhood, of shapes like `near` and its rows; 0
        where none is violated.
    """
    size = near.shape[1]
    column_weights = np.zeros(len(columns.values), dtype=np.int64)  # w(C) of each column
    current = np.zeros(size, dtype=np.int64)
    for row in range(len(near)):
        count = _row_length(near[row])
        current[:] = 0
        weights[row] = 0
        excess[row] = 0.0
        total_weight = 0
        n_positive = 0
        violation = 0.0
        for step in range(steps):
            temperature = _FIRST_TEMPERATURE * (_LAST_TEMPERATURE / _FIRST_TEMPERATURE) ** (step / steps)
            place = int(count * rng.random())
            weight = int(q * rng.random())
            change = weight - current[place]
            if change == 0 or (current[place] == 0 and n_positive == most):
                continue
            record = near[row, place]
            gain = _violation_gain(columns, column_weights, record, change, total_weight, q)
            if gain < 0.0 and rng.random() >= np.exp(gain / temperature):
                continue
            for i in range(columns.record_starts[record], columns.record_starts[record + 1]):
                column_weights[columns.record_columns[i]] += change
            n_positive += int(current[place] == 0) - int(weight == 0)
            current[place] = weight
            total_weight += change
            violation += gain
            if violation > excess[row] + _MIN_IMPROVEMENT:
                excess[row] = violation
                weights[row] = current
        _clear_weights(columns, near[row, :count], column_weights)


@inner_kernel
def _row_length(row: IntArray) -> int:
    """Return the number of entries before the first −1."""
    count = 0
    while count < len(row) and row[count] >= 0:
        count += 1
    return count


@inner_kernel
def _violation_gain(
    columns: FractionalColumns, column_weights: IntArray, record: int, change: int, total_weight: int, q: int
) -> float:
    """Return by how much the violation grows if the weight of a record is changed: O(columns of the record)."""
    gain = float(total_weight // q - (total_weight + change) // q)
    for i in range(columns.record_starts[record], columns.record_starts[record + 1]):
        column = columns.record_columns[i]
        weight = column_weights[column]
        gain += columns.values[column] * ((weight + change) // q - weight // q)
    return gain


@inner_kernel
def _clear_weights(columns: FractionalColumns, records: IntArray, column_weights: IntArray) -> None:
    """Set the weights (OUT) of the columns that hold any of some records to zero."""
    for record in records:
        for i in range(columns.record_starts[record], columns.record_starts[record + 1]):
            column_weights[columns.record_columns[i]] = 0
