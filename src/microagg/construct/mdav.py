"""MDAV: maximum distance to average vector."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from microagg.construct.leftovers import join_nearest
from microagg.partition import Partition
from microagg.problem import Problem
from microagg.progress import Progress


@dataclass(frozen=True)
class Mdav:
    """Group around the record farthest from the centroid, then around the one farthest from it.

    While at least 2k records are left: r is the one farthest from the centroid of those left, s the
    one farthest from r; r and its k − 1 nearest are a group, then s and its k − 1 nearest of
    those left. At the end k or more records are the last group; fewer go each to the group with
    the nearest centroid, as it was before any of them. Ties go to the lowest index. O(n²·d/k).

    References
    ----------
    [1] Domingo-Ferrer & Torra (2005), Ordinal, continuous and heterogeneous k-anonymity through
        microaggregation, Data Mining and Knowledge Discovery 11(2).
    [2] Mortazavi & Jalili (2015), ICSM, algorithm 1: this form of it.
    """

    reference: ClassVar[str] = "Domingo-Ferrer & Torra 2005"

    def __call__(self, problem: Problem, rng: Generator, progress: Progress) -> Partition:
        """Make the partition; `rng` is not needed."""
        from microagg.kernels._jit import WORK
        from microagg.kernels.blocks import pack
        from microagg.kernels.mdav import mdav_pairs

        X, k, n = problem.X, problem.k, problem.n
        blocks = pack(X)
        labels = np.full(n, -1, dtype=np.int64)
        left, group = n, 0
        while left >= 2 * k:  # [2] line 5
            progress("mdav", 1 - (left / n) ** 2)
            pairs = max(1, int(WORK / (3 * left * problem.d)))
            left, group = mdav_pairs(blocks, left, k, pairs, labels, group)
        rest = np.flatnonzero(labels < 0)
        if len(rest) >= k:
            labels[rest] = group  # [2] line 6
        else:
            join_nearest(X, labels, rest)  # [2] line 7
        progress("mdav", 1.0)
        return Partition(problem, labels)
