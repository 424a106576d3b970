"""Microaggregation as scikit-learn knows its estimators."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from microagg.aggregate import group_means
from microagg.arrays import FloatArray, IntArray
from microagg.solve import solve


class Microaggregation(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Group records into groups of at least k, and replace each by its group's mean.

    There is no `transform`: a record that was not grouped with the others has no k − 1 to hide among.

    Parameters
    ----------
    k
        The smallest group allowed.
    method
        A name from `microagg.methods()`, as in `microagg.solve`.
    effort
        How long "search" goes on: "quick", "standard" or "thorough"; as in `microagg.solve`.
    standardise
        Whether each column is scaled to variance 1 for the grouping.
    random_state
        An integer or a RandomState gives reproducible groups; None takes fresh randomness.
    time_limit, iterations
        Limits of the work: seconds, rounds of the refiners.
    bound, target_gap
        Whether to prove how little any grouping must lose, and how small a gap is enough; as in `microagg.solve`.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The group of each record.
    centroids_ : ndarray of shape (n_groups, d)
        The mean of each group, on the scale of the data.
    sse_ : float
        The squares within the groups, on standardised data if so chosen.
    information_loss_ : float
        100·sse/sst in percent.
    n_groups_ : int
        How many groups there are.
    lower_bound_, gap_ : float or None
        What no grouping can beat, as sse, and what lies between; None while no bound was asked for.
    """

    labels_: IntArray
    centroids_: FloatArray

    def __init__(
        self,
        k: int = 5,
        *,
        method: str = "auto",
        effort: str | None = None,
        standardise: bool = True,
        random_state: Any = 0,
        time_limit: float | None = None,
        iterations: int | None = None,
        bound: bool = False,
        target_gap: float | None = None,
    ) -> None:
        self.k = k
        self.method = method
        self.effort = effort
        self.standardise = standardise
        self.random_state = random_state
        self.time_limit = time_limit
        self.iterations = iterations
        self.bound = bound
        self.target_gap = target_gap

    def fit(self, X: npt.ArrayLike, y: object = None) -> Self:
        """Group the records of X, of shape (n, d); y is there for scikit-learn's sake only."""
        enough = self.k if isinstance(self.k, int) and self.k > 0 else 1  # solve refuses any other k
        values = validate_data(self, X, dtype=np.float64, order="C", ensure_min_samples=enough)
        solution = solve(
            values,
            self.k,
            method=self.method,
            effort=self.effort,
            standardise=self.standardise,
            random_state=self._random_state(),
            time_limit=self.time_limit,
            iterations=self.iterations,
            bound=self.bound,
            target_gap=self.target_gap,
        )
        self.labels_ = solution.labels.copy()
        self.centroids_ = np.column_stack([group_means(column, self.labels_) for column in values.T])
        self.sse_ = solution.sse
        self.information_loss_ = solution.information_loss
        self.n_groups_ = solution.n_groups
        self.lower_bound_ = solution.lower_bound
        self.gap_ = solution.gap
        return self

    def fit_transform(self, X: npt.ArrayLike, y: object = None) -> FloatArray:
        """Group the records of X and give each the mean of its group, of shape (n, d)."""
        self.fit(X)
        return self.centroids_[self.labels_]

    def _random_state(self) -> int | None:
        if isinstance(self.random_state, np.random.RandomState):
            return int(self.random_state.randint(2**31 - 1))
        return self.random_state  # type: ignore[no-any-return]  # solve refuses what is no number
