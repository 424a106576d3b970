"""Microaggregation as an estimator of scikit-learn."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from microagg.aggregate import GroupMeans
from microagg.control.run import Run
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column_set import MethodLike
from microagg.model.solution import Solution, Status
from microagg.solve import solve
from microagg.source.file_handler import needing_extra

with needing_extra("sklearn", "microagg.Microaggregation", ModuleNotFoundError):
    from sklearn.base import BaseEstimator, OneToOneFeatureMixin
    from sklearn.utils._set_output import _SetOutputMixin
    from sklearn.utils.validation import validate_data


class Microaggregation(OneToOneFeatureMixin, _SetOutputMixin, BaseEstimator):  # type: ignore[misc]
    """Estimator that replaces each record by the mean of its group of at least k records.

    It is not a clusterer in scikit-learn's sense: groups are as small as k allows, however the records cluster. It has
    no `transform`, as a record that was not grouped with the others has no k − 1 to hide among. So it stands at the
    end of a Pipeline, whose `fit_transform` or `fit_predict` returns protected records or their groups; in the middle
    of one, scikit-learn refuses it.

    Parameters
    ----------
    k : int, default 5
        The smallest group allowed.
    method : str, stage or sequence of these, default "auto"
        A name from `microagg.methods()`, a stage, or several of either, as in `microagg.solve`.
    effort : {"quick", "standard", "thorough"} or None, default None
        The effort of the search, as in `microagg.solve`.
    standardise : bool, default True
        Whether each column is scaled to variance 1 for the grouping.
    random_state : int, RandomState or None, default 0
        An integer or a RandomState gives reproducible groups; None draws fresh randomness.
    time_limit : float or None, default None
        Seconds that solving may take.
    iterations : int or None, default None
        Iterations that each refiner may do.
    bound : bool, str or callable, default False
        Whether to prove a lower bound on the sse of any partition, or the bound's name, as in `microagg.solve`. The
        groups stay those of the method.
    target_gap : float or None, default None
        The gap between sse and lower bound that is small enough, e.g. 0.01.
    n_jobs : int or None, default None
        The number of threads; None or −1 for one for each processor. The result is the same.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The group of each record.
    centroids_ : ndarray of shape (n_groups, d)
        The mean of each group, on the scale of the data.
    sse_ : float
        The sum of squares within the groups, of standardised data if `standardise`.
    information_loss_ : float
        100·sse/sst, in percent.
    n_groups_ : int
        The number of groups.
    lower_bound_ : float or None
        The proved bound: no partition has a smaller sse. None if none was requested.
    gap_ : float or None
        (sse − lower_bound)/sse; None if no bound was requested.
    improved_ : Solution or None
        Better groups that the proof found and the method does not take. None if there are none.
    status_ : {"heuristic", "bounded", "optimal"}
        How much is proved.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        The names of the columns, if they have any.

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
    improved_: Solution | None
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
        bound: bool | str | Callable[..., Any] = False,
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
        """Raise an error that explains why there is no `transform`; called for missing attributes only."""
        if name == "transform":
            raise AttributeError(
                "Microaggregation has no transform: a record that was not grouped with the others has no k - 1 to hide "
                "among. Use fit_transform, on its own or at the end of a Pipeline"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def fit(self, X: npt.ArrayLike, y: object = None) -> Self:
        """Group the records of X.

        Parameters
        ----------
        X : array-like of shape (n, d)
            The records.
        y
            Not used; accepted by convention of scikit-learn.

        Returns
        -------
        Microaggregation
            The fitted estimator itself.

        Raises
        ------
        InputError
            If a parameter cannot be used.
        ValueError
            If X has fewer than k records, or values that are missing, infinite or no numbers.

        Examples
        --------
        >>> from microagg import Microaggregation
        >>> fitted = Microaggregation(k=2).fit([[1.0], [2.0], [8.0], [9.0]])
        >>> fitted.n_groups_, fitted.centroids_.tolist()
        (2, [[1.5], [8.5]])
        """
        min_records = self.k if isinstance(self.k, int) and self.k > 0 else 1  # solve refuses any other k
        values = validate_data(self, X, dtype=np.float64, order="C", ensure_min_samples=min_records)
        n_workers = None if self.n_jobs == -1 else self.n_jobs
        solution = solve(
            values,
            self.k,
            method=self.method,
            effort=self.effort,
            standardise=self.standardise,
            random_state=self._random_state(),
            bound=self.bound,
            run=Run(self.time_limit, self.iterations, self.target_gap, workers=n_workers),
        )
        self.labels_ = solution.labels.copy()
        self.centroids_ = np.column_stack(list(map(GroupMeans(self.labels_), values.T)))
        self.sse_ = solution.sse
        self.information_loss_ = solution.information_loss
        self.n_groups_ = solution.n_groups
        self.lower_bound_ = solution.lower_bound
        self.gap_ = solution.gap
        self.improved_ = solution.improved
        self.status_ = solution.status
        return self

    def fit_predict(self, X: npt.ArrayLike, y: object = None) -> IntArray:
        """Group the records of X and return the group of each.

        Parameters
        ----------
        X, y
            As in `fit`.

        Returns
        -------
        ndarray of shape (n,)
            The group of each record, as in `labels_`.

        Examples
        --------
        >>> from microagg import Microaggregation
        >>> Microaggregation(k=2).fit_predict([[1.0], [8.0], [2.0], [9.0]]).tolist()
        [0, 1, 0, 1]
        """
        return self.fit(X).labels_

    def fit_transform(self, X: npt.ArrayLike, y: object = None) -> FloatArray:
        """Group the records of X and return the mean of each record's group.

        Parameters
        ----------
        X, y
            As in `fit`.

        Returns
        -------
        ndarray or dataframe of shape (n, d)
            The protected records; a dataframe after `set_output`.

        Examples
        --------
        >>> from microagg import Microaggregation
        >>> Microaggregation(k=2).fit_transform([[1.0], [2.0], [8.0], [9.0]]).tolist()
        [[1.5], [1.5], [8.5], [8.5]]
        """
        self.fit(X)
        return self.centroids_[self.labels_]

    def _random_state(self) -> int | None:
        if isinstance(self.random_state, np.random.RandomState):
            return int(self.random_state.randint(2**31 - 1))
        return self.random_state  # type: ignore[no-any-return]  # solve refuses anything but integers and None
