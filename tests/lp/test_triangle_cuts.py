"""Separation of triangle inequalities, against all of them."""

from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from microagg.lp.triangle_cuts import violated_triangles


@given(st.integers(0, 2**32 - 1), st.integers(2, 9))
def test_the_most_violated_inequalities_are_found(random_state: int, n: int) -> None:
    half = np.triu(np.random.default_rng(random_state).choice([0.0, 0.25, 0.5, 0.8, 1.0], size=(n, n)), 1)
    values = half + half.T
    violations = {
        (i, j, r): values[i, r] + values[j, r] - values[i, j] - 1 for i, j, r in permutations(range(n), 3) if i < j
    }
    violated = [cut for cut in violations if violations[cut] > 1e-6]
    expected = sorted(violated, key=lambda cut: (-round(violations[cut], 9), cut[2], cut[:2]))
    found = [tuple(cut) for cut in violated_triangles(values, n**3).tolist()]
    assert sorted(found) == sorted(expected)
    amounts = [violations[cut] for cut in found]
    assert amounts == sorted(amounts, reverse=True)
    assert [tuple(cut) for cut in violated_triangles(values, 2).tolist()] == found[:2]


@given(st.lists(st.integers(0, 3), min_size=2, max_size=9))
def test_groups_violate_none(labels: list[int]) -> None:
    values = np.equal.outer(labels, labels).astype(np.float64)
    assert len(violated_triangles(values, 100)) == 0


def test_two_pairs_of_a_record_want_the_third() -> None:
    values = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    assert violated_triangles(values, 5).tolist() == [[0, 1, 2]]
