"""IMHM."""

import numpy as np

from microagg import solve


def test_imhm_is_no_worse_than_mdav() -> None:
    for seed in range(5):
        X = np.random.default_rng(seed).normal(size=(90, 3))
        assert solve(X, 4, method="imhm").sse <= solve(X, 4, method="mdav").sse
