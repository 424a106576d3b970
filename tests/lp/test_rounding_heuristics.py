"""Rounding heuristics of the column generation paper."""

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from lp_cases import columns_of, groups_of, random_problem
from microagg.kernels.grouping.union_find import join_pairs
from microagg.lp.rounding_heuristics import round_largest, round_pairs


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(4, 14), st.integers(2, 3))
def test_roundings_do_as_the_paper_says(random_state: int, n: int, k: int) -> None:
    rng = np.random.default_rng(random_state)
    problem = random_problem(random_state, n, k)
    groups = [sorted(rng.choice(n, size=rng.integers(k, min(2 * k, n + 1)), replace=False)) for _ in range(n)]
    columns, values = columns_of(problem, groups), rng.uniform(size=n)
    (rounded,) = round_largest(problem, columns, values)
    assert groups_of(rounded) == naive.take_largest(problem.X, k, groups, values.tolist())
    shared = np.zeros((n, n))
    for group, value in zip(groups, values, strict=True):
        shared[np.ix_(group, group)] += value
    pairs = sorted(
        combinations(range(n), 2), key=lambda pair: (-shared[pair], np.square(np.diff(problem.X[list(pair)].T)).sum())
    )
    joined = [naive.glue(pairs, n, max_size) for max_size in range(k + 1, 2 * k)]
    legal = [groups for groups in joined if min(map(len, groups)) >= k]
    assert [groups_of(partition) for partition in round_pairs(problem, columns, values)] == legal
    one, other = np.array(pairs).T
    assert len(set(join_pairs(one, other, n, k + 1).tolist())) == len(joined[0])
