"""Microaggregation as scikit-learn knows its estimators."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, OneToOneFeatureMixin
from sklearn.utils._set_output import _SetOutputMixin
from sklearn.utils.validation import validate_data

from microagg.aggregate import GroupMeans
from microagg.control.run import Run
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column_set import MethodLike
from microagg.model.solution import Status
from microagg.solve import solve


class Microaggregation(OneToOneFeatureMixin, _SetOutputMixin, BaseEstimator):  # type: ignore[misc]
    """Estimator that groups records into groups of at least k, and replaces each by its group's mean.

    It is no clusterer in scikit-learn's sense: groups are as small as k allows, however the records cluster. There is
    no `transform`: a record that was not grouped with the others has no k − 1 to hide among. So it stands at the end
    of a Pipeline, whose `fit_transform` or `fit_predict` then gives protected records or their groups; in the
    middle of one, scikit-learn refuses it.

    Parameters
    ----------
    k
        The smallest group allowed.
    method
        A name from `microagg.methods()`, a stage, or several of either, as in `microagg.solve`.
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
    n_jobs
        How many threads share the work; None or −1: as many as there are processors. The result is the same.

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
    status_ : str
        How much is proved: "heuristic", "bounded" or "optimal".

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import RobustScaler
    >>> from microagg import Microaggregation
    >>> X = np.array([[1.0], [2.0], [8.0], [9.0]])
    >>> Microaggregation(k=2).fit_transform(X).ravel().tolist()
    [1.5, 1.5, 8.5, 8.5]
    >>> make_pipeline(RobustScaler(), Microaggregation(k=2, standardise=False)).fit_predict(X).tolist()
    [0, 0, 1, 1]
    """

    labels_: IntArray
    centroids_: FloatArray
    sse_: float
    information_loss_: float
    n_groups_: int
    lower_bound_: float | None
    gap_: float | None
    status_: Status

    def __init__(
        self,
        k: int = 5,
        *,
        method: MethodLike = "auto",
        effort: str | None = None,
        standardise: bool = True,
        random_state: Any = 0,
        time_limit: float | None = None,
        iterations: int | None = None,
        bound: bool = False,
        target_gap: float | None = None,
        n_jobs: int | None = None,
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
        self.n_jobs = n_jobs

    def __getattr__(self, name: str) -> Any:
        """Say why there is no `transform`: called only for what the estimator has not."""
        if name == "transform":
            raise AttributeError(
                "Microaggregation has no transform: a record that was not grouped with the others has no k - 1 to hide "
                "among. Use fit_transform, on its own or at the end of a Pipeline"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

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
            bound=self.bound,
            run=Run(
                self.time_limit, self.iterations, self.target_gap, workers=None if self.n_jobs == -1 else self.n_jobs
            ),
        )
        self.labels_ = solution.labels.copy()
        self.centroids_ = np.column_stack(list(map(GroupMeans(self.labels_), values.T)))
        self.sse_ = solution.sse
        self.information_loss_ = solution.information_loss
        self.n_groups_ = solution.n_groups
        self.lower_bound_ = solution.lower_bound
        self.gap_ = solution.gap
        self.status_ = solution.status
        return self

    def fit_predict(self, X: npt.ArrayLike, y: object = None) -> IntArray:
        """Group the records of X and give the group of each, of shape (n,)."""
        return self.fit(X).labels_

    def fit_transform(self, X: npt.ArrayLike, y: object = None) -> FloatArray:
        """Group the records of X and give each the mean of its group, of shape (n, d)."""
        self.fit(X)
        return self.centroids_[self.labels_]

    def _random_state(self) -> int | None:
        if isinstance(self.random_state, np.random.RandomState):
            return int(self.random_state.randint(2**31 - 1))
        return self.random_state  # type: ignore[no-any-return]  # solve refuses what is no number
