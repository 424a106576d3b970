"""M-d: minimum spanning tree partitioning."""

from collections.abc import Iterator
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
    """Minimum spanning tree partitioning (M-d): the tree cut at its longest edges, large components split by MD.

    Edges are cut in falling order of their lengths wherever both sides keep at least k records (M); components of 2k
    or more are then grouped by `md-nc` (d), the two most distant records first. Ties go to the lowest index. O(n²·d).

    References
    ----------
    Laszlo & Mukherjee (2005), Minimum spanning tree partitioning algorithm for microaggregation, IEEE TKDE
    17(7): M-d.
    """

    reference: ClassVar[str] = "Laszlo & Mukherjee 2005"

    def __call__(self, problem: Problem, rng: Generator, run: Run) -> Partition:
        """Make the partition; `rng` is not needed."""
        X, k = problem.X, problem.k
        split = FixedSize(Md(), NearestToCentroid())
        orders: list[IntArray] = []
        sizes: list[int] = []
        for component in _components(problem, run):
            size = len(component)
            order, starts = split.groups(X[component], k, run) if size >= 2 * k else (np.arange(size), [0])
            orders.append(component[order])
            sizes.extend(np.diff([*starts, size]))
        run.report("mst: components", 1.0)
        return Partition.along(problem, np.concatenate(orders), np.cumsum([0, *sizes[:-1]]))


def _components(problem: Problem, run: Run) -> Iterator[IntArray]:
    """Yield the records of each component that the cuts leave of the minimum spanning tree."""
    from microagg.kernels.grouping.spanning_tree import cut_tree, spanning_tree

    visited, parents, squares = spanning_tree(problem.X, partial(run.tick, "mst: tree"))
    longest_first = np.argsort(-squares, kind="stable")
    edges = longest_first[parents[longest_first] >= 0]
    labels = cut_tree(visited, parents, edges, problem.k)
    components = np.split(np.argsort(labels, kind="stable"), np.cumsum(np.bincount(labels))[:-1])
    for number, component in enumerate(components):
        run.tick("mst: components", number / len(components))
        yield component
