"""Orders of the records."""

import numpy as np

from microagg import solve


def test_projections_sort_as_they_say() -> None:
    """Both records far along the axis and the sum of z-scores: one dimension in disguise."""
    line = np.random.default_rng(0).permutation(np.arange(40.0))
    X = np.column_stack([line, 2 * line, np.full(40, 3.0)])
    optimum = solve(line, 3, method="univariate")
    for name in ("pca-mhm", "zscore-mhm"):
        np.testing.assert_array_equal(solve(X, 3, method=name).labels, optimum.labels)
