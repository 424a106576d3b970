"""Principal axes: orthogonal, the widest first, with one sign whatever the sign of the points."""

import numpy as np

from microagg.kernels.geometry.principal_axes import principal_axes
from samples import normal


def test_axes_are_orthogonal_and_the_widest_is_first() -> None:
    X = normal(0, 200, 4) * [1.0, 5.0, 2.0, 0.5]
    axes = principal_axes(X.T @ X)
    np.testing.assert_allclose(axes.T @ axes, np.eye(4), atol=1e-12)
    spread = np.square(X @ axes).sum(axis=0)
    assert np.all(np.diff(spread) < 0)


def test_the_largest_coordinate_of_each_axis_is_positive() -> None:
    for seed in range(20):
        X = normal(seed, 30, 3)
        axes = principal_axes(X.T @ X)
        assert np.all(axes[np.abs(axes).argmax(axis=0), range(3)] > 0)
