"""The estimator keeps scikit-learn's conventions, and does what `solve` does."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from microagg import Microaggregation, solve
from microagg.model.arrays import FloatArray


@pytest.mark.parametrize(
    "estimator", [Microaggregation(effort="quick"), Microaggregation(method="mdav+recut", random_state=None)], ids=repr
)
def test_scikit_learn_agrees(estimator: Microaggregation) -> None:
    from sklearn.utils.estimator_checks import check_estimator  # here, as it takes as long as all of pandas

    check_estimator(estimator, on_skip=None)


@pytest.fixture(name="X")
def _points() -> FloatArray:
    return np.random.default_rng(0).normal(size=(50, 3)) * [1, 10, 100]


def test_fit_transform_returns_group_means(X: FloatArray) -> None:
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


def test_new_records_cannot_be_transformed(X: FloatArray) -> None:
    assert not hasattr(Microaggregation(), "transform")
    with pytest.raises(
        AttributeError, match="a record that was not grouped with the others has no k - 1 to hide among"
    ):
        Microaggregation(method="mdav").fit(X).transform(X)
    with pytest.raises(TypeError, match="transform"):
        make_pipeline(Microaggregation(), StandardScaler()).fit(X)


def test_it_stands_at_the_end_of_a_pipeline(X: FloatArray) -> None:
    pipeline = make_pipeline(StandardScaler(), Microaggregation(k=5, standardise=False, effort="quick"))
    protected = pipeline.fit_transform(X)
    assert np.unique(protected, axis=0, return_counts=True)[1].min() >= 5
    np.testing.assert_array_equal(pipeline.fit_predict(X), pipeline[-1].labels_)


def test_output_is_a_dataframe_if_it_is_asked_for(X: FloatArray) -> None:
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    estimator = Microaggregation(k=5, method="mdav").set_output(transform="pandas")
    protected = estimator.fit_transform(frame)
    assert protected.columns.tolist() == estimator.get_feature_names_out().tolist() == ["a", "b", "c"]
    assert protected.groupby(["a", "b", "c"]).size().min() >= 5
    assert isinstance(Microaggregation(k=5, method="mdav").fit_transform(frame), np.ndarray)
    with pytest.raises(NotFittedError):
        Microaggregation().get_feature_names_out()


def test_status(X: FloatArray) -> None:
    assert Microaggregation(k=5, method="mdav").fit(X).status_ == "heuristic"
    assert Microaggregation(k=5).fit(X[:, :1]).status_ == "optimal"


def test_threads_change_nothing(X: FloatArray) -> None:
    labels = [Microaggregation(k=5, effort="quick", n_jobs=jobs).fit(X).labels_ for jobs in (1, 2, -1)]
    np.testing.assert_array_equal(labels[0], labels[1])
    np.testing.assert_array_equal(labels[0], labels[2])


def test_parameters_reach_the_solver(X: FloatArray) -> None:
    with pytest.raises(ValueError, match="no method 'nope'"):
        Microaggregation(method="nope").fit(X)
    with pytest.raises(ValueError, match="a minimum of 51 is required"):
        Microaggregation(k=51).fit(X)
    with pytest.raises(ValueError, match="nothing that"):
        Microaggregation(method="mdav", iterations=1).fit(X)
    with pytest.raises(ValueError, match="effort must be one of quick, standard, thorough"):
        Microaggregation(effort="some").fit(X)
    with pytest.raises(ValueError, match="k must be at least 1"):
        Microaggregation(k=0).fit(X)
    stretched = Microaggregation(k=5, standardise=False, effort="quick").fit(X)
    assert (stretched.labels_ != Microaggregation(k=5, effort="quick").fit(X).labels_).any()
    random_state = np.random.RandomState(0)
    assert Microaggregation(k=5, effort="quick", random_state=random_state).fit(X).n_groups_ == 10


def test_as_many_records_as_k_are_one_group(X: FloatArray) -> None:
    assert Microaggregation(k=50, method="mdav").fit(X).n_groups_ == 1


def test_clone_and_names(X: FloatArray) -> None:
    estimator = clone(Microaggregation(k=7, method="mdav")).fit(pd.DataFrame(X, columns=list("abc")))
    assert estimator.feature_names_in_.tolist() == ["a", "b", "c"]
    assert np.bincount(estimator.labels_).min() >= 7


def test_bound_is_proved_if_it_is_asked_for() -> None:
    X = np.random.default_rng(0).normal(size=(40, 3))
    fitted = Microaggregation(k=3, method="mdav", bound=True).fit(X)
    assert fitted.lower_bound_ is not None
    assert fitted.gap_ is not None
    assert 0.0 < fitted.lower_bound_ <= fitted.sse_
    assert 0.0 <= fitted.gap_ < 0.5
    assert fitted.sse_ == Microaggregation(k=3, method="mdav").fit(X).sse_
    assert fitted.improved_ is not None
    assert fitted.improved_.sse < fitted.sse_
    assert Microaggregation(k=3, method="mdav").fit(X).gap_ is None


def test_repr_shows_no_record(X: FloatArray) -> None:
    fitted = Microaggregation(k=5, method="mdav").fit(X)
    shown = repr(fitted) + fitted._repr_html_()
    assert not any(f"{value:.4}" in shown for value in X.ravel())
