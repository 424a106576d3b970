"""Soft walls: blocks that are neither too small nor too large, whatever the data, and keep groups whole."""

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from microagg import Partition, Problem, soft_walls
from microagg.model.arrays import IntArray
from microagg.soft_walls import SoftWalls, is_sampled, n_sample_wanted, sampled_records, tree_of_round
from naive_soft_walls import SHAPES, hard_points
from strategies import random_labels


def _is_division(blocks: Iterable[IntArray], n: int) -> bool:
    """Check that every record is in one block, and that those of each block ascend."""
    blocks = list(blocks)
    ascend = all(np.all(np.diff(records) > 0) for records in blocks)
    return ascend and sorted(np.concatenate(blocks).tolist()) == list(range(n))


def _listed(blocks: dict[int, IntArray]) -> dict[int, list[int]]:
    return {number: records.tolist() for number, records in blocks.items()}


@given(st.sampled_from(SHAPES), st.integers(1, 4), st.integers(1, 5), st.integers(4, 12), st.data())
def test_every_block_of_records_has_at_least_k_and_at_most_two_block_sizes(
    shape: str, d: int, k: int, groups_per_block: int, data: st.DataObject
) -> None:
    block_size = groups_per_block * k
    n = data.draw(st.integers(block_size + 1, 8 * block_size) | st.just(block_size + 1))
    problem = Problem(hard_points(shape, n, d, data.draw(st.integers(0, 2**32 - 1))), k)
    blocks = SoftWalls(problem, block_size, 0).of_records().values()
    assert _is_division(blocks, n)
    assert min(map(len, blocks)) >= k
    assert max(map(len, blocks)) <= 2 * block_size


@given(st.sampled_from(SHAPES), st.integers(0, 2**32 - 1), st.integers(1, 3))
def test_a_sample_is_enough_for_k_records_in_every_block(shape: str, random_state: int, k: int) -> None:
    n = 3000
    problem = Problem(hard_points(shape, n, 2, random_state), k)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(soft_walls, "_MIN_SAMPLE", 50)
        patch.setattr(soft_walls, "_SAMPLE_PER_BLOCK", 20)
        walls = SoftWalls(problem, 300, 0)
        assert 50 < len(walls._sample) < 300
        blocks = walls.of_records().values()
    assert _is_division(blocks, n)
    assert min(map(len, blocks)) >= k
    assert max(map(len, blocks)) <= 600


def test_a_large_k_is_no_reason_for_blocks_that_walls_do_not_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soft_walls, "_MIN_SAMPLE", 200)
    k = 50
    X = np.random.default_rng(0).normal(size=(4000, 1))
    blocks = SoftWalls(Problem(X, k), 200, 0).of_records().values()
    ends = sorted((float(X[records].min()), float(X[records].max())) for records in blocks)
    assert all(before[1] < after[0] for before, after in pairwise(ends)), "intervals of the column"
    assert k <= min(map(len, blocks)) <= max(map(len, blocks)) <= 400


@given(st.sampled_from(SHAPES), st.integers(1, 5), st.integers(4, 12), st.integers(0, 2**32 - 1), st.integers(1, 5))
def test_blocks_of_groups_keep_these_whole(
    shape: str, k: int, groups_per_block: int, random_state: int, number: int
) -> None:
    block_size = groups_per_block * k
    n = 5 * block_size + random_state % block_size
    problem = Problem(hard_points(shape, n, 3, random_state), k)
    partition = Partition(problem, random_labels(random_state, n, k))
    walls = SoftWalls(problem, block_size, random_state)
    blocks = walls.of_groups(number, partition.labels, partition.centroids, partition.sizes).values()
    assert _is_division(blocks, n)
    assert max(map(len, blocks)) <= 2 * block_size + 2 * k
    of_blocks = [set(partition.labels[records].tolist()) for records in blocks]
    assert sum(map(len, of_blocks)) == partition.n_groups


def test_walls_are_elsewhere_in_every_round_and_the_same_for_the_same_random_state() -> None:
    problem = Problem(np.random.default_rng(0).normal(size=(300, 2)), 3)
    one = Partition(problem, np.arange(300) // 3)
    groups = (one.labels, one.centroids, one.sizes)
    walls = SoftWalls(problem, 30, 7)
    first, second = (_listed(walls.of_groups(number, *groups)) for number in (1, 2))
    assert first != second
    assert first == _listed(SoftWalls(problem, 30, 7).of_groups(1, *groups))
    assert first != _listed(SoftWalls(problem, 30, 8).of_groups(1, *groups))


@given(st.integers(2, 400), st.integers(1, 40), st.integers(1, 5))
def test_blocks_in_order_are_the_fallback(n: int, groups_per_block: int, k: int) -> None:
    block_size = (1 + groups_per_block) * k
    assume(n > block_size)
    blocks = SoftWalls(Problem(np.zeros((n, 1)), k), block_size, 0).in_order().values()
    assert np.concatenate(list(blocks)).tolist() == list(range(n))
    assert k <= min(map(len, blocks)) <= max(map(len, blocks)) <= block_size


def test_each_block_is_near_the_next() -> None:
    X = np.random.default_rng(0).permutation(np.arange(300.0) ** 2)[:, None]
    centres = [float(X[records].mean()) for records in SoftWalls(Problem(X, 3), 40, 0).of_records().values()]
    assert centres == sorted(centres)


def test_few_records_are_all_sampled() -> None:
    assert sampled_records(5, 5).tolist() == [0, 1, 2, 3, 4]
    assert sampled_records(5, 9).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("n_wanted", [2_000, 100_000, 199_999])
def test_about_as_many_records_are_sampled_as_are_wanted_from_everywhere(n_wanted: int) -> None:
    n = 200_000
    sample = sampled_records(n, n_wanted)
    assert np.all(np.diff(sample) > 0)
    assert sample[-1] < n
    deviation = np.sqrt(n_wanted * (1 - n_wanted / n))
    assert abs(len(sample) - n_wanted) <= 4 * deviation + 1
    tenths = np.bincount(sample * 10 // n, minlength=10)
    assert np.all(np.abs(tenths - n_wanted / 10) <= 5 * np.sqrt(n_wanted / 10))
    np.testing.assert_array_equal(sample, sampled_records(n, n_wanted))


def test_a_record_is_sampled_by_its_row_whatever_records_are_beside_it() -> None:
    rows = np.random.default_rng(0).choice(10**9, 70_000, replace=False)
    n, n_wanted = 10**9, 10**8
    sampled = is_sampled(rows, n, n_wanted)
    assert 0.09 < sampled.mean() < 0.11
    order = np.random.default_rng(1).permutation(len(rows))
    np.testing.assert_array_equal(is_sampled(rows[order], n, n_wanted), sampled[order])
    in_pieces = np.concatenate([is_sampled(some, n, n_wanted) for some in np.split(rows, 7)])
    np.testing.assert_array_equal(in_pieces, sampled)
    assert is_sampled(rows, n, n).all()


def test_records_are_sampled_by_their_rows_in_the_table_that_was_read() -> None:
    rows = np.sort(np.random.default_rng(2).choice(10**6, 150_000, replace=False))
    expected = np.flatnonzero(is_sampled(rows, len(rows), 9_000))
    np.testing.assert_array_equal(sampled_records(len(rows), 9_000, rows), expected)
    assert not np.array_equal(sampled_records(len(rows), 9_000), expected)
    in_order = sampled_records(len(rows), 9_000, np.arange(len(rows)))
    np.testing.assert_array_equal(sampled_records(len(rows), 9_000), in_order)


def test_the_sample_has_some_groups_of_every_block() -> None:
    assert n_sample_wanted(2, 3) == 20_000
    assert n_sample_wanted(1_000, 3) == 100_000
    assert n_sample_wanted(1_000, 50) == 200_000


@given(st.sampled_from(SHAPES), st.integers(0, 12), st.integers(1, 5), st.integers(0, 2), st.integers(0, 2**32 - 1))
def test_blocks_have_k_records_however_few_are_sampled(
    shape: str, n_sampled: int, k: int, number: int, random_state: int
) -> None:
    n, block_size = 400, 4 * k
    problem = Problem(hard_points(shape, n, 2, random_state), k)
    rng = np.random.default_rng(random_state)
    with pytest.MonkeyPatch.context() as patch:
        chosen = rng.choice(n, n_sampled, replace=False)
        patch.setattr(soft_walls, "is_sampled", lambda rows, *_: np.isin(rows, chosen))
        walls = SoftWalls(problem, block_size, random_state)
        assert len(walls._sample) == n_sampled
        of_records = walls.of_records()
        groups = Partition(problem, random_labels(random_state, n, k))
        of_groups = walls.of_groups(number + 1, groups.labels, groups.centroids, groups.sizes)
    for blocks in (of_records, of_groups):
        assert _is_division(blocks.values(), n)
        assert min(map(len, blocks.values())) >= k
        assert max(map(len, blocks.values())) <= 2 * block_size + 2 * k


def test_a_sample_without_enough_points_makes_a_tree_of_one_leaf() -> None:
    for n_sampled in (0, 1, 5):
        sample = np.random.default_rng(3).normal(size=(n_sampled, 2))
        for number in (0, 1):
            assert tree_of_round(sample, n_blocks=20, k=3, number=number, random_state=0).n_leaves == 1
