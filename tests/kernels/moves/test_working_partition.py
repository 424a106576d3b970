"""The partition that moves change in place."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg import Problem
from microagg.kernels.moves.working_partition import (
    begin_trial,
    put_in,
    save,
    take_out,
    trial_change,
    undo_trial,
    update,
    working_partition,
)
from microagg.model.arrays import IntArray
from strategies import labelled
from working_partitions import all_others, check_consistency


@given(labelled(), st.integers(0, 99))
def test_what_is_undone_was_not(case: tuple[Problem, IntArray], random_state: int) -> None:
    problem, labels = case
    rng, n = np.random.default_rng(random_state), problem.n
    groups = working_partition(problem.X, all_others(n), labels, problem.k)
    before, lost = groups.labels.copy(), groups.sses.copy()
    begin_trial(groups)
    for _ in range(5):
        record, other = rng.integers(n, size=2)
        here, there = groups.labels[[record, other]]
        if here != there and groups.sizes[here] > 1 and groups.sizes[there] < groups.members.shape[1]:
            for group in (here, there):
                save(groups, group)
            take_out(groups, record)
            put_in(groups, record, there)
            update(groups, here)
            update(groups, there)
    change, _ = trial_change(groups)
    assert change == pytest.approx(
        naive.sse(problem.X, groups.labels) - naive.sse(problem.X, before), abs=1e-6 * (1 + problem.sst)
    )
    undo_trial(groups)
    np.testing.assert_array_equal(groups.labels, before)
    np.testing.assert_array_equal(groups.sses[groups.sizes > 0], lost[groups.sizes > 0])
    check_consistency(groups, problem.k)
