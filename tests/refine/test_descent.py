"""The local search as a refiner."""

import numpy as np
import pytest

from microagg import Partition, Problem, Run
from microagg.control.round_progress import RoundProgress
from microagg.control.stopping import StoppedError
from microagg.refine.descent import Descent, neighbour_lists, run_descent
from runs import CancelledAt
from samples import heavy_tailed


@pytest.mark.parametrize(("n", "k", "n_neighbours"), [(200, 3, 14), (200, 30, 30), (5, 2, 4), (2, 1, 1), (1, 1, 0)])
def test_neighbour_lists_reach_beyond_the_nearest(n: int, k: int, n_neighbours: int) -> None:
    partition = Partition(Problem(heavy_tailed(0, n), k), np.zeros(n, dtype=np.int64))
    near = neighbour_lists(partition, RoundProgress("test", partition.problem, Run()))
    assert near.shape[0] == n
    assert near.shape[1] <= n_neighbours
    assert all(len(set(row) | {record}) == len(row) + 1 for record, row in enumerate(near.tolist()))


def test_a_descent_that_is_cancelled_is_kept_or_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("microagg.kernels.tick.WORK_PER_TICK", 1.0)  # a check after every group
    start = Partition(Problem(heavy_tailed(0, 100), 3), np.arange(100) // 4)
    near = neighbour_lists(start, RoundProgress("test", start.problem, Run()))
    complete = run_descent(start, near)
    partial = run_descent(start, near, RoundProgress("test", start.problem, CancelledAt(9)), keep_partial=True)
    assert complete.sse < partial.sse < start.sse
    with pytest.raises(StoppedError, match="cancelled"):
        run_descent(start, near, RoundProgress("test", start.problem, CancelledAt(9)))
    np.testing.assert_array_equal(Descent()(start, np.random.default_rng(0), Run()).labels, complete.labels)
