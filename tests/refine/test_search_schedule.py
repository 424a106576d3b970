"""The rounds of a search."""

from itertools import islice

import numpy as np
import pytest

from microagg import Problem
from microagg.refine.search_schedule import search_rounds


def _problem(n: int, k: int, d: int = 2) -> Problem:
    return Problem(np.zeros((n, d)), k)


def test_the_last_two_rounds_repeat_for_ever() -> None:
    rounds = list(islice(search_rounds(_problem(100, 3), None), 11))
    assert rounds[:8] == list(search_rounds(_problem(100, 3), 8))
    assert rounds[5] == rounds[7] == rounds[9]
    assert rounds[6] == rounds[8] == rounds[10]
    base_length = rounds[0].n_trials
    assert [one.n_trials // base_length for one in rounds[:7]] == [1, 2, 1, 4, 4, 12, 12]
    assert [one.temperature_share for one in rounds[:7]] == [1.0, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5]
    assert [one.restarts for one in rounds[:7]] == [False] * 3 + [True] * 4


@pytest.mark.parametrize(("n", "n_rounds"), [(5, 0), (6, 4)])
def test_one_group_leaves_nothing_to_search(n: int, n_rounds: int) -> None:
    assert len(list(search_rounds(_problem(n, 3), 4))) == n_rounds


def test_trials_grow_with_the_records_and_fall_where_they_cost_more() -> None:
    def base_length(n: int, k: int, d: int = 2) -> int:
        return next(search_rounds(_problem(n, k, d), 1)).n_trials

    assert base_length(1000, 4) == 1 + 750 * 1000 // 32
    assert base_length(4000, 4) == 1 + 750 * 2000 // 32
    assert base_length(1000, 4, 32) == 1 + 750 * 500 // 32
    assert base_length(1000, 16) == 1 + int(750 * 1000 / (16 * 10**1.5))


def test_a_share_of_the_length_is_a_share_of_the_trials() -> None:
    (usual,) = search_rounds(_problem(1000, 4), 1)
    (half,) = search_rounds(_problem(1000, 4), 1, 0.5)
    assert half == usual._replace(n_trials=1 + 750 * 500 // 32)
