"""The k-means start."""

import sys

import numpy as np
import pytest

from microagg import MethodError, Problem, Run, solve
from microagg.construct.kmeans import KMeans


def test_kmeans_starts_from_as_many_means_as_asked_for() -> None:
    """Three far clusters: with three means the path goes through one after the other, whatever their order."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(5, 2)) + centre for centre in (0, 50, 100)])
    solution = solve(X, 3, method="kmeans(means=3)")
    assert solution.labels.tolist() == [0] * 5 + [1] * 5 + [2] * 5
    assert solve(np.ones((8, 2)), 3, method="kmeans(means=1)").information_loss == 0.0
    nearly = np.repeat([0.3, 1.0], 30) + np.tile([0, 5.6e-17], 30)
    assert solve(nearly, 3, method="kmeans").sizes.min() >= 3
    losses = {solve(rng.normal(size=(90, 3)), 3, method="kmeans", random_state=state).sse for state in range(4)}
    assert len(losses) > 1, "another random_state, another start"


def test_kmeans_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("sklearn", "sklearn.cluster", "sklearn.exceptions"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MethodError, match=r"^method 'kmeans' needs scikit-learn: pip install 'microagg\[sklearn\]'$"):
        KMeans()(Problem(np.arange(12.0)[:, None], 3), np.random.default_rng(0), Run())


def test_there_are_at_most_as_many_means_as_distinct_records() -> None:
    problem = Problem(np.repeat([0.0, 1.0, 2.0], 4)[:, None], 2)
    assert KMeans(3)(problem, np.random.default_rng(0), Run()).sse == 0.0
    with pytest.raises(MethodError, match="means must be at most 3"):
        KMeans(4)(problem, np.random.default_rng(0), Run())
