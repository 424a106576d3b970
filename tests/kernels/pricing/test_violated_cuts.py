"""Cuts that fractional values violate, against trying them all."""

from itertools import combinations

import numpy as np
import pytest

from microagg.kernels.pricing.violated_cuts import (
    FractionalColumns,
    anneal_cuts,
    neighbourhoods,
    shared_values,
    violated_triples,
)
from microagg.model.arrays import FloatArray

N = 9


def _columns(random_state: int) -> tuple[list[list[int]], FloatArray, FractionalColumns]:
    rng = np.random.default_rng(random_state)
    groups = [sorted(rng.choice(N, size=int(rng.integers(2, 5)), replace=False).tolist()) for _ in range(14)]
    values = rng.uniform(0.1, 0.6, size=len(groups))
    records = np.concatenate([np.array(group, dtype=np.int64) for group in groups])
    numbers = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    order = np.argsort(records, kind="stable")
    starts = np.cumsum([0, *map(len, groups)])
    by_record = np.searchsorted(records[order], np.arange(N + 1))
    return groups, values, FractionalColumns(starts, records, values, by_record, numbers[order])


def _violation(groups: list[list[int]], values: FloatArray, weights: dict[int, int], q: int) -> float:
    counted = sum(
        value * (sum(weights.get(record, 0) for record in group) // q)
        for group, value in zip(groups, values, strict=True)
    )
    return float(counted) - sum(weights.values()) // q


@pytest.mark.parametrize("random_state", range(5))
def test_triples_are_those_that_trying_all_finds(random_state: int) -> None:
    groups, values, columns = _columns(random_state)
    shared = shared_values(columns)
    for one, other in combinations(range(N), 2):
        both = sum(value for group, value in zip(groups, values, strict=True) if {one, other} <= {*group})
        assert shared[one, other] == shared[other, one] == pytest.approx(both)
    assert not shared.diagonal().any()
    expected = {
        triple: violation
        for triple in combinations(range(N), 3)
        if (violation := _violation(groups, values, dict.fromkeys(triple, 1), 2)) > 0.1
        and all(shared[pair] > 0.0 for pair in combinations(triple, 2))
    }
    triples, violations = violated_triples(columns, shared, 0.1)
    found = {tuple(triple): violation for triple, violation in zip(triples.tolist(), violations, strict=True)}
    assert expected
    assert found == {triple: pytest.approx(violation) for triple, violation in expected.items()}


def test_more_triples_are_found_than_there_is_room_for_at_first() -> None:
    """Twenty records, any two of them in one column of value 1/2: every triple is violated by 1/2."""
    pairs = list(combinations(range(20), 2))
    records = np.array(pairs).ravel()
    numbers = np.repeat(np.arange(len(pairs)), 2)
    order = np.argsort(records, kind="stable")
    starts = np.arange(0, 2 * len(pairs) + 1, 2)
    by_record = np.searchsorted(records[order], np.arange(21))
    columns = FractionalColumns(starts, records, np.full(len(pairs), 0.5), by_record, numbers[order])
    triples, violations = violated_triples(columns, shared_values(columns), 0.001)
    assert triples.tolist() == [list(triple) for triple in combinations(range(20), 3)]
    assert violations.tolist() == [0.5] * 1140


def test_neighbourhoods_grow_by_the_record_that_shares_most() -> None:
    _, _, columns = _columns(0)
    shared = shared_values(columns)
    for record, row in enumerate(neighbourhoods(shared, 5).tolist()):
        assert row[0] == record
        for place in range(1, 5):
            ties = [shared[row[:place], other].sum() if other not in row[:place] else -np.inf for other in range(N)]
            assert row[place] == int(np.argmax(ties))
    lonely = np.zeros((3, 3))
    lonely[0, 1] = lonely[1, 0] = 0.4
    assert neighbourhoods(lonely, 3).tolist() == [[0, 1, -1], [1, 0, -1], [2, -1, -1]]


@pytest.mark.parametrize("q", [2, 3, 4])
def test_annealing_finds_cuts_and_says_how_much_they_are_violated(q: int) -> None:
    groups, values, columns = _columns(1)
    near = neighbourhoods(shared_values(columns), 7)
    weights, violations = np.zeros_like(near), np.zeros(N)
    anneal_cuts(columns, near, q, 4, 600, np.random.default_rng(0), weights, violations)
    assert violations.max() > 0.1
    for row, found, violation in zip(near.tolist(), weights.tolist(), violations.tolist(), strict=True):
        positive = {record: weight for record, weight in zip(row, found, strict=True) if weight}
        assert len(positive) <= 4
        assert all(0 < weight < q for weight in positive.values())
        assert violation == pytest.approx(_violation(groups, values, positive, q), abs=1e-9)
    if q == 2:
        triple = max(_violation(groups, values, dict.fromkeys(some, 1), 2) for some in combinations(range(N), 3))
        assert violations.max() >= triple - 1e-9
