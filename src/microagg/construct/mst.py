"""M-d: the minimum spanning tree, cut."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from microagg.construct.fixed_size import FixedSize
from microagg.construct.growth_rules import NearestToCentroid
from microagg.construct.md import Md
from microagg.control.run import Run
from microagg.model.arrays import IntArray
from microagg.model.partition import Partition
from microagg.model.problem import Problem


@dataclass(frozen=True)
class Mst:
    """Cut the minimum spanning tree at its longest edges, and split big parts by the two most distant records.

    Edges are cut in falling order of their lengths wherever both sides keep at least k records (M); parts of 2k
    or more are then grouped by `md-nc` (d), the two most distant records first. Ties go to the lowest index. O(n²·d).

    References
    ----------
    Laszlo & Mukherjee (2005), Minimum spanning tree partitioning algorithm for microaggregation, IEEE TKDE
    17(7): M-d.
    """

    reference: ClassVar[str] = "Laszlo & Mukherjee 2005"

    def __call__(self, problem: Problem, rng: Generator, run: Run) -> Partition:
        """Make the partition; `rng` is not needed."""
        from microagg.kernels.grouping.spanning_tree import cut_tree, spanning_tree

        X, k = problem.X, problem.k
        visited, parents, squares = spanning_tree(X, partial(run.tick, "mst: tree"))
        longest = np.argsort(-squares, kind="stable")
        parts = cut_tree(visited, parents, longest[parents[longest] >= 0], k)
        split = FixedSize(Md(), NearestToCentroid())
        orders: list[IntArray] = []
        sizes: list[int] = []
        pieces = np.split(np.argsort(parts, kind="stable"), np.cumsum(np.bincount(parts))[:-1])
        for number, part in enumerate(pieces):
            run.tick("mst: parts", number / len(pieces))
            order, starts = split.groups(X[part], k, run) if len(part) >= 2 * k else (np.arange(len(part)), [0])
            orders.append(part[order])
            sizes.extend(np.diff([*starts, len(part)]))
        run.tell("mst: parts", 1.0)
        return Partition.along(problem, np.concatenate(orders), np.cumsum([0, *sizes[:-1]]))
