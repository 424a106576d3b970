"""Find rank-1 cuts that parts of columns break.

A cut gives some records whole weights w, and has a denominator q: columns C, chosen in parts x, count
Σ x_C·⌊w(C)/q⌋, which is at most ⌊Σw/q⌋ where whole ones are chosen. What is above that, is broken.
"""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from microagg.kernels.jit import kernel
from microagg.model.arrays import FloatArray, IntArray

_HOT, _COLD = 0.2, 0.01  # how much less broken a cut may become with probability 1/e, at first and at last


class Parts(NamedTuple):
    """Hold columns that are chosen in part, by column and by record."""

    starts: IntArray  # (count + 1,) where each column starts among
    records: IntArray  # the records of columns
    parts: FloatArray  # (count,) what is chosen of each
    firsts: IntArray  # (n + 1,) where each record's columns start among
    columns: IntArray  # the columns of records


@kernel
def shared_parts(parts: Parts) -> FloatArray:
    """Say how much of columns that hold both each two records share, of shape (n, n)."""
    n = len(parts.firsts) - 1
    shared = np.zeros((n, n))
    for column in range(len(parts.parts)):
        for i in range(parts.starts[column], parts.starts[column + 1]):
            for j in range(parts.starts[column], parts.starts[column + 1]):
                if i != j:
                    shared[parts.records[i], parts.records[j]] += parts.parts[column]
    return shared


@kernel
def broken_triangles(parts: Parts, shared: FloatArray, least: float) -> tuple[IntArray, FloatArray]:
    """Find three records of which columns hold two or three, more than once in all: weights 1 and q = 2.

    Returns
    -------
    tuple
        The records, of shape (any number, 3), and by how much each is broken, more than `least`.
    """
    n = len(shared)
    capacity, found = 1024, 0
    triples, excess = np.empty((capacity, 3), dtype=np.int64), np.empty(capacity)
    near, held = np.empty(n, dtype=np.int64), np.zeros(len(parts.parts), dtype=np.int64)
    for a in range(n):
        count = 0
        for b in range(a + 1, n):
            if shared[a, b] > 0.0:
                near[count] = b
                count += 1
        for i in range(count):
            b = near[i]
            for j in range(i + 1, count):
                c = near[j]
                if shared[b, c] == 0.0 or shared[a, b] + shared[a, c] + shared[b, c] <= 1.0 + least:
                    continue
                broken = -1.0
                for record in (a, b, c):
                    for place in range(parts.firsts[record], parts.firsts[record + 1]):
                        column = parts.columns[place]
                        held[column] += 1
                        if held[column] == 2:
                            broken += parts.parts[column]
                for record in (a, b, c):
                    for place in range(parts.firsts[record], parts.firsts[record + 1]):
                        held[parts.columns[place]] = 0
                if broken <= least:
                    continue
                if found == capacity:
                    capacity *= 2
                    more, longer = np.empty((capacity, 3), dtype=np.int64), np.empty(capacity)
                    more[:found], longer[:found] = triples, excess
                    triples, excess = more, longer
                triples[found, 0], triples[found, 1], triples[found, 2] = a, b, c
                excess[found] = broken
                found += 1
    return triples[:found], excess[:found]


@kernel
def neighbourhoods(shared: FloatArray, size: int) -> IntArray:
    """Give each record itself and others that share most with those given before, of shape (n, size); −1: no more."""
    n = len(shared)
    near = np.full((n, size), -1, dtype=np.int64)
    for record in range(n):
        ties, latest = np.zeros(n), record
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
def anneal(
    parts: Parts, near: IntArray, q: int, most: int, steps: int, rng: Generator, weights: IntArray, excess: FloatArray
) -> None:
    """Look for a broken cut around each record, by changing one weight at a time, at random, less and less boldly.

    Parameters
    ----------
    near
        From `neighbourhoods`, some rows of it.
    q
        The denominator.
    most
        Records that a cut may have.
    weights, excess
        OUT: of the most broken cut in each neighbourhood, and by how much it is, of shapes like `near` and its rows.
    """
    size = near.shape[1]
    weighs, now = np.zeros(len(parts.parts), dtype=np.int64), np.zeros(size, dtype=np.int64)
    for row in range(len(near)):
        count = 0
        while count < size and near[row, count] >= 0:
            count += 1
        now[:], weights[row], excess[row] = 0, 0, 0.0
        total, used, broken = 0, 0, 0.0
        for step in range(steps):
            heat = _HOT * (_COLD / _HOT) ** (step / steps)
            place = int(count * rng.random())
            weight = int(q * rng.random())
            change = weight - now[place]
            if change == 0 or (now[place] == 0 and used == most):
                continue
            record = near[row, place]
            gain = float(total // q - (total + change) // q)
            for i in range(parts.firsts[record], parts.firsts[record + 1]):
                column = parts.columns[i]
                gain += parts.parts[column] * ((weighs[column] + change) // q - weighs[column] // q)
            if gain < 0.0 and rng.random() >= np.exp(gain / heat):
                continue
            for i in range(parts.firsts[record], parts.firsts[record + 1]):
                weighs[parts.columns[i]] += change
            used += int(now[place] == 0) - int(weight == 0)
            now[place] = weight
            total += change
            broken += gain
            if broken > excess[row] + 1e-9:
                excess[row], weights[row] = broken, now
        for place in range(count):
            record = near[row, place]
            for i in range(parts.firsts[record], parts.firsts[record + 1]):
                weighs[parts.columns[i]] = 0
