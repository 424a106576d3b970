"""Groups joined by Ward's rule."""

import numpy as np
import pytest

import naive_ward
from microagg.kernels.grouping.ward import join_small_groups
from microagg.model.arrays import FloatArray
from samples import heavy_tailed, normal


def _joined(X: FloatArray, groups: list[list[int]], k: int) -> list[list[int]]:
    labels = np.arange(len(X))
    for group in groups:
        labels[group] = min(group)
    found = join_small_groups(X, labels, k)
    return sorted(np.flatnonzero(found == label).tolist() for label in np.unique(found))


@pytest.mark.parametrize("k", [2, 3, 6])
@pytest.mark.parametrize("seed", range(5))
def test_groups_are_those_of_the_oracle(seed: int, k: int) -> None:
    for X in (normal(seed, 40), heavy_tailed(seed, 40)):
        first = [list(range(7)), [20, 30, 9]]
        rest = [[record] for record in range(len(X)) if record not in {*first[0], *first[1]}]
        assert _joined(X, first, k) == naive_ward.join_small_groups(X, [*first, *rest], k)


def test_two_groups_of_k_are_never_joined() -> None:
    X = np.array([[0.0], [0], [0.1], [0.1], [9]])
    assert _joined(X, [[0, 1], [2, 3]], 2) == [[0, 1], [2, 3, 4]]


def test_ties_go_to_the_lowest_records() -> None:
    X = np.arange(8.0)[:, None]
    assert _joined(X, [[0, 1], [6, 7]], 2) == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_sizes_weigh() -> None:
    """A record joins the single record that is farther away, not the large group: 2²/2 < 1.5²·9/10."""
    X = np.array([*[[0.0]] * 9, [1.5], [3.5]])
    assert _joined(X, [list(range(9))], 2) == [list(range(9)), [9, 10]]


def test_equal_records_do_not_all_join_one_group() -> None:
    assert _joined(np.zeros((9, 1)), [[0, 1, 2]], 3) == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
