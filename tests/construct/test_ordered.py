"""Cuts of paths and tours."""

import numpy as np
import pytest

from microagg import solve


@pytest.mark.parametrize("base", ["npn", "md", "mdav", "cbfs", "pca", "zscore", "tsp"])
def test_tour_is_no_worse_than_its_path(base: str) -> None:
    for seed in range(5):
        X = np.random.default_rng(seed).normal(size=(61, 3))
        path, tour = (solve(X, 4, method=f"{base}-mhm{cut}").sse for cut in ("", "-tour"))
        assert tour <= path * (1 + 1e-12), f"seed {seed}"
