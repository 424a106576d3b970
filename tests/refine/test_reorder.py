"""RepOrdMic against its slow version, and its starts."""

import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import naive
import naive_ward
from microagg import InputError, Partition, Problem, Run, solve
from microagg.control.stages import Refine
from microagg.model.arrays import FloatArray, IntArray
from microagg.refine.reorder import Reorder, RepOrder
from samples import heavy_tailed, random_labels


def _refine(refiner: Refine, problem: Problem, labels: IntArray, run: Run | None = None) -> Partition:
    return refiner(Partition(problem, labels), np.random.default_rng(0), run or Run())


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("insertion", ["cheapest", "nearest"])
def test_reorder_goes_the_rounds_of_the_paper(seed: int, insertion: str) -> None:
    X, k = heavy_tailed(seed, 50), 2 + seed % 3
    problem = Problem(X, k)
    labels = Partition(problem, random_labels(np.random.default_rng(seed), len(X), k)).labels
    losses = naive.reorder(X, k, labels, insertion == "nearest")
    refiner = Reorder(insertion)
    for iteration, loss in enumerate(losses, start=1):
        assert _refine(refiner, problem, labels, Run(iterations=iteration)).sse == pytest.approx(loss, rel=1e-9)
    run = Run()
    assert _refine(refiner, problem, labels, run).sse == pytest.approx(losses[-1], rel=1e-9)
    assert (run.log.iterations, run.log.ended_by) == (len(losses), None)


def test_reporder_keeps_the_best_start() -> None:
    X = heavy_tailed(6, 60)
    problem = Problem(X, 3)
    clusters = [np.arange(60) % n_means for n_means in range(1, 6)]
    worst = np.arange(60) % 20
    run = Run()
    best = _refine(RepOrder(lambda X, n_means, rng: clusters[n_means - 1], starts=5), problem, worst, run)
    losses = [naive.reorder(X, 3, labels) for labels in clusters]
    assert best.sse == pytest.approx(min(one[-1] for one in losses), rel=1e-9)
    assert (run.log.iterations, run.log.starts) == (sum(map(len, losses)), 5), "the rounds of all starts together"


@pytest.mark.parametrize("labels", [np.arange(60) // 2, np.zeros(60, dtype=np.int64), [*"ab" * 29, "c", "c"]])
def test_reorder_begins_with_any_labels(labels: Sequence[Any]) -> None:
    """Clusters below k, one of all records, and names of clusters."""
    X = heavy_tailed(6, 60)
    worst = np.arange(60) % 20
    numbers = np.unique(labels, return_inverse=True)[1]
    refined = _refine(Reorder(start=labels), Problem(X, 3), worst)
    assert refined.sse == pytest.approx(naive.reorder(X, 3, numbers)[-1], rel=1e-9)
    assert solve(X, 3, method=["mdav", Reorder(start=labels)], standardise=False).sse <= refined.sse
    assert Reorder(start=labels) == pickle.loads(pickle.dumps(Reorder(start=labels)))


def test_labels_must_be_one_for_each_record() -> None:
    with pytest.raises(InputError, match="a label for each of the 60 records that are grouped at once, found 59"):
        solve(heavy_tailed(6, 60), 3, method=["mdav", Reorder(start=range(59))])
    with pytest.raises(InputError, match="start must be a list of labels, one for each record, found 2 dimensions"):
        Reorder(start=np.zeros((60, 1), dtype=np.int64))


@pytest.mark.parametrize("start", ["ward", "spanning-tree"])
def test_reporder_begins_with_merged_clusters(start: str) -> None:
    X = heavy_tailed(7, 36)
    cost = naive_ward.ward_cost if start == "ward" else naive_ward.shortest_edge
    starts = [naive_ward.merged_clusters(X, n_clusters, cost) for n_clusters in range(1, 9)]
    losses = [naive.reorder(X, 3, labels)[-1] for labels in starts]
    assert np.argmin(losses) > 0
    refiner = RepOrder(lambda X, n_means, rng: np.zeros(len(X), int), starts=8, start=start)
    assert _refine(refiner, Problem(X, 3), np.arange(36) % 12).sse == pytest.approx(min(losses), rel=1e-9)


def test_ward_refuses_more_records_than_it_keeps_distances_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("microagg.refine.starting_clusters._MAX_WARD_RECORDS", 59)
    with pytest.raises(InputError, match="start=ward takes at most 59 records at once, found 60"):
        solve(heavy_tailed(6, 60), 3, method="reporder(start=ward)")
    with pytest.raises(InputError, match="start must be one of k-means, ward, spanning-tree, found 'random'"):
        solve(heavy_tailed(6, 60), 3, method="reporder(start=random)")


def test_the_solution_counts_the_rounds_of_all_starts() -> None:
    X = heavy_tailed(6, 60)
    alone = solve(X, 3, method="reporder(starts=1)")
    together = solve(X, 3, method="reporder(starts=20)")
    assert (alone.starts, together.starts) == (1, 20)
    assert together.iterations > 20 * 2
    assert solve(X, 3, method="reporder(starts=20)", iterations=1).iterations == 20
    assert solve(X, 3, method="reporder(starts=20,insertion=nearest)").sse != together.sse
    with pytest.raises(InputError, match="insertion must be one of cheapest, nearest, found 'farthest'"):
        RepOrder(lambda X, n_means, rng: np.zeros(len(X), int), insertion="farthest")
    with pytest.raises(InputError, match="insertion must be one of cheapest, nearest, found 'farthest'"):
        Reorder("farthest")


@pytest.mark.parametrize("scale", [1.0, 1e-5, 1e5])
def test_reorder_does_not_depend_on_the_unit(scale: float) -> None:
    problem = Problem(scale * heavy_tailed(12, 200), 3)
    refined = _refine(Reorder(), problem, np.arange(200) % 66)
    assert refined.sse / scale**2 == pytest.approx(
        _refine(Reorder(), Problem(heavy_tailed(12, 200), 3), np.arange(200) % 66).sse
    )


def test_reorder_ends_where_all_records_are_equal() -> None:
    assert _refine(Reorder(), Problem(np.zeros((20, 2)), 3), np.arange(20) % 6).sse == 0.0


def test_an_outlier_does_not_end_the_starts() -> None:
    """K-means may leave means without records; there are as many starts as distinct records all the same."""
    X = heavy_tailed(13, 60).copy()
    X[0] = 1e12
    asked: list[int] = []

    def two_clusters(X: FloatArray, n_means: int, rng: Generator) -> IntArray:
        asked.append(n_means)
        return np.minimum(np.arange(60) % n_means, 1)

    _refine(RepOrder(two_clusters, starts=9), Problem(X, 3), np.arange(60) // 3)
    assert asked == list(range(1, 10))


def test_reporder_ends_where_there_are_no_more_distinct_records() -> None:
    X = np.repeat(np.arange(4.0), 5)[:, None]
    assert solve(X, 5, method="reporder", standardise=False).sse == 0.0
    assert solve(X, 3, method="reporder(starts=2)", standardise=False).sse == 0.0
    with pytest.raises(InputError, match="'assign_to_means': its parameters are starts, insertion, start"):
        solve(X, 3, method="reporder(assign_to_means=2)")
