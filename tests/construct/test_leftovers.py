"""The last records."""

import numpy as np
import pytest

from microagg.construct.leftovers import place_leftovers
from microagg.model.nearest_group import join_nearest

X = np.array([0.0, 1.0, 10.0, 11.0, 4.0, 5.5])[:, None]


def test_leftovers_join_the_nearest_centroid_and_ties_go_to_the_first_group() -> None:
    labels = np.array([0, 0, 1, 1, -1, -1])
    join_nearest(X, labels, np.array([4, 5]))
    assert labels.tolist() == [0, 0, 1, 1, 0, 0]


@pytest.mark.parametrize(("k", "expected"), [(2, [2, 2]), (3, [0, 0])])
def test_k_leftovers_are_a_group_of_their_own(k: int, expected: list[int]) -> None:
    labels = np.array([0, 0, 1, 1, -1, -1])
    place_leftovers(X, labels, np.array([4, 5]), k)
    assert labels[4:].tolist() == expected
