"""Groups that are joined pair by pair, against sets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg.kernels.grouping.union_find import join_pairs


@given(st.integers(1, 12), st.data())
def test_groups_are_joined_while_they_are_small_enough(n: int, data: st.DataObject) -> None:
    record = st.integers(0, n - 1)
    pairs = data.draw(st.lists(st.tuples(record, record), max_size=30))
    max_size = data.draw(st.integers(1, n))
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T.copy()
    labels = join_pairs(first, second, n, max_size)
    groups = sorted(np.flatnonzero(labels == root).tolist() for root in np.unique(labels))
    assert groups == naive.glue(pairs, n, max_size)
    assert (labels[labels] == labels).all(), "the label is a record of the group"


@pytest.mark.parametrize(("max_size", "n_groups"), [(3, 2), (4, 1)])
def test_groups_reach_exactly_the_greatest_size(max_size: int, n_groups: int) -> None:
    labels = join_pairs(np.array([0, 2, 1]), np.array([1, 3, 2]), 4, max_size)
    assert len(np.unique(labels)) == n_groups
