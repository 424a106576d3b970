"""K-means, made legal by an optimal cut."""

import warnings
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, ClassVar

import numpy as np
from numpy.random import Generator

from microagg.control.run import Run
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.checks import whole_number
from microagg.model.errors import MethodError
from microagg.model.partition import Partition
from microagg.model.problem import Problem

_MAX_DEFAULT_MEANS = 200  # the most that RepOrdMic starts from
_GROUPS_PER_MEAN = 5  # of k records: the default is one mean for 5k records


@dataclass(frozen=True)
class KMeans:
    """Optimal cut of a path through the clusters of scikit-learn's k-means.

    K-means knows no smallest size, so its clusters are no groups: the path goes cluster by cluster, nearest record
    next, and the optimal cut makes groups of k to 2k − 1 of it. Another `random_state` gives another start.

    Parameters
    ----------
    means
        The number of means, at most that of distinct records. None is one for 5k records, but at most 200, the most
        that RepOrdMic starts from.

    References
    ----------
    Mortazavi (2020), Repeated record ordering for constrained size clustering, International Journal of
    Engineering 33(7), section 5: starts from 1 to 200 means.
    """

    means: int | None = None
    reference: ClassVar[str] = "Mortazavi 2020, section 5"

    def __post_init__(self) -> None:
        if self.means is not None:
            object.__setattr__(self, "means", whole_number("means", self.means, at_least=1))

    def __call__(self, problem: Problem, rng: Generator, run: Run) -> Partition:
        """Make the partition."""
        from microagg.kernels.walks.optimal_cut import cut_path
        from microagg.kernels.walks.orderings import group_by_group
        from microagg.kernels.walks.walk_context import make_walk_context

        X, k = problem.X, problem.k
        run.tick("k-means")
        n_means = self._n_means(problem)
        run.tick("k-means")
        labels = nearest_means(X, n_means, rng)
        run.tick("k-means", 1.0)
        path = group_by_group(make_walk_context(X), labels, np.bincount(labels), partial(run.tick, "walk"))
        return Partition.along(problem, path, cut_path(X, path, k, partial(run.tick, "cut")))

    def _n_means(self, problem: Problem) -> int:
        from microagg.kernels.geometry.equal_records import distinct_points

        n_distinct = len(distinct_points(problem.X)[1])
        if self.means is not None and self.means > n_distinct:
            raise MethodError(
                f"means must be at most {n_distinct}, as many different records as there are: found {self.means}"
            )
        default = max(1, problem.n // (_GROUPS_PER_MEAN * problem.k))
        return self.means or min(_MAX_DEFAULT_MEANS, default, n_distinct)


def nearest_means(X: FloatArray, n_means: int, rng: Generator, init: str = "k-means++") -> IntArray:
    """Fit k-means and return the nearest mean of each record, of shape (n,), numbered without gaps.

    One thread: sums of several would depend on the order in which they finish.
    """
    try:
        from sklearn.cluster import KMeans as ScikitKMeans
        from sklearn.exceptions import ConvergenceWarning
    except ModuleNotFoundError:
        raise MethodError("method 'kmeans' needs scikit-learn: pip install 'microagg[sklearn]'") from None
    with _thread_pools().limit(limits=1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # records that differ by rounding may share a mean
        kmeans = ScikitKMeans(n_means, n_init=1, init=init, random_state=int(rng.integers(2**31)))
        fitted = kmeans.fit_predict(X)
    return np.unique(fitted, return_inverse=True)[1].astype(np.int64)


def nearest_random_means(X: FloatArray, n_means: int, rng: Generator) -> IntArray:
    """Fit k-means from random records: faster than k-means++, and more varied for many starts."""
    return nearest_means(X, n_means, rng, init="random")


@cache
def _thread_pools() -> Any:
    """Find the thread pools once, after scikit-learn has loaded its own: this takes longer than some k-means."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
