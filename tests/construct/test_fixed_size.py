"""Constructors of groups of exactly k against their slow versions."""

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

import naive
from microagg import InputError, Partition, Problem, Run, solve
from microagg.construct import CONSTRUCTORS
from microagg.construct.fixed_size import FixedSize
from microagg.construct.growth_rules import Nearest
from microagg.construct.gsms import Gsms
from microagg.construct.slabs import group_in_slabs
from microagg.construct.v_mdav import VMdav
from microagg.kernels.geometry.record_blocks import BLOCK
from microagg.methods import pipeline
from microagg.model.arrays import FloatArray, IntArray
from runs import CancelledAt

FIXED = [
    (f"{first}-{grow}", first, grow) for first in naive.FIRST for grow in naive.GROW if (first, grow) != ("gsms", "nc")
]


def _make(name: str, problem: Problem) -> IntArray:
    return CONSTRUCTORS[name](problem, np.random.default_rng(0), Run()).labels


def _canonical(problem: Problem, labels: IntArray) -> IntArray:
    return Partition(problem, labels).labels


def _groups(labels: IntArray) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(labels == group).tolist()) for group in np.unique(labels)}


@pytest.mark.parametrize(("name", "first", "grow"), FIXED)
@pytest.mark.parametrize(("n", "d", "k"), [(40, 2, 3), (150, 3, 4), (101, 1, 2), (30, 4, 1), (120, 2, 10), (7, 2, 4)])
def test_fixed_size_is_the_naive_one(name: str, first: str, grow: str, n: int, d: int, k: int) -> None:
    problem = Problem(np.random.default_rng(n).normal(size=(n, d)), k)
    expected = naive.fixed_size(problem.X, k, naive.FIRST[first], naive.GROW[grow])
    np.testing.assert_array_equal(_make(name, problem), _canonical(problem, expected))


def _first_mdav_then_one_more(X: FloatArray, k: int, labels: IntArray) -> Iterator[int]:
    yield from naive.first_mdav(X, k, labels)
    yield from naive.first_cbfs(X, k, labels)


@pytest.mark.parametrize("grow", ["nn", "nc"])
@pytest.mark.parametrize(("n", "k"), [(40, 3), (47, 4), (44, 4), (120, 10), (7, 4), (8, 4), (5, 5)])
def test_mdav_grows_one_more_group_if_the_rest_joins_the_nearest(grow: str, n: int, k: int) -> None:
    problem = Problem(np.random.default_rng(n).normal(size=(n, 2)), k)
    expected = naive.fixed_size(problem.X, k, _first_mdav_then_one_more, naive.GROW[grow])
    labels = pipeline(f"mdav-{grow}(rest=nearest)").construct(problem, np.random.default_rng(0), Run()).labels
    np.testing.assert_array_equal(labels, _canonical(problem, expected))
    with pytest.raises(InputError, match="rest must be one of group, nearest, found 'farthest'"):
        pipeline("mdav(rest=farthest)")


@pytest.mark.parametrize("seed", range(5))
def test_points_of_the_records_left(seed: int) -> None:
    problem = Problem(np.random.default_rng(seed).standard_t(1.5, size=(50, 3)), 4)
    expected = naive.fixed_size(problem.X, 4, naive.first_tfrp_left, naive.GROW["nn"])
    labels = pipeline("tfrp-1").construct(problem, np.random.default_rng(0), Run()).labels
    np.testing.assert_array_equal(labels, _canonical(problem, expected))
    with pytest.raises(InputError, match="points must be one of all, left, found 'some'"):
        pipeline("tfrp-nn(points=some)")


@pytest.mark.parametrize("name", ["mdav", "mdav-nc", "cbfs-nn", "cbfs-nc", "tfrp-nn", "tfrp-nc"])
def test_fixed_size_across_many_blocks(name: str) -> None:
    """With heavy tails, so that the waiting list ends too early for some."""
    first, grow = ("mdav", "nn") if name == "mdav" else name.split("-")
    problem = Problem(np.random.default_rng(1).standard_t(1.5, size=(3 * BLOCK + 7, 3)), 7)
    expected = naive.fixed_size(problem.X, 7, naive.FIRST[first], naive.GROW[grow])
    np.testing.assert_array_equal(_make(name, problem), _canonical(problem, expected))


@pytest.mark.parametrize(("name", "first", "grow"), [case for case in FIXED if case[1] != "gsms"])
@pytest.mark.parametrize("n", [30, 61])
@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("levels", [1, 2, 5])
def test_fixed_size_breaks_every_tie_by_index(name: str, first: str, grow: str, n: int, k: int, levels: int) -> None:
    """Whole numbers have exact sums: the slow version meets the very same ties."""
    problem = Problem(np.random.default_rng(n + k).integers(0, levels, size=(n, 3)).astype(float), k)
    expected = naive.fixed_size(problem.X, k, naive.FIRST[first], naive.GROW[grow])
    np.testing.assert_array_equal(_make(name, problem), _canonical(problem, expected))


def test_mdav_across_blocks_breaks_every_tie_by_index() -> None:
    problem = Problem(np.random.default_rng(0).integers(0, 4, size=(2 * BLOCK + 9, 3)).astype(float), 5)
    np.testing.assert_array_equal(_make("mdav", problem), _canonical(problem, naive.mdav(problem.X, 5)))


def test_mdav_where_the_farthest_goes_with_the_nearest() -> None:
    """All are 5 away from the first: its group takes one of the farthest, the next of them starts the second group."""
    problem = Problem(np.array([[0.0, 0], [5, 0], [4, 3], [5, 0], [4, 3], [4, 3]]), 2)
    assert _make("mdav", problem).tolist() == [0, 0, 1, 2, 1, 2]


@pytest.mark.parametrize("levels", [2, 4])
def test_gsms_takes_what_leaves_the_least(levels: int) -> None:
    """With ties rounding may choose another of the best: the first group is one of them."""
    X = np.random.default_rng(levels).integers(0, levels, size=(24, 2)).astype(float)
    order, starts = FixedSize(Gsms(), Nearest()).groups(X, 3, Run())
    assert starts.tolist() == list(range(0, 24, 3))
    everyone = np.arange(24)

    def lost(group: IntArray) -> float:
        return float(naive.sse(X, np.isin(everyone, group)))

    assert lost(order[:3]) == pytest.approx(min(lost(naive.nn(X, 3, everyone, record)) for record in everyone.tolist()))


@pytest.mark.parametrize("name", ["gsms-nn", "dba-1", "md-nn", "mdav-nc", "v-mdav", "mst", "kmeans", "imhm"])
def test_thousands_of_equal_records_stay_together(name: str) -> None:
    """Eight points of some 250 records each, which once took the cube of their number: hardly a group is mixed."""
    X = np.random.default_rng(0).integers(0, 2, size=(2000, 3)).astype(float)
    solution = solve(X, 10, method=name)
    assert solution.sizes.min() >= 10
    assert solution.information_loss < 2.0


@pytest.mark.parametrize("name", ["mdav", "mdav-nc", "cbfs-nn", "tfrp-nc", "gsms-nn", "dba-1", "md-nn", "v-mdav"])
def test_a_constructor_that_is_cancelled_keeps_its_groups_and_groups_the_rest_in_slabs(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every report, which is one after every group; the last few records may join kept groups."""
    monkeypatch.setattr("microagg.construct.partial_grouping._NUMBERS_PER_TICK", 1.0)
    n, k = 607, 30
    problem = Problem(np.random.default_rng(0).normal(size=(n, 3)), k)
    constructor = VMdav(1.1) if name == "v-mdav" else CONSTRUCTORS[name]

    def make(run: Run) -> Partition:
        return constructor(problem, np.random.default_rng(0), run)

    complete = make(Run())
    fallback_shares = []
    for number in itertools.count(1):
        run = CancelledAt(number)
        partition = make(run)
        if len(run.notes) < number or run.log.ended_by is None:
            break
        formed = _groups(complete.labels)
        kept = {group for group in _groups(partition.labels) if any(group <= whole for whole in formed)}
        rest = np.setdiff1d(np.arange(n), list(itertools.chain.from_iterable(kept)))
        assert run.log.ended_by == "cancelled"
        if len(rest):  # else the last records are one group, in slabs or not
            assert run.log.fallback_share == pytest.approx(len(rest) / n)
            slabs = {frozenset(rest[list(group)].tolist()) for group in _groups(group_in_slabs(problem.X[rest], k))}
            assert _groups(partition.labels) - kept == slabs
        fallback_shares.append(run.log.fallback_share)
    np.testing.assert_array_equal(partition.labels, complete.labels)
    assert fallback_shares == sorted(fallback_shares, reverse=True)
    assert fallback_shares[0] == 1.0
    assert len(set(fallback_shares)) >= n // (2 * k - 1)
    np.testing.assert_array_equal(make(CancelledAt(3)).labels, make(CancelledAt(3)).labels)
