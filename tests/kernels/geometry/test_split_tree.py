"""Split trees: routing as a walk would, leaves that are neither too small nor, where points differ, too large."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.kernels.geometry import split_tree
from microagg.kernels.geometry.split_tree import build_tree, route
from microagg.model.arrays import FloatArray
from naive_soft_walls import SHAPES, hard_points, leaf_of
from strategies import points
from ticks import RecordedTicks


def _rng(random_state: int | None) -> np.random.Generator | None:
    return None if random_state is None else np.random.default_rng(random_state)


any_rng = st.none() | st.integers(0, 2**32 - 1)


@given(points(max_n=60), any_rng, st.integers(1, 8))
def test_routing_is_a_walk_through_the_tree(X: FloatArray, random_state: int | None, min_points: int) -> None:
    tree = build_tree(X[::2], 2 * min_points, min_points, _rng(random_state))
    assert route(tree, X).tolist() == [leaf_of(tree, point) for point in X]


@given(points(min_n=2, max_n=60), any_rng, st.integers(1, 8), st.integers(1, 20))
def test_every_leaf_holds_enough_points_of_the_sample(
    X: FloatArray, random_state: int | None, min_points: int, leaf_size: int
) -> None:
    tree = build_tree(X, leaf_size, min_points, _rng(random_state))
    sizes = np.bincount(route(tree, X), minlength=tree.n_leaves)
    assert len(sizes) == tree.n_leaves
    assert len(tree.cuts) == tree.n_leaves - 1
    assert sizes.min() >= min(min_points, len(X))


@given(st.sampled_from(SHAPES), st.integers(1, 4), st.integers(0, 2**32 - 1), st.booleans())
def test_a_leaf_is_too_large_only_where_no_wall_could_split_it(
    shape: str, d: int, random_state: int, wandering: bool
) -> None:
    X = hard_points(shape, 150, d, random_state)
    tree = build_tree(X, 20, 5, _rng(random_state if wandering else None))
    leaves = route(tree, X)
    for leaf in range(tree.n_leaves):
        members = X[leaves == leaf]
        assert len(members) <= 1.5 * 20 or not any(_can_be_split(column, 5) for column in members.T)


def _can_be_split(column: FloatArray, min_points: int) -> bool:
    below = [(column < value).sum() for value in np.unique(column)]
    return any(min_points <= n_below <= len(column) - min_points for n_below in below)


@pytest.mark.parametrize("n_leaves", [1, 2, 3, 5, 8, 13])
def test_points_that_differ_are_in_leaves_of_equal_size(n_leaves: int) -> None:
    X = np.random.default_rng(0).normal(size=(8 * n_leaves, 3))
    tree = build_tree(X, 8, 1)
    assert np.bincount(route(tree, X)).tolist() == [8] * n_leaves


@given(st.integers(2, 40), st.floats(5.0, 12.0), st.integers(0, 2**32 - 1))
def test_leaves_between_wandering_walls_differ_little(n_leaves: int, leaf_size: float, random_state: int) -> None:
    X = np.random.default_rng(random_state).normal(size=(round(n_leaves * leaf_size), 2))
    sizes = np.bincount(route(build_tree(X, leaf_size, 1, _rng(random_state)), X))
    assert sizes.max() <= 1.5 * leaf_size
    assert sizes.min() >= 0.5 * leaf_size - 1


def test_walls_wander_where_there_is_only_one_direction() -> None:
    X = np.arange(200.0)[:, None]
    cuts = {build_tree(X, 100, 1, np.random.default_rng(number)).cuts[0] for number in range(10)}
    assert len({abs(cut) for cut in cuts}) > 5


def test_the_first_cut_is_across_the_principal_axis() -> None:
    along = np.linspace(-1, 1, 40)
    X = np.column_stack([along, 2 * along, np.tile([0.1, -0.1], 20)])
    tree = build_tree(X, 20, 1)
    np.testing.assert_allclose(tree.axes[0], [0.5, 1.0, 0.0], atol=0.01)
    assert route(tree, X).tolist() == [0] * 20 + [1] * 20


def test_leaves_with_neighbouring_numbers_are_near_each_other() -> None:
    X = np.random.default_rng(1).permutation(np.arange(64.0))[:, None]
    assert np.all(np.diff(route(build_tree(X, 4, 1), X)[np.argsort(X[:, 0])]) >= 0)


def test_random_directions_make_other_walls() -> None:
    X = np.random.default_rng(2).normal(size=(200, 3))
    one, other = (route(build_tree(X, 20, 5, np.random.default_rng(number)), X) for number in (1, 2))
    assert not np.array_equal(one, other)
    again = route(build_tree(X, 20, 5, np.random.default_rng(1)), X)
    np.testing.assert_array_equal(one, again)


@pytest.mark.parametrize("random_state", [None, 3])
def test_numbers_of_any_size_are_split(random_state: int | None) -> None:
    X = np.random.default_rng(4).normal(size=(40, 2))
    for scale in (1e-300, 1e140):
        sizes = np.bincount(route(build_tree(X * scale, 10, 3, _rng(random_state)), X * scale))
        assert sizes.max() <= 15


def test_few_points_are_one_leaf() -> None:
    tree = build_tree(np.zeros((3, 2)), 5, 1)
    assert (tree.n_leaves, tree.axes.shape, tree.children.shape) == (1, (0, 2), (0, 2))
    assert route(tree, np.ones((4, 2))).tolist() == [0, 0, 0, 0]


def test_slices_and_layout_of_the_points_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(5).normal(size=(90, 4))
    tree = build_tree(X, 10, 3)
    expected = route(tree, X)
    monkeypatch.setattr(split_tree, "_ROUTED_AT_ONCE", 7)
    tick = RecordedTicks()
    np.testing.assert_array_equal(route(tree, np.asfortranarray(X), tick), expected)
    assert tick.shares == [first / 90 for first in range(0, 90, 7)]
    read_only = X.copy()
    read_only.flags.writeable = False
    np.testing.assert_array_equal(route(tree, read_only), expected)
    assert X.flags.writeable
