"""Every constructor against its slow version, and what it says it does."""

import itertools
import pickle
import sys
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg import InputError, MethodError, Partition, Problem, Run, solve
from microagg.construct import CONSTRUCTORS
from microagg.construct.cbfs import Cbfs
from microagg.construct.fixed_size import Forming
from microagg.construct.growth_rules import Nearest
from microagg.construct.leftovers import join_nearest
from microagg.construct.mf_tsp import MfTsp
from microagg.construct.mst import Mst
from microagg.construct.slabs import in_slabs, principal_coordinates
from microagg.construct.univariate import Univariate
from microagg.construct.v_mdav import VMdav
from microagg.control.run import StoppedError
from microagg.kernels.geometry.distances import distance_matrix
from microagg.kernels.geometry.neighbour_lists import neighbours
from microagg.kernels.geometry.record_blocks import BLOCK
from microagg.kernels.walks.orderings import last_joined_first, nearest_next
from microagg.kernels.walks.path_counts import count_near, group_by_counts, insertion_path, nearest_path
from microagg.kernels.walks.tour import short_tour
from runs import CancelledAt
from strategies import points, problems

FIXED = [
    (f"{first}-{grow}", first, grow) for first in naive.FIRST for grow in naive.GROW if (first, grow) != ("gsms", "nc")
]


def _make(method, problem, random_state=0):
    constructor = CONSTRUCTORS[method] if isinstance(method, str) else method
    return constructor(problem, np.random.default_rng(random_state), Run()).labels


def _canonical(problem, labels):
    return Partition(problem, labels).labels


@pytest.mark.parametrize(("name", "first", "grow"), FIXED)
@pytest.mark.parametrize(("n", "d", "k"), [(40, 2, 3), (150, 3, 4), (101, 1, 2), (30, 4, 1), (120, 2, 10), (7, 2, 4)])
def test_fixed_size_is_the_naive_one(name, first, grow, n, d, k):
    problem = Problem(np.random.default_rng(n).normal(size=(n, d)), k)
    expected = naive.fixed_size(problem.X, k, naive.FIRST[first], naive.GROW[grow])
    np.testing.assert_array_equal(_make(name, problem), _canonical(problem, expected))


@pytest.mark.parametrize("name", ["mdav", "mdav-nc", "cbfs-nn", "cbfs-nc", "tfrp-nn", "tfrp-nc"])
def test_fixed_size_across_many_blocks(name):
    """With heavy tails, so that the waiting list ends too early for some."""
    first, grow = ("mdav", "nn") if name == "mdav" else name.split("-")
    problem = Problem(np.random.default_rng(1).standard_t(1.5, size=(3 * BLOCK + 7, 3)), 7)
    expected = naive.fixed_size(problem.X, 7, naive.FIRST[first], naive.GROW[grow])
    np.testing.assert_array_equal(_make(name, problem), _canonical(problem, expected))


@pytest.mark.parametrize(("name", "first", "grow"), [case for case in FIXED if case[1] != "gsms"])
@pytest.mark.parametrize("n", [30, 61])
@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("levels", [1, 2, 5])
def test_fixed_size_breaks_every_tie_by_index(name, first, grow, n, k, levels):
    """Whole numbers have exact sums: the slow version meets the very same ties."""
    problem = Problem(np.random.default_rng(n + k).integers(0, levels, size=(n, 3)).astype(float), k)
    expected = naive.fixed_size(problem.X, k, naive.FIRST[first], naive.GROW[grow])
    np.testing.assert_array_equal(_make(name, problem), _canonical(problem, expected))


def test_mdav_across_blocks_breaks_every_tie_by_index():
    problem = Problem(np.random.default_rng(0).integers(0, 4, size=(2 * BLOCK + 9, 3)).astype(float), 5)
    np.testing.assert_array_equal(_make("mdav", problem), _canonical(problem, naive.mdav(problem.X, 5)))


def test_mdav_where_the_farthest_goes_with_the_nearest():
    """All are 5 away from the first: its group takes one of the farthest, the next of them starts the second group."""
    problem = Problem(np.array([[0.0, 0], [5, 0], [4, 3], [5, 0], [4, 3], [4, 3]]), 2)
    assert _make("mdav", problem).tolist() == [0, 0, 1, 2, 1, 2]


@pytest.mark.parametrize("levels", [2, 4])
def test_gsms_takes_what_leaves_the_least(levels):
    """With ties rounding may choose another of the best: the first group is one of them."""
    X = np.random.default_rng(levels).integers(0, levels, size=(24, 2)).astype(float)
    order, starts = CONSTRUCTORS["gsms-nn"].groups(X, 3, Run())
    assert starts.tolist() == list(range(0, 24, 3))
    everyone = np.arange(24)

    def lost(group):
        return naive.sse(X, np.isin(everyone, group))

    assert lost(order[:3]) == pytest.approx(min(lost(naive.nn(X, 3, everyone, record)) for record in everyone))


@pytest.mark.parametrize("name", ["gsms-nn", "md-nn", "mdav-nc", "v-mdav", "mst", "kmeans", "imhm"])
def test_thousands_of_equal_records_stay_together(name):
    """Eight points of some 750 records each, which once took the cube of their number: hardly a group is mixed."""
    X = np.random.default_rng(0).integers(0, 2, size=(6000, 3)).astype(float)
    solution = solve(X, 20, method=name)
    assert solution.sizes.min() >= 20
    assert solution.information_loss < 2.0


def test_outliers_of_several_scales_are_forgotten():
    X = np.random.default_rng(1).normal(size=(120, 2))
    X[:3] *= 1e17
    X[3:6] *= 1e34
    forming, take = Forming(X, 3, Run()), Nearest()()
    firsts = Cbfs()(forming)
    while forming.left > 57:
        forming.take(take, next(firsts))
    left = forming.blocks.records[: forming.left]
    np.testing.assert_allclose(forming.blocks.sums + forming.blocks.compensation, X[left].sum(axis=0), rtol=1e-9)


@pytest.mark.parametrize("gamma", [0.2, 0.8, 1.1, 3.0])
@pytest.mark.parametrize(("n", "d", "k"), [(60, 2, 3), (150, 4, 5), (40, 1, 2), (BLOCK + 20, 3, 4), (9, 2, 5)])
def test_v_mdav_is_the_naive_one(gamma, n, d, k):
    problem = Problem(np.random.default_rng(n).standard_t(2, size=(n, d)), k)
    np.testing.assert_array_equal(_make(VMdav(gamma), problem), _canonical(problem, naive.v_mdav(problem.X, k, gamma)))


def test_v_mdav_extends_clusters_and_chooses_gamma_from_the_data():
    rng = np.random.default_rng(0)
    clustered = Problem(np.repeat(rng.normal(size=(30, 2)), 5, axis=0) + 0.01 * rng.normal(size=(150, 2)), 3)
    scattered = Problem(rng.normal(size=(150, 2)), 3)
    for problem, gamma in [(clustered, 1.1), (scattered, 0.2)]:
        np.testing.assert_array_equal(_make("v-mdav", problem), _make(VMdav(gamma), problem))
    assert Partition(clustered, _make("v-mdav", clustered)).sizes.max() == 5


def test_mst_keeps_parts_below_2k_and_splits_the_others():
    X = np.array([0.0, 1, 2, 3, 4, 50, 51, 52, 100, 101, 102, 103, 110, 111, 112, 113])[:, None]
    assert _make(Mst(), Problem(X - X.mean(), 3)).tolist() == [0] * 5 + [1] * 3 + [2] * 4 + [3] * 4


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("n", [5, 40, BLOCK + 9])
def test_nearest_next_is_the_naive_walk(n, ties):
    rng = np.random.default_rng(n)
    X = rng.integers(0, 4, size=(n, 2)).astype(float) if ties else rng.normal(size=(n, 2))
    np.testing.assert_array_equal(nearest_next(X), naive.nearest_next(X))


@given(problems(max_n=30), st.randoms(use_true_random=False))
def test_walk_from_the_last_joined_is_the_naive_walk(problem, random):
    X, k = problem.X, problem.k
    order = np.array(random.sample(range(len(X)), len(X)))
    starts = np.arange(0, max(1, len(X) - k + 1), k)
    walk = last_joined_first(X, order, starts)
    np.testing.assert_array_equal(walk, naive.last_joined_first(X, np.split(order, starts[1:])))


@pytest.mark.parametrize("base", ["npn", "md", "mdav", "cbfs", "pca", "zscore", "tsp"])
def test_tour_is_no_worse_than_its_path(base):
    for seed in range(5):
        X = np.random.default_rng(seed).normal(size=(61, 3))
        assert solve(X, 4, method=f"{base}-mhm-tour").sse <= solve(X, 4, method=f"{base}-mhm").sse * (1 + 1e-12), (
            f"seed {seed}"
        )


def test_projections_sort_as_they_say():
    """Both records far along the axis and the sum of z-scores: one dimension in disguise."""
    line = np.random.default_rng(0).permutation(np.arange(40.0))
    X = np.column_stack([line, 2 * line, np.full(40, 3.0)])
    optimum = solve(line, 3, method="univariate")
    for name in ("pca-mhm", "zscore-mhm"):
        np.testing.assert_array_equal(solve(X, 3, method=name).labels, optimum.labels)


@given(points(max_n=40, max_d=3))
def test_short_tour_visits_all_and_is_no_longer_than_nearest_next(X):
    tour = short_tour(X)
    assert sorted(tour) == list(range(len(X)))
    assert naive.length(X, tour) <= naive.length(X, naive.nearest_next(X)) * (1 + 1e-9) + 1e-9
    edges = ((X[tour] - X[np.roll(tour, 1)]) ** 2).sum(axis=1)
    if len(X) >= 5:
        assert edges[0] == pytest.approx(edges.max()), "opened at its longest edge"


@pytest.mark.parametrize("seed", range(6))
def test_no_two_opt_or_or_opt_move_between_neighbours_is_left(seed):
    X = np.random.default_rng(seed).normal(size=(60, 2))
    tour, near = short_tour(X).tolist(), neighbours(X, 10)
    whole = naive.length(X, tour)
    for i in range(60):
        for j in range(i + 2, 60 - (i == 0)):
            moved = tour[: i + 1] + tour[i + 1 : j + 1][::-1] + tour[j + 1 :]
            ends = [(tour[i], tour[j]), (tour[i + 1], tour[(j + 1) % 60])]
            if any(b in near[a] or a in near[b] for a, b in ends):
                assert naive.length(X, moved) >= whole - 1e-9
    for size in (1, 2, 3):
        for i in range(60):
            turned = tour[i:] + tour[:i]
            for a, end, outside, rest in [
                (turned[0], turned[:size], turned[-1], turned[size:]),
                (turned[size - 1], turned[:size][::-1], turned[size], turned[size:]),
            ]:
                for j in range(len(rest) - 1):
                    for c, piece in [(rest[j], end), (rest[j + 1], end[::-1])]:
                        nearer = ((X[a] - X[c]) ** 2).sum() < ((X[a] - X[outside]) ** 2).sum()
                        if c in near[a] and nearer:
                            assert naive.length(X, rest[: j + 1] + piece + rest[j + 1 :]) >= whole - 1e-9


@pytest.mark.parametrize("width", [1e-8, 1e-10, 1e-13])
@pytest.mark.parametrize("seed", range(10))
def test_short_tour_ends_where_rounding_looks_like_a_gain(width, seed):
    rng = np.random.default_rng(seed)
    X = np.repeat(rng.normal(size=(3, 2)), 4, axis=0) + rng.normal(size=(12, 2)) * width
    assert sorted(short_tour(X)) == list(range(12))


@given(points(min_n=1, max_n=12), st.randoms(use_true_random=False))
def test_paths_from_every_record(X, random):
    distances = distance_matrix(X)
    np.testing.assert_allclose(distances, np.sqrt(((X[:, None] - X) ** 2).sum(axis=2)))
    sequence = np.array(random.sample(range(len(X)), len(X)))
    start = int(sequence[0])
    assert sorted(insertion_path(distances, start, sequence)) == list(range(len(X)))
    path = nearest_path(distances, start)
    assert path[0] == start
    for step in range(1, len(X)):
        left = np.sort(path[step:])
        assert path[step] == left[distances[path[step - 1], left].argmin()]


@pytest.mark.parametrize("seed", range(20))
def test_insertion_path_is_the_naive_one(seed):
    rng = np.random.default_rng(seed)
    distances = distance_matrix(rng.normal(size=(25, 2)))
    sequence = rng.permutation(25)
    assert insertion_path(distances, 7, sequence).tolist() == naive.insertion_path(distances, 7, sequence)


@given(st.integers(4, 14), st.integers(2, 4), st.randoms(use_true_random=False))
def test_grouping_by_counts_is_the_naive_one(n, k, random):
    half = np.array([[random.randint(0, 5) for _ in range(n)] for _ in range(n)])
    counts = np.triu(half, 1) + np.triu(half, 1).T
    np.testing.assert_array_equal(group_by_counts(counts, k), naive.group_by_counts(counts, k))


# The worked example of the MF-TSP paper: the eleven companies of examples/companies.csv at k = 3. Of table IV, the rows
# that can be read in our copy; of table V, the upper triangle.
TABLE_IV = [
    [1, 3, 4, 6, 7, 11, 10, 8, 9, 5, 2],
    [3, 1, 2, 5, 4, 6, 7, 11, 10, 8, 9],
    [5, 2, 1, 3, 4, 6, 9, 8, 10, 11, 7],
    [6, 5, 2, 1, 3, 4, 7, 11, 10, 8, 9],
    [7, 8, 10, 11, 4, 3, 1, 2, 5, 6, 9],
    [8, 10, 11, 7, 9, 5, 2, 1, 3, 4, 6],
    [9, 6, 5, 2, 1, 3, 4, 11, 10, 8, 7],
    [10, 11, 8, 7, 9, 6, 4, 3, 1, 2, 5],
    [11, 10, 8, 7, 9, 6, 4, 5, 2, 3, 1],
]
TABLE_V = """
    11 11 8 11 0 1 0 1 1 1
    10 2 10 3 2 0 4 1 1
    9 3 5 1 1 1 0 3
    3 8 4 1 4 2 3
    6 2 1 6 1 2
    7 4 7 1 3
    6 5 10 9
    10 11 8
    6 3
    11
"""


def _table_v():
    counts = np.zeros((11, 11), dtype=np.int64)
    for row, line in enumerate(TABLE_V.split("\n")[1:-1]):
        counts[row, row + 1 :] = line.split()
    return counts + counts.T


def test_counting_explains_the_papers_table_v():
    """Two of the eleven paths are missing: each can add one to a pair. Three printed cells contradict the paths."""
    counts = np.zeros((11, 11), dtype=np.int64)
    for path in TABLE_IV:
        count_near(np.array(path) - 1, 2, counts)
    assert (counts.sum(axis=1) == 4 * len(TABLE_IV)).all(), "each record has four near it on each closed path"
    assert np.isin(_table_v().sum(axis=1), 4 * 11).sum() == 6
    missing = (_table_v() - counts)[np.triu_indices(11, 1)]
    assert ((missing >= 0) & (missing <= 2)).sum() == 52


def test_grouping_follows_the_papers_table_vi():
    """The first two groups are printed so; the third would be 4 6 5, but in table V as printed 7 is nearer to 6."""
    labels = group_by_counts(_table_v(), 3)
    assert [set(np.flatnonzero(labels == group) + 1) for group in range(3)] == [{1, 2, 3}, {8, 10, 11}, {4, 6, 7}]


def test_last_records_join_as_in_the_papers_tables_vii_and_viii():
    surface = [790, 710, 730, 810, 950, 510, 400, 330, 510, 760, 50]
    employees = [55, 44, 32, 17, 3, 25, 45, 50, 5, 52, 12]
    X = np.column_stack([surface, employees]).astype(float)
    labels = np.array([0, 0, 0, 2, 2, 2, -1, 1, -1, 1, 1])
    join_nearest((X - X.mean(axis=0)) / X.std(axis=0), labels, np.array([6, 8]))
    assert labels[[6, 8]].tolist() == [1, 2]
    means = [X[labels == group].mean(axis=0) for group in range(3)]
    np.testing.assert_allclose(means, [[743.33, 43.66], [385, 39.75], [695, 12.5]], atol=0.01)


def test_mf_tsp_takes_any_path_heuristic():
    """On given paths nothing is random: two clusters, always walked through one after the other."""
    X = np.array([0.0, 1, 2, 3, 100, 101, 102, 103])[:, None]

    def along(distances, start, rng):
        return np.arange(8)

    assert _make(MfTsp(path=along), Problem(X - X.mean(), 4)).tolist() == [0] * 4 + [1] * 4


def test_mf_tsp_refuses_what_is_no_path():
    with pytest.raises(MethodError, match="the path from record 0 must go through each of the 12 records once"):
        _make(MfTsp(path=lambda distances, start, rng: np.zeros(3, int)), Problem(np.arange(12.0)[:, None], 3))
    with pytest.raises(InputError, match="path must be one of insertion, nearest, found 5"):
        MfTsp(path=5)


def test_mf_tsp_refuses_what_does_not_fit():
    with pytest.raises(MethodError, match=r"needs 0\.016 GB for the distances of 1000 records") as caught:
        MfTsp(memory_limit=1e4)(Problem(np.zeros((1000, 1)), 3), np.random.default_rng(0), Run())
    assert "or allow more, as in 'mf-tsp(memory_limit=3e+07)'" in str(caught.value)
    with pytest.raises(MethodError, match=r"'gsms-nn' needs 0\.\d+ GB for the nearest of 1000 records at k = 30"):
        solve(np.random.default_rng(0).normal(size=(1000, 2)), 30, method="gsms-nn(memory_limit=1e5)")


def test_imhm_is_no_worse_than_mdav():
    for seed in range(5):
        X = np.random.default_rng(seed).normal(size=(90, 3))
        assert solve(X, 4, method="imhm").sse <= solve(X, 4, method="mdav").sse


def test_kmeans_starts_from_as_many_means_as_told():
    """Three far clusters: with three means the walk goes through one after the other, whatever their order."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(5, 2)) + centre for centre in (0, 50, 100)])
    solution = solve(X, 3, method="kmeans(means=3)")
    assert solution.labels.tolist() == [0] * 5 + [1] * 5 + [2] * 5
    assert solve(np.ones((8, 2)), 3, method="kmeans(means=1)").information_loss == 0.0
    nearly = np.repeat([0.3, 1.0], 30) + np.tile([0, 5.6e-17], 30)
    assert solve(nearly, 3, method="kmeans").sizes.min() >= 3
    losses = {solve(rng.normal(size=(90, 3)), 3, method="kmeans", random_state=state).sse for state in range(4)}
    assert len(losses) > 1, "another random_state, another start"


def test_kmeans_says_what_it_needs(monkeypatch):
    for module in ("sklearn", "sklearn.cluster", "sklearn.exceptions"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MethodError, match=r"^method 'kmeans' needs scikit-learn: pip install 'microagg\[sklearn\]'$"):
        _make("kmeans", Problem(np.arange(12.0)[:, None], 3))


@pytest.mark.parametrize("name", CONSTRUCTORS)
def test_constructors_pickle(name):
    assert pickle.loads(pickle.dumps(CONSTRUCTORS[name])) == CONSTRUCTORS[name]


@pytest.mark.parametrize(
    ("X", "supported"), [(np.eye(3), False), (np.ones((3, 2)), True), (np.diag([0, 0, 1.0]), True)]
)
def test_one_column_is_supported_where_no_other_varies(X, supported):
    assert Univariate().supports(Problem(X, 2)) is supported


# ── Haste: what is done where a run ends before its constructor does ──


@given(points(), st.data())
def test_slabs_are_the_naive_ones(X, data):
    k = data.draw(st.integers(1, len(X)))
    labels = in_slabs(X, k)
    np.testing.assert_array_equal(labels, naive.in_slabs(principal_coordinates(X).T, k))
    sizes = np.bincount(labels)
    assert sizes.min() == k or len(sizes) == 1
    assert sizes.max() <= 2 * k - 1
    assert len(sizes) == len(X) // k


@pytest.mark.parametrize(("n", "d", "k"), [(1000, 3, 3), (1000, 5, 7), (50_000, 2, 10), (300, 1, 4), (64, 3, 1)])
def test_slabs_of_many_records_are_the_naive_ones(n, d, k):
    X = np.random.default_rng(n).standard_t(2, size=(n, d))
    np.testing.assert_array_equal(in_slabs(X, k), naive.in_slabs(principal_coordinates(X).T, k))


def test_slabs_keep_near_records_together():
    """Twenty-seven far clusters of five: three slabs of three of three."""
    rng = np.random.default_rng(0)
    corners = np.array(list(itertools.product([0, 10, 20], [0, 11, 22], [0, 12, 24])), dtype=float)
    which = rng.permutation(np.repeat(np.arange(27), 5))
    labels = in_slabs(corners[which] + 0.1 * rng.normal(size=(135, 3)), 5)
    assert len(set(zip(which, labels, strict=True))) == 27


@pytest.mark.parametrize(("n", "k"), [(7, 7), (7, 4), (9, 3), (1, 1)])
def test_equal_records_are_cut_by_index(n, k):
    expected = np.minimum(np.arange(n) // k, n // k - 1)
    np.testing.assert_array_equal(in_slabs(np.full((n, 3), 0.1), k), expected)


@given(points(min_n=2))
def test_principal_coordinates_are_those_of_the_largest_variances(X):
    coordinates = principal_coordinates(X)
    centred = X - X.mean(axis=0)
    variances = np.square(np.linalg.svd(centred, compute_uv=False))
    assert len(coordinates) <= 3
    rounding = 1e-9 * variances.sum()
    np.testing.assert_allclose(np.square(coordinates).sum(axis=1), variances[: len(coordinates)], atol=rounding)
    assert variances[len(coordinates) : 3].sum() <= rounding
    equal = (X[0] == X).all(axis=1)
    assert (coordinates[:, equal] == coordinates[:, :1]).all()


def _groups(labels):
    return {frozenset(np.flatnonzero(labels == group).tolist()) for group in np.unique(labels)}


@pytest.mark.parametrize("name", ["mdav", "mdav-nc", "cbfs-nn", "tfrp-nc", "gsms-nn", "md-nn", "v-mdav"])
def test_a_constructor_that_is_cancelled_keeps_its_groups_and_finishes_in_haste(name, monkeypatch):
    """At every word that is said, which is one after every group; the last few records may join kept groups."""
    monkeypatch.setattr("microagg.construct.fixed_size._NUMBERS", 1.0)
    n, k = (600, 30) if name == "gsms-nn" else (2007, 40)
    problem = Problem(np.random.default_rng(0).normal(size=(n, 3)), k)
    constructor = VMdav(1.1) if name == "v-mdav" else CONSTRUCTORS[name]
    complete = constructor(problem, np.random.default_rng(0), Run())
    fallback_share = []
    for word in itertools.count(1):
        run = CancelledAt(word)
        partition = constructor(problem, np.random.default_rng(0), run)
        if len(run.told) < word or run.log.ended_by is None:
            break
        formed = _groups(complete.labels)
        kept = {group for group in _groups(partition.labels) if any(group <= whole for whole in formed)}
        rest = np.setdiff1d(np.arange(n), list(itertools.chain.from_iterable(kept)))
        assert run.log.ended_by == "cancelled"
        if len(rest):  # else the last records are one group, in haste or not
            assert run.log.fallback_share == pytest.approx(len(rest) / n)
            in_haste = {frozenset(rest[list(group)].tolist()) for group in _groups(in_slabs(problem.X[rest], k))}
            assert _groups(partition.labels) - kept == in_haste
        again = constructor(problem, np.random.default_rng(0), CancelledAt(word))
        np.testing.assert_array_equal(partition.labels, again.labels)
        fallback_share.append(run.log.fallback_share)
    np.testing.assert_array_equal(partition.labels, complete.labels)
    assert fallback_share == sorted(fallback_share, reverse=True)
    assert fallback_share[0] == 1.0
    assert len(set(fallback_share)) >= n // (2 * k - 1)


def test_v_mdav_keeps_what_one_gamma_has_made():
    problem = Problem(np.random.default_rng(0).normal(size=(600, 2)), 3)
    run = CancelledAt(2)  # the first word of the second γ
    np.testing.assert_array_equal(VMdav()(problem, np.random.default_rng(0), run).labels, _make(VMdav(0.2), problem))
    assert (run.log.fallback_share, run.log.ended_by) == (0.0, "cancelled")


@pytest.mark.parametrize("name", [name for name in CONSTRUCTORS if name != "univariate"])
def test_every_constructor_hears_that_it_is_cancelled(name, monkeypatch):
    monkeypatch.setattr("microagg.kernels.tick.WORK_PER_TICK", 1000.0)
    monkeypatch.setattr("microagg.construct.fixed_size._NUMBERS", 1.0)
    problem = Problem(np.random.default_rng(0).normal(size=(100, 2)), 3)
    run = CancelledAt(10**9)
    whole = CONSTRUCTORS[name](problem, np.random.default_rng(0), run)
    for word in {1, 2, len(run.told) // 2}:
        run = CancelledAt(word)
        with suppress(StoppedError):
            partition = CONSTRUCTORS[name](problem, np.random.default_rng(0), run)
            assert run.log.fallback_share > 0 or partition.labels.tolist() == whole.labels.tolist()
        assert len(run.told) <= word + 1
        assert run.log.ended_by == "cancelled"
