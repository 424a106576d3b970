"""Growth of groups, against the definition."""

import numpy as np
import pytest

import naive
from microagg.kernels.geometry.record_blocks import BLOCK, pack
from microagg.kernels.grouping.growth import (
    shortlist_length,
    take_and_extend,
    take_nearest,
    take_nearest_to_centroid,
)
from microagg.model.arrays import FloatArray

KERNELS = [(take_nearest, naive.nn), (take_nearest_to_centroid, naive.nc)]


def _records(n: int, ties: bool) -> FloatArray:
    rng = np.random.default_rng(n)
    return rng.integers(0, 4, size=(n, 2)).astype(float) if ties else rng.standard_t(1.5, size=(n, 2))


@pytest.mark.parametrize(("take", "grow"), KERNELS)
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(("n", "k"), [(30, 3), (BLOCK + 40, 7), (8, 8), (5, 1)])
def test_groups_grow_one_after_the_other(take, grow, ties: bool, n: int, k: int) -> None:  # type: ignore[no-untyped-def]
    """With heavy tails, so that some groups outgrow their shortlists."""
    X = _records(n, ties)
    blocks = pack(X)
    left = np.arange(n)
    rng = np.random.default_rng(k)
    group = np.empty(k, dtype=np.int64)
    while len(left) >= k:
        record = int(rng.choice(left))
        expected = list(grow(X, k, left, record))
        far = left[naive.squares(X[left], X[record]).argmax()]
        assert take(blocks, len(left), record, group) == (-1 if far in expected else far)
        assert group.tolist() == expected
        left = np.setdiff1d(left, group)
        assert sorted(blocks.records[: len(left)]) == left.tolist()


@pytest.mark.parametrize("gamma", [0.2, 1.1, 1e9])
def test_a_group_is_extended_to_at_most_2k_minus_1(gamma: float) -> None:
    X = _records(60, ties=False)
    k = 4
    blocks = pack(X)
    group = np.empty(2 * k - 1, dtype=np.int64)
    size = take_and_extend(blocks, len(X), 0, k, gamma, group)
    members = naive.nn(X, k, np.arange(60), 0).tolist()
    while len(members) < 2 * k - 1:
        left = np.setdiff1d(np.arange(60), members)
        inner = np.min([naive.squares(X[left], X[member]) for member in members], axis=0)
        chosen = int(left[inner.argmin()])
        outer = naive.squares(X[left[left != chosen]], X[chosen]).min()
        if not inner.min() < gamma**2 * outer:
            break
        members.append(chosen)
    assert group[:size].tolist() == members
    assert (size == 2 * k - 1) == (gamma == 1e9)
    assert (blocks.places[members] == -1).all()


def test_a_shortlist_is_longer_than_the_group() -> None:
    assert [shortlist_length(k) for k in (1, 2, 32, 33, 1000)] == [4, 8, 128, 129, 1096]
