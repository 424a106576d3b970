"""K-means, made legal."""

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

_MOST, _SHARE = 200, 5


@dataclass(frozen=True)
class KMeans:
    """Find the means of scikit-learn's k-means, walk through their records and cut the walk optimally.

    Ordinary k-means knows no smallest size, so its parts are not groups: the walk goes part by part, nearest record
    next, and the optimal cut makes groups of k to 2k − 1 of it. Another `random_state` gives another start.

    Parameters
    ----------
    means
        How many means, at most as many as there are different records. None is one for 5k records, but at most 200,
        the most that RepOrdMic starts from.

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
        from microagg.kernels.geometry.equal_records import distinct_points
        from microagg.kernels.walks.optimal_cut import cut_path
        from microagg.kernels.walks.orderings import group_by_group, survey

        X, k = problem.X, problem.k
        run.tick("k-means")
        different = len(distinct_points(X)[1])
        if self.means is not None and self.means > different:
            raise MethodError(
                f"means must be at most {different}, as many different records as there are: found {self.means}"
            )
        means = self.means or min(_MOST, max(1, problem.n // (_SHARE * k)), different)
        run.tick("k-means")
        labels = parts_of_means(X, means, rng)
        run.tick("k-means", 1.0)
        walk = group_by_group(survey(X), labels, np.bincount(labels), partial(run.tick, "walk"))
        return Partition.along(problem, walk, cut_path(X, walk, k, partial(run.tick, "cut")))


def parts_of_means(X: FloatArray, means: int, rng: Generator, init: str = "k-means++") -> IntArray:
    """Give the nearest mean of each record, of shape (n,), numbered without gaps.

    One thread: sums of several would depend on who comes first.
    """
    try:
        from sklearn.cluster import KMeans as ScikitKMeans
        from sklearn.exceptions import ConvergenceWarning
    except ModuleNotFoundError:
        raise MethodError("method 'kmeans' needs scikit-learn: pip install 'microagg[sklearn]'") from None
    with _thread_pools().limit(limits=1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # records that differ by rounding may share a mean
        kmeans = ScikitKMeans(means, n_init=1, init=init, random_state=int(rng.integers(2**31)))
        fitted = kmeans.fit_predict(X)
    return np.unique(fitted, return_inverse=True)[1].astype(np.int64)


def parts_of_random_means(X: FloatArray, means: int, rng: Generator) -> IntArray:
    """Do so from random records as the first means: quicker, and more varied for many starts."""
    return parts_of_means(X, means, rng, init="random")


@cache
def _thread_pools() -> Any:
    """Look for thread pools once, after scikit-learn has brought its own: this takes longer than some k-means."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
