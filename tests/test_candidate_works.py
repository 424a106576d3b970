"""Predicted work of candidates: only its order and its sum matter."""

import numpy as np

from microagg import Limits, Plan, read
from microagg.candidate_works import candidate_works

TABLE = read(np.arange(3000.0).reshape(1000, 3))


def test_a_search_is_more_work_than_its_start() -> None:
    mdav, search = candidate_works([(5, "mdav"), (5, "search")], Plan(k=5), TABLE, Limits())
    assert 0 < mdav < search


def test_what_cannot_be_predicted_counts_as_the_longest() -> None:
    works = candidate_works([(5, "mdav"), (5, "ls"), (5, "v-mdav")], Plan(k=5), TABLE, Limits())
    assert works[1] == max(works)
    assert candidate_works([(5, "ls"), (3, "ls")], Plan(k=5), TABLE, Limits())[0] > 0


def test_what_cannot_be_made_takes_no_time() -> None:
    plan = Plan(k=5, columns=["0"], block_size=40)
    small, large = candidate_works([(10, "mdav"), (11, "mdav")], plan, TABLE, Limits())
    assert 0 < large < small
