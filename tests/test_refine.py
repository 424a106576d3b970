"""The refiners of the papers, step by step against slow versions."""

import numpy as np
import pytest

import naive
from microagg import InputError, Partition, Problem, Run, solve
from microagg.control.run import StoppedError
from microagg.kernels.geometry.distances import distance_matrix
from microagg.kernels.geometry.neighbour_lists import neighbours
from microagg.kernels.moves.cycles import find_cycle
from microagg.kernels.moves.exchange import measure_groups
from microagg.kernels.walks.insertion import by_insertion
from microagg.kernels.walks.orderings import group_by_group, survey
from microagg.kernels.walks.repeated_ordering import first_round, more_rounds, open_state
from microagg.refine import REFINERS, rounds
from microagg.refine.icsm import Icsm
from microagg.refine.igd import Igd, Tfrp2
from microagg.refine.reorder import Reorder, RepOrder
from runs import EndsBelow

SEEDS = range(8)


def _normal(seed, n=40, d=3):
    return np.random.default_rng(seed).standard_t(4, size=(n, d))


def _random_labels(rng, n, k):
    sizes = []
    while n - sum(sizes) >= 2 * k:
        sizes.append(int(rng.integers(k, min(2 * k, n - sum(sizes) - k + 1))))
    sizes.append(n - sum(sizes))
    return rng.permutation(np.repeat(np.arange(len(sizes)), sizes))


def _refine(refiner, problem, labels, run=None, random_state=0):
    return refiner(Partition(problem, labels), np.random.default_rng(random_state), run or Run())


# ── TFRP2 and IGD ──


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("name", ["tfrp2", "igd"])
def test_decompose_and_shrink_are_those_of_the_paper(seed, moved, name):
    X, k = _normal(seed, 60), 2 + seed % 3
    labels = Partition(Problem(X, k), solve(X, k, method="mdav", standardise=False).labels).labels
    if seed % 2:
        labels = Partition(Problem(X, k), _random_labels(np.random.default_rng(seed), len(X), k)).labels
    refiner = {"tfrp2": Tfrp2, "igd": Igd}[name]("moved" if moved else "fixed")
    once = _refine(refiner, Problem(X, k), labels, Run(iterations=1))
    expected = Partition(Problem(X, k), naive.igd_round(X, k, labels, moved, name == "igd"))
    if expected.sse < naive.sse(X, labels):
        np.testing.assert_array_equal(once.labels, expected.labels)
    else:
        np.testing.assert_array_equal(once.labels, labels)


def test_tfrp2_is_the_first_step_of_igd():
    X = _normal(1, 120)
    assert solve(X, 3, method="mdav+tfrp2").sse == solve(X, 3, method="mdav+tfrp2", iterations=1).sse
    assert solve(X, 3, method="mdav+igd").sse < solve(X, 3, method="mdav+tfrp2").sse < solve(X, 3, method="mdav").sse


def test_exact_judgement_dissolves_more():
    X = _normal(2, 300)
    assert solve(X, 3, method="mdav+igd(centroids=moved)").sse < solve(X, 3, method="mdav+igd").sse
    with pytest.raises(InputError, match="centroids must be one of fixed, moved, found 'wandering'"):
        solve(X, 3, method="mdav+igd(centroids=wandering)")


# ── ICSM ──


def test_icsm_leaves_nothing_to_gain():
    X = _normal(3, 90)
    problem = Problem(X, 3)
    labels = _refine(Icsm(), problem, np.arange(90) // 3).labels
    assert naive.changes_that_gain(X, labels, 3) == []
    assert len(find_cycle(X, measure_groups(X, labels, labels.max() + 1), 3)) == 0


def test_icsm_rounds_are_limited_by_either_name():
    X = _normal(4, 150)
    limited = [solve(X, 3, method=f"icsm(max_iterations={rounds})").sse for rounds in (0, 1, 3, 500)]
    assert limited == [solve(X, 3, method="icsm", iterations=rounds).sse for rounds in (0, 1, 3, 500)]
    assert limited[0] == solve(X, 3, method="mdav").sse
    assert limited[0] > limited[1] > limited[2] > limited[3] == solve(X, 3, method="icsm").sse


def test_more_starts_are_no_worse_whichever_is_perturbed():
    X = _normal(5, 150)
    one, several = solve(X, 3, method="icsm").sse, solve(X, 3, method="icsm(starts=20)").sse
    assert several < one
    assert solve(X, 3, method="icsm(starts=20, perturb=best)").sse < one
    assert several != solve(X, 3, method="icsm(starts=20)", random_state=1).sse
    with pytest.raises(InputError, match="perturb must be one of start, best, found 'all'"):
        solve(X, 3, method="icsm(perturb=all)")
    with pytest.raises(InputError, match="perturb=best needs several starts"):
        solve(X, 3, method="icsm(perturb=best)")
    assert solve(X, 3, method="icsm(perturb=best, starts=2)").sse <= one
    with pytest.raises(InputError, match="starts must be at least 1, found 0"):
        solve(X, 3, method="icsm(starts=0)")


# ── RepOrdMic ──


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("parts", [1, 2, 5, 20])
@pytest.mark.parametrize("known", ["nothing", "neighbours", "distances"])
def test_sequence_is_built_by_cheapest_insertion(seed, parts, known):
    X = _normal(seed, 40)
    labels = np.random.default_rng(seed).permutation(np.arange(40) % parts)
    ground = survey(
        X, None if known == "nothing" else neighbours(X, 4), distance_matrix(X) if known == "distances" else None
    )
    members, starts = np.argsort(labels, kind="stable"), np.append(0, np.cumsum(np.bincount(labels)))
    for _ in range(2):  # the ground is as good for another walk
        walk = by_insertion(ground, labels, members, starts, np.zeros(parts, dtype=bool))
        np.testing.assert_array_equal(walk, naive.by_insertion(X, labels))


@pytest.mark.parametrize("ties", [False, True])
def test_big_groups_are_inserted_in_slices(ties, monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, size=(300, 2)).astype(float) if ties else rng.normal(size=(300, 2))
    labels = np.arange(300) % 2
    members, starts, settled = np.argsort(labels, kind="stable"), np.array([0, 150, 300]), np.zeros(2, dtype=bool)
    whole = by_insertion(survey(X), labels, members, starts, settled)
    monkeypatch.setattr("microagg.kernels.walks.insertion.WORK", 2000.0)
    ticks = []
    np.testing.assert_array_equal(by_insertion(survey(X), labels, members, starts, settled, ticks.append), whole)
    assert len(ticks) > 20
    assert ticks == sorted(ticks)


@pytest.mark.parametrize("ties", [False, True])
def test_walks_with_neighbours_go_the_same_way(ties):
    rng = np.random.default_rng(1)
    X = rng.integers(0, 4, size=(300, 3)).astype(float) if ties else rng.normal(size=(300, 3))
    labels = rng.permutation(np.arange(300) // 4)
    expected = naive.group_by_group(X, labels)
    for count in (1, 5, 299):
        ground = survey(X, neighbours(X, count))
        for _ in range(2):
            np.testing.assert_array_equal(group_by_group(ground, labels, np.bincount(labels)), expected)


def test_settled_groups_are_not_ordered_again():
    """A walk that trusts what is settled goes the way of one that orders every group anew."""
    X = _normal(1, 60)
    state = first_round(survey(X), 3, open_state(np.arange(60) % 20, np.inf))
    assert not state.settled.all()
    while not state.settled.all():
        state, rounds, _ = more_rounds(survey(X), 3, state, -1.0, 1)
        assert rounds == 1
    again = by_insertion(survey(X), state.labels, state.members, state.starts, np.zeros(len(state.settled), dtype=bool))
    known = by_insertion(survey(X), state.labels, state.members, state.starts, state.settled)
    np.testing.assert_array_equal(known, again)


@pytest.mark.parametrize("seed", SEEDS)
def test_reorder_goes_the_rounds_of_the_paper(seed):
    X, k = _normal(seed, 50), 2 + seed % 3
    problem = Problem(X, k)
    labels = Partition(problem, _random_labels(np.random.default_rng(seed), len(X), k)).labels
    losses = naive.reorder(X, k, labels)
    for iteration, loss in enumerate(losses, start=1):
        assert _refine(Reorder(), problem, labels, Run(iterations=iteration)).sse == pytest.approx(loss, rel=1e-9)
    assert _refine(Reorder(), problem, labels).sse == pytest.approx(losses[-1], rel=1e-9)


def test_reporder_keeps_the_best_start():
    X = _normal(6, 120)
    problem = Problem(X, 3)
    parts = [np.arange(120) % means for means in range(1, 8)]
    worst = np.arange(120) % 40
    best = _refine(RepOrder(lambda X, means, rng: parts[means - 1], starts=7), problem, worst)
    singles = [naive.reorder(X, 3, labels)[-1] for labels in parts]
    assert best.sse == pytest.approx(min(singles), rel=1e-9)


@pytest.mark.parametrize("scale", [1.0, 1e-5, 1e5])
def test_reorder_does_not_depend_on_the_unit(scale):
    problem = Problem(scale * _normal(12, 200), 3)
    refined = _refine(Reorder(), problem, np.arange(200) % 66)
    assert refined.sse / scale**2 == pytest.approx(
        _refine(Reorder(), Problem(_normal(12, 200), 3), np.arange(200) % 66).sse
    )


def test_reorder_ends_where_all_records_are_equal():
    assert _refine(Reorder(), Problem(np.zeros((20, 2)), 3), np.arange(20) % 6).sse == 0.0


def test_an_outlier_does_not_end_the_starts():
    """K-means may leave means without records; there are as many starts as different records all the same."""
    X, asked = _normal(13, 60), []
    X[0] = 1e12

    def parts(X, means, rng):
        asked.append(means)
        return np.minimum(np.arange(60) % means, 1)

    _refine(RepOrder(parts, starts=9), Problem(X, 3), np.arange(60) // 3)
    assert asked == list(range(1, 10))


def test_reporder_ends_where_there_are_no_more_different_records():
    X = np.repeat(np.arange(4.0), 5)[:, None]
    assert solve(X, 5, method="reporder", standardise=False).sse == 0.0
    assert solve(X, 3, method="reporder(starts=2)", standardise=False).sse == 0.0
    with pytest.raises(InputError, match="'reporder' has no parameter 'parts_of_means': its parameters are starts"):
        solve(X, 3, method="reporder(parts_of_means=2)")


# ── all of them ──


@pytest.mark.parametrize("method", ["icsm(starts=9)", "icsm(starts=9, perturb=best)", "reporder(starts=9)"])
def test_any_number_of_workers_gives_the_same_groups(method):
    X = _normal(7, 100)
    labels = [solve(X, 3, method=method, run=Run(workers=workers)).labels.tolist() for workers in (1, 2, 5)]
    assert labels[0] == labels[1] == labels[2]


@pytest.mark.parametrize("method", ["icsm(starts=50)", "reporder(starts=50)"])
def test_starts_stop_in_time_and_report(method):
    X = _normal(8, 400)
    news = []
    solution = solve(X, 3, method=method, time_limit=0.05, progress=lambda *said: news.append(said))
    assert solution.sizes.min() >= 3
    shares = [said[1] for said in news if said[0] == method.partition("(")[0] and said[1] is not None]
    assert shares == sorted(shares)


def test_interrupted_starts_end_at_once():
    """What the progress raises, as Ctrl-C does, is not held up by the starts that are running."""

    class PressedError(Exception):
        pass

    def progress(stage, done, note=""):
        if stage == "icsm" and done:
            raise PressedError

    with pytest.raises(PressedError):
        solve(_normal(9, 300), 3, method="icsm(starts=100000)", progress=progress)


@pytest.mark.parametrize("name", sorted(REFINERS))
def test_refiners_end_where_the_run_ends(name):
    problem = Problem(_normal(10, 80), 3)
    start = Partition(problem, np.arange(80) // 4)
    done = _refine(REFINERS[name], problem, start.labels)
    half = (start.sse + done.sse) / 2
    run = EndsBelow(half)
    near = _refine(REFINERS[name], problem, start.labels, run)
    assert near.sse <= half
    at_once = _refine(REFINERS[name], problem, start.labels, EndsBelow(start.sse))
    np.testing.assert_array_equal(at_once.labels, start.labels)


def test_runs_are_called_off_when_the_best_is_good_enough():
    """One start reaches the target, the other would go on for ever."""
    problem = Problem(_normal(11, 12), 3)
    good, bad = (Partition(problem, labels) for labels in (np.arange(12) // 4, np.arange(12) % 4))
    good, bad = sorted([good, bad], key=lambda partition: partition.sse)
    heard = []

    def endless(hear):
        try:
            while len(heard) < 10**7:
                heard.append(hear(bad.sse, 1, None))
        except StoppedError:
            pass
        return bad

    best = rounds.best_of("test", bad, [lambda hear: good, endless], 0, 2, EndsBelow(good.sse))
    assert best is good
    assert len(heard) < 10**7
