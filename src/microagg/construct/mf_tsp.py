"""MF-TSP: groups of records that are near each other on many Hamiltonian paths."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from microagg.construct.leftovers import place_leftovers
from microagg.construct.memory_check import check_memory
from microagg.construct.path_heuristics import PATH_HEURISTICS, PathHeuristic
from microagg.control.run import Run
from microagg.kernels.tick import Tick
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.checks import one_of, positive_number, whole_number
from microagg.model.errors import MethodError
from microagg.model.partition import Partition
from microagg.model.problem import Problem

_BYTES_PER_PAIR = 8 + 8  # of records: their distance and their count


IMPROVEMENTS = ("none", "2-opt")


@dataclass(frozen=True)
class MfTsp:
    """Groups of the records that are near each other most often on short Hamiltonian paths, one from every record.

    A short Hamiltonian path starts at every record ([1] lines 2–5). N counts how often two records are at most
    k − 1 steps apart (lines 6–10). While at least 2k − 1 records are left, the pair with the highest count starts a
    group, and k − 2 times the record joins it that has the highest count in the pair's row or column (lines
    11–24). k or more records in the end are the last group, fewer join the nearest groups (line 25). O(n³) time, O(n²)
    memory.

    Where [1] leaves a choice, its worked example decides. The rows of its table V add up to 2(k − 1) a path, 44 for
    eleven paths at k = 3: paths are closed to tours when N is counted. Table VI has a third group where five records
    were left at k = 3: the loop runs once more than line 11 says. (That group, 6 4 5, does not follow from table V as
    printed, where 7 has a higher count beside 6 than 5 has; three cells of that table contradict the paths of table
    IV.)

    The path heuristic is not named there. Random insertion makes paths that differ from start to start, so that a high
    count means that independent paths agree, and loses less than published at nearly every random state; farthest
    insertion does about as well, the others run into the same few paths from every start. None gives the published
    losses, which grow with k much faster than ours. Nearest to them comes random insertion where only neighbours on a
    path count (`steps=1`): as if N had not been counted anew for each k.

    Parameters
    ----------
    path
        The path heuristic: "nearest" goes on to the nearest record that is left. The others insert every record where
        the path grows least; next comes, in "nearest-insertion", the record nearest to the path, in
        "farthest-insertion" the one farthest from it, in "cheapest-insertion" the one that lengthens it least, in
        "arbitrary-insertion" the next one of the file, in "random-insertion" any. Or a function of the distances, of
        shape (n, n), the start and a random generator that returns the records in order.
    improve
        What shortens each path then: "2-opt" moves, until none does, or "none".
    paths
        The number of paths: the first starts at the first record, and so on, after the last record at the first again.
        None: one from every record.
    steps
        How many steps apart two records on a path are near each other. None: k − 1.
    memory_limit
        The bytes that distances and counts may take: if they need more, that is an error before any work. With the
        time growing as n³, the default is an hour's work.

    References
    ----------
    [1] Multivariate microaggregation with fixed group size based on the travelling salesman problem (the MF-TSP
        paper), algorithm 1.
    """

    path: str | PathHeuristic = "random-insertion"
    improve: str = "none"
    paths: int | None = None
    steps: int | None = None
    memory_limit: float = 1e9
    reference: ClassVar[str] = "MF-TSP paper, algorithm 1"

    def __post_init__(self) -> None:
        object.__setattr__(self, "memory_limit", positive_number("memory_limit", self.memory_limit))
        if not callable(self.path):
            one_of("path", self.path, PATH_HEURISTICS)
        one_of("improve", self.improve, IMPROVEMENTS)
        for name in ("paths", "steps"):
            count = getattr(self, name)
            if count is not None:
                object.__setattr__(self, name, whole_number(name, count, at_least=1))

    def __call__(self, problem: Problem, rng: Generator, run: Run) -> Partition:
        """Make the partition."""
        from microagg.kernels.walks.path_counts import group_by_counts

        X, k, n = problem.X, problem.k, problem.n
        check_memory("mf-tsp", f"the distances of {n} records", n**2 * _BYTES_PER_PAIR, self.memory_limit, "tsp-mhm")
        if k == 1:
            return Partition(problem, np.arange(n))
        counts = self._count_near_pairs(problem, rng, run)
        labels = group_by_counts(counts, k, partial(run.tick, "mf-tsp: groups"))  # [1] lines 11–24
        place_leftovers(X, labels, np.flatnonzero(labels < 0), k)  # [1] line 25
        run.report("mf-tsp: groups", 1.0)
        return Partition(problem, labels)

    def _count_near_pairs(self, problem: Problem, rng: Generator, run: Run) -> IntArray:
        """Count on how many paths two records are near each other, of shape (n, n): [1] lines 2–10."""
        from microagg.kernels.geometry.distances import distance_matrix
        from microagg.kernels.walks.path_counts import count_near_pairs

        n = problem.n
        n_paths = n if self.paths is None else self.paths
        max_steps = problem.k - 1 if self.steps is None else self.steps
        distances = distance_matrix(problem.X, partial(run.tick, "mf-tsp: distances"))
        counts = np.zeros((n, n), dtype=np.int64)
        for number in range(n_paths):
            tick = partial(_tick_path, run, number, n_paths)
            tick()
            count_near_pairs(self._path(distances, number % n, rng, tick), max_steps, counts)
        return counts

    def _path(self, distances: FloatArray, start: int, rng: Generator, tick: Tick) -> IntArray:
        """Return a path from one record: [1] lines 3 and 4."""
        from microagg.kernels.walks.hamiltonian_paths import shorten_path

        n = len(distances)
        if isinstance(self.path, str):
            made = PATH_HEURISTICS[self.path](distances, start, rng, tick)
        else:
            made = self.path(distances, start, rng)
        path = np.array(made, dtype=np.int64)
        if not np.array_equal(np.sort(path), np.arange(n)):
            raise MethodError(f"the path from record {start} must go through each of the {n} records once")
        if self.improve == "2-opt":
            while shorten_path(distances, path):
                tick()
        return path


def _tick_path(run: Run, number: int, n_paths: int, done: float | None = None) -> None:
    """Report how far the paths are; `done` is the share of one of them."""
    run.tick("mf-tsp: paths", (number + (done or 0.0)) / n_paths)
