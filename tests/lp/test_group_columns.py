"""Group columns: groups of a partition and back, and groups compatible with others."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lp_cases import columns_of, no_records, random_problem
from microagg import Partition
from microagg.lp.group_columns import GroupColumns


@settings(max_examples=30)
@given(st.data())
def test_columns_are_fixed_groups_or_share_no_record_with_them(data: st.DataObject) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    n, groups = 9, [tuple(map(int, rng.permutation(9)[: rng.integers(2, 5)])) for _ in range(30)]
    labels = np.full(n, -1)
    fixed: list[set[int]] = []
    for group in groups[: data.draw(st.integers(0, 6))]:
        if (labels[list(group)] < 0).all():
            labels[list(group)] = len(fixed)
            fixed.append({*group})
    starts = np.cumsum([0, *map(len, groups)])
    columns = GroupColumns(n, starts, np.concatenate([np.array(group) for group in groups]), np.ones(len(groups)))
    expected = [i for i, group in enumerate(groups) if {*group} in fixed or not any(one & {*group} for one in fixed)]
    assert columns.compatible_with(labels).tolist() == expected
    assert columns.select(no_records()).compatible_with(labels).tolist() == []


def test_the_groups_of_a_partition_are_columns_that_make_it_again() -> None:
    problem = random_problem(0, 10, 2)
    partition = Partition(problem, np.array([0, 1, 2, 0, 1, 2, 0, 1, 2, 2]))
    columns = GroupColumns.of_partition(partition)
    assert columns.record_sets() == [frozenset({0, 3, 6}), frozenset({1, 4, 7}), frozenset({2, 5, 8, 9})]
    assert columns.sses.sum() == pytest.approx(partition.sse)
    np.testing.assert_array_equal(columns.labels(np.arange(3)), partition.labels)
    again = columns_of(problem, [sorted(group) for group in columns.record_sets()])
    np.testing.assert_allclose(columns.sses, again.sses)
    np.testing.assert_array_equal(columns.scaled(2.0).sses, 2.0 * columns.sses)


def test_arrays_of_groups_are_columns() -> None:
    problem = random_problem(0, 6, 2)
    pairs, triples = np.array([[0, 1], [4, 5]]), np.array([[1, 2, 3]])
    columns = GroupColumns.of_groups(problem.X, [pairs, triples], 3.0)
    expected = columns_of(problem, [(0, 1), (4, 5), (1, 2, 3)])
    assert columns.record_sets() == expected.record_sets()
    np.testing.assert_allclose(columns.sses, 3.0 * expected.sses)
