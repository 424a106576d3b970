"""Sums of the smallest values."""

import numpy as np
import pytest

from microagg.kernels.pricing.nearest_sums import nearest_sums


@pytest.mark.parametrize(("n", "most"), [(1, 0), (1, 2), (6, 0), (6, 3), (6, 5), (6, 7)])
def test_smallest_values_are_added_up(n: int, most: int) -> None:
    halves = np.random.default_rng(n).normal(size=(n, n)).round(1)
    expected = np.full((n, most + 1), np.inf)
    for record in range(n):
        others = np.sort(np.delete(halves[record], record))[:most]
        expected[record, : len(others) + 1] = [0.0, *np.cumsum(others)]
    np.testing.assert_allclose(nearest_sums(halves, most), expected, rtol=0, atol=1e-12)
