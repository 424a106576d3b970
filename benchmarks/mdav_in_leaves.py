"""MDAV in the leaves of a tree of median cuts: the simplest method for very many records, to compare with."""

from collections.abc import Iterator

import numpy as np

from microagg import Problem, Run
from microagg.methods import pipeline
from microagg.model.arrays import FloatArray, IntArray
from microagg.run_pipeline import run_pipeline

LEAF = 2_000
"""Most records of a leaf."""


def mdav_in_leaves(X: FloatArray, k: int) -> float:
    """Return the information loss of MDAV in each leaf, in percent, of standardised columns.

    Parameters
    ----------
    X
        Records, of shape (n, d), no column constant.
    k
        Smallest group allowed.
    """
    points = (X - X.mean(axis=0)) / X.std(axis=0)
    mdav = pipeline("mdav")
    sse = 0.0
    for leaf in leaves(points):
        solution = run_pipeline(mdav, Problem(points[leaf], k), 0, Run(workers=1))
        sse += solution.sse
    return float(100.0 * sse / points.size)


def leaves(points: FloatArray) -> Iterator[IntArray]:
    """Generate the records of each leaf: cuts at the median along the principal axis, until leaves are small enough."""
    parts = [np.arange(len(points))]
    while parts:
        part = parts.pop()
        if len(part) <= LEAF:
            yield part
            continue
        centred = points[part] - points[part].mean(axis=0)
        _, axes = np.linalg.eigh(centred.T @ centred)
        order = np.argsort(centred @ axes[:, -1], kind="stable")
        half = len(part) // 2
        parts += [np.sort(part[order[:half]]), np.sort(part[order[half:]])]
