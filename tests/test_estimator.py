"""The estimator is one of scikit-learn's own kind."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from microagg import Microaggregation, solve


@parametrize_with_checks([Microaggregation(), Microaggregation(method="mdav+recut", random_state=None)])
def test_scikit_learn_agrees(estimator, check):
    check(estimator)


@pytest.fixture(name="X")
def _points():
    return np.random.default_rng(0).normal(size=(50, 3)) * [1, 10, 100]


def test_fit_transform_gives_group_means(X):
    estimator = Microaggregation(k=5, method="mdav")
    protected = estimator.fit_transform(X)
    solution = solve(X, 5, method="mdav")
    np.testing.assert_array_equal(estimator.labels_, solution.labels)
    assert estimator.information_loss_ == solution.information_loss
    assert estimator.n_groups_ == len(estimator.centroids_) == solution.n_groups
    for group in range(estimator.n_groups_):
        members = estimator.labels_ == group
        np.testing.assert_allclose(protected[members], np.tile(X[members].mean(axis=0), (members.sum(), 1)))
    np.testing.assert_array_equal(estimator.fit_predict(X), estimator.labels_)


def test_new_records_cannot_be_transformed(X):
    assert not hasattr(Microaggregation(), "transform")
    with pytest.raises(
        AttributeError, match="a record that was not grouped with the others has no k - 1 to hide among"
    ):
        Microaggregation().fit(X).transform(X)
    with pytest.raises(TypeError, match="transform"):
        make_pipeline(Microaggregation(), StandardScaler()).fit(X)


def test_it_stands_at_the_end_of_a_pipeline(X):
    pipeline = make_pipeline(StandardScaler(), Microaggregation(k=5, standardise=False))
    protected = pipeline.fit_transform(X)
    assert np.unique(protected, axis=0, return_counts=True)[1].min() >= 5
    np.testing.assert_array_equal(pipeline.fit_predict(X), pipeline[-1].labels_)


def test_output_is_as_it_is_asked_for(X):
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    estimator = Microaggregation(k=5).set_output(transform="pandas")
    protected = estimator.fit_transform(frame)
    assert protected.columns.tolist() == estimator.get_feature_names_out().tolist() == ["a", "b", "c"]
    assert protected.groupby(["a", "b", "c"]).size().min() >= 5
    assert isinstance(Microaggregation(k=5).fit_transform(frame), np.ndarray)
    with pytest.raises(NotFittedError):
        Microaggregation().get_feature_names_out()


def test_status_is_told(X):
    assert Microaggregation(k=5, method="mdav").fit(X).status_ == "heuristic"
    assert Microaggregation(k=5).fit(X[:, :1]).status_ == "optimal"


def test_threads_change_nothing(X):
    labels = [Microaggregation(k=5, n_jobs=jobs).fit(X).labels_ for jobs in (1, 2)]
    np.testing.assert_array_equal(*labels)


def test_parameters_reach_the_solver(X):
    with pytest.raises(ValueError, match="no method 'nope'"):
        Microaggregation(method="nope").fit(X)
    with pytest.raises(ValueError, match="a minimum of 51 is required"):
        Microaggregation(k=51).fit(X)
    with pytest.raises(ValueError, match="nothing that"):
        Microaggregation(method="mdav", iterations=1).fit(X)
    with pytest.raises(ValueError, match="effort must be one of quick, standard, thorough"):
        Microaggregation(effort="some").fit(X)
    stretched = Microaggregation(k=5, standardise=False).fit(X)
    assert (stretched.labels_ != Microaggregation(k=5).fit(X).labels_).any()
    assert Microaggregation(k=5, random_state=np.random.RandomState(0)).fit(X).n_groups_ == 10


def test_clone_and_names(X):
    estimator = clone(Microaggregation(k=7)).fit(pd.DataFrame(X, columns=list("abc")))
    assert estimator.feature_names_in_.tolist() == ["a", "b", "c"]
    assert np.bincount(estimator.labels_).min() >= 7


def test_a_bound_is_proved_where_it_is_asked_for():
    X = np.random.default_rng(0).normal(size=(40, 3))
    fitted = Microaggregation(k=3, bound=True).fit(X)
    assert 0.0 < fitted.lower_bound_ <= fitted.sse_
    assert 0.0 <= fitted.gap_ < 0.5
    assert Microaggregation(k=3).fit(X).gap_ is None
