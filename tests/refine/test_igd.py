"""TFRP2 and IGD, step by step against their slow version."""

import numpy as np
import pytest

import naive
from microagg import InputError, Partition, Problem, Run, solve
from microagg.refine.igd import Igd, Tfrp2
from samples import heavy_tailed, random_labels


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("above_k", [False, True])
@pytest.mark.parametrize("name", ["tfrp2", "igd"])
def test_decompose_and_shrink_are_those_of_the_paper(seed: int, moved: bool, above_k: bool, name: str) -> None:
    X, k = heavy_tailed(seed, 60), 2 + seed % 3
    problem = Problem(X, k)
    made = solve(X, k, method="mdav", standardise=False).labels
    start = Partition(problem, random_labels(np.random.default_rng(seed), len(X), k) if seed % 2 else made)
    centroids = "moved" if moved else "fixed"
    split = "above-k" if above_k else "from-k"
    refiner = Igd(centroids, split) if name == "igd" else Tfrp2(centroids, split)
    once = refiner(start, np.random.default_rng(0), Run(iterations=1))
    expected = Partition(problem, naive.igd_round(X, k, start.labels, moved, name == "igd", above_k))
    better = expected if expected.sse < naive.sse(X, start.labels) else start
    np.testing.assert_array_equal(once.labels, better.labels)


def test_tfrp2_is_the_first_step_of_igd() -> None:
    X = heavy_tailed(1, 120)
    assert solve(X, 3, method="mdav+tfrp2").sse == solve(X, 3, method="mdav+tfrp2", iterations=1).sse
    assert solve(X, 3, method="mdav+igd").sse < solve(X, 3, method="mdav+tfrp2").sse < solve(X, 3, method="mdav").sse


def test_exact_judgement_dissolves_more() -> None:
    X = heavy_tailed(2, 300)
    assert solve(X, 3, method="mdav+igd(centroids=moved)").sse < solve(X, 3, method="mdav+igd").sse
    with pytest.raises(InputError, match="centroids must be one of fixed, moved, found 'wandering'"):
        solve(X, 3, method="mdav+igd(centroids=wandering)")


def _to_the_letter(start: Partition) -> Partition:
    """Do figure 1 of the paper: rounds until one changes nothing, or leads back."""
    problem = start.problem
    met = [start]
    while True:
        labels = naive.igd_round(problem.X, problem.k, met[-1].labels, moved=True, shrinks=True, above_k=True)
        latest = Partition(problem, labels)
        if any(np.array_equal(latest.labels, one.labels) for one in met):
            return min(start, latest, key=lambda partition: partition.sse)
        met.append(latest)


@pytest.mark.parametrize("seed", range(6))
def test_the_pseudo_code_to_the_letter(seed: int) -> None:
    X, k = heavy_tailed(seed, 40), 2 + seed % 3
    start = Partition(Problem(X, k), random_labels(np.random.default_rng(seed), len(X), k))
    refined = Igd("moved", "above-k", "no")(start, np.random.default_rng(0), Run())
    np.testing.assert_array_equal(refined.labels, _to_the_letter(start).labels)


@pytest.mark.parametrize(("seed", "gains"), [(32, True), (8, False)])
def test_a_round_that_loses_does_not_end_the_search_unless_it_is_undone(seed: int, gains: bool) -> None:
    """What comes after it may gain more than it lost, or less."""
    X = heavy_tailed(seed, 120)
    start = Partition(Problem(X, 5), random_labels(np.random.default_rng(seed), 120, 5))
    undone, kept = (Igd(split="above-k", undo=undo)(start, np.random.default_rng(0), Run()) for undo in ("yes", "no"))
    assert undone.sse != kept.sse
    assert (kept.sse < undone.sse) == gains
    assert kept.sse < start.sse


def test_the_history_ends_with_what_was_reached() -> None:
    refined = solve(heavy_tailed(3, 120), 5, method="cbfs-nc+igd(split=above-k, undo=no)")
    assert refined.history[-1].sse == refined.sse


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("igd(split=below-k)", "split must be one of from-k, above-k, found 'below-k'"),
        ("tfrp2(split=below-k)", "split must be one of from-k, above-k, found 'below-k'"),
        ("igd(undo=maybe)", "undo must be one of yes, no, found 'maybe'"),
    ],
)
def test_unknown_switches_of_igd_are_refused(method: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        solve(heavy_tailed(2, 20), 3, method=f"mdav+{method}")
