"""Minimum spanning tree partitioning."""

import numpy as np

from microagg import Problem, Run
from microagg.construct.mst import Mst


def test_components_below_2k_are_kept_and_others_split() -> None:
    X = np.array([0.0, 1, 2, 3, 4, 50, 51, 52, 100, 101, 102, 103, 110, 111, 112, 113])[:, None]
    partition = Mst()(Problem(X - X.mean(), 3), np.random.default_rng(0), Run())
    assert partition.labels.tolist() == [0] * 5 + [1] * 3 + [2] * 4 + [3] * 4
