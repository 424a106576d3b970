"""Candidate groups are listed as trying every group finds them."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certificate_cases import (
    Branched,
    Json,
    checked,
    decisions_of,
    draw_data,
    draw_proof,
    dual_solution,
    every_group,
    reduced_cost,
    sse,
    standardised,
    table,
)
from microagg.certify import enumeration
from microagg.certify.enumeration import TooManyGroupsError, list_below, list_cheapest, must_link_sets
from microagg.certify.group_list import GroupList
from microagg.model.arrays import FloatArray
from runs import CancelledAt

NO_DUALS: Json = {"duals": [0.0] * 8, "cuts": []}


def _sets(groups: GroupList) -> list[tuple[int, ...]]:
    return [tuple(np.flatnonzero(row).tolist()) for row in groups.groups.toarray()]


def _draw(draw: st.DataObject) -> tuple[FloatArray, int, Json, list[tuple[int, int, bool]]]:
    rng, data, k = draw_data(draw, 9)
    X = draw.draw(st.sampled_from([1.0, 0.1, 0.0])) * standardised(data, k)  # at last only cuts matter
    decisions = []
    for _ in range(draw.draw(st.integers(0, 3))):
        one, other = rng.choice(len(X), 2, replace=False).tolist()
        decisions.append((one, other, draw.draw(st.booleans())))
    return X, k, draw_proof(draw, rng, X, k, decisions), decisions


@settings(max_examples=200)
@given(st.data(), st.integers(0, 19))
def test_every_group_below_the_cutoff_is_listed(draw: st.DataObject, rank: int) -> None:
    X, k, proof, decisions = _draw(draw)
    costs = {group: reduced_cost(X, group, proof) for group in every_group(len(X), k, decisions)}
    cutoff = 1e-6 + (sorted(costs.values())[min(rank, len(costs) - 1)] if costs else 0.0)
    groups = list_below(checked(X, k), dual_solution(proof), decisions_of(decisions), cutoff)
    found = _sets(groups)
    assert len(set(found)) == len(found)
    assert {group for group, cost in costs.items() if cost < cutoff - 1e-9} <= set(found)
    assert all(costs[group] < cutoff + 1e-9 for group in found)
    assert groups.sses == pytest.approx([sse(X, group) for group in found], abs=1e-9)


@settings(max_examples=100)
@given(st.data())
def test_the_cheapest_group_of_each_root_and_size_is_listed(draw: st.DataObject) -> None:
    X, k, proof, decisions = _draw(draw)
    groups, roots = list_cheapest(checked(X, k), dual_solution(proof), decisions_of(decisions))
    place = np.argsort(np.argsort(-np.array(proof["duals"]), kind="stable"))
    costs: dict[tuple[int, int], float] = {}
    for group in every_group(len(X), k, decisions):
        key = min(group, key=lambda record: place[record]), len(group)
        costs[key] = min(costs.get(key, np.inf), reduced_cost(X, group, proof))
    found = {
        (int(root), len(group)): reduced_cost(X, group, proof) for root, group in zip(roots, _sets(groups), strict=True)
    }
    assert len(found) == groups.size
    assert all(found[key] == pytest.approx(costs[key], abs=1e-9) for key in found)
    assert {key for key, cost in costs.items() if cost < -1e-9} <= set(found)


def test_all_sizes_from_k_to_2k_minus_1_are_listed() -> None:
    X = table(0, 8)
    sizes = [len(group) for group in _sets(list_below(checked(X, 3), dual_solution(NO_DUALS), [], np.inf))]
    assert [sizes.count(size) for size in range(9)] == [0, 0, 0, 56, 70, 56, 0, 0, 0]
    few = list_below(checked(X[:4], 3), dual_solution({"duals": [0.0] * 4, "cuts": []}), [], np.inf)
    assert sorted(_sets(few)) == [(0, 1, 2), (0, 1, 2, 3), (0, 1, 3), (0, 2, 3), (1, 2, 3)]


def test_a_group_at_the_cutoff_is_not_listed() -> None:
    X = np.array([[0.0], [2.0], [10.0]])
    proof = dual_solution({"duals": [0.0] * 3, "cuts": []})
    assert _sets(list_below(checked(X, 2), proof, [], 2.0)) == []
    assert _sets(list_below(checked(X, 2), proof, [], float(np.nextafter(2.0, 3.0)))) == [(0, 1)]
    free = dual_solution({"duals": [1.0, 1.0, 0.0], "cuts": []})
    assert list_cheapest(checked(X, 2), free, [])[0].size == 0
    paid = dual_solution({"duals": [1.0, 1.0 + 2.0**-50, 0.0], "cuts": []})
    groups, roots = list_cheapest(checked(X, 2), paid, [])
    assert (_sets(groups), roots.tolist()) == ([(0, 1)], [1])


@pytest.mark.parametrize(("most", "passed"), [(84, True), (83, False)])
def test_too_many_groups_are_not_listed(
    branched: Branched, monkeypatch: pytest.MonkeyPatch, most: int, passed: bool
) -> None:
    monkeypatch.setattr(enumeration, "MAX_LISTED_GROUPS", most)
    problem = checked(branched.X, 2)
    if passed:
        assert list_below(problem, dual_solution(NO_DUALS), [], 100.0).size == 84
        return
    message = "more than 83 groups have a reduced cost below 100: too many to list"
    with pytest.raises(TooManyGroupsError, match=f"^{re.escape(message)}$"):
        list_below(problem, dual_solution(NO_DUALS), [], 100.0)


def test_slices_of_roots_are_seamless(branched: Branched, monkeypatch: pytest.MonkeyPatch) -> None:
    run = CancelledAt(0)
    problem = checked(branched.X, 2, run=run)
    whole = _sets(list_below(problem, dual_solution(NO_DUALS), [], 3.0))
    assert run.notes == [
        "0 groups listed, now those of 2 records",
        f"{sum(map(_is_pair, whole))} groups listed, now those of 3 records",
    ]
    run.notes.clear()
    monkeypatch.setattr(enumeration, "_ROOTS_PER_TICK", 3)
    assert _sets(list_below(problem, dual_solution(NO_DUALS), [], 3.0)) == whole
    assert len(run.notes) == 6


def _is_pair(group: tuple[int, ...]) -> bool:
    return len(group) == 2


def test_records_that_are_together_directly_or_by_others_are_one_set() -> None:
    decisions = decisions_of([(0, 1, True), (3, 4, True), (5, 1, True), (2, 6, False)])
    assert [members.tolist() for members in must_link_sets(decisions, 8)] == [[0, 1, 5], [3, 4]]
    assert must_link_sets(decisions[3:], 8) == []
    assert must_link_sets([], 8) == []


def test_records_that_are_together_may_share_their_duals_in_any_way(branched: Branched) -> None:
    problem = checked(branched.X, 2)
    for together in (True, False):
        decisions = decisions_of([(1, 5, together)])
        even = dual_solution({"duals": [1.0] * 8, "cuts": []})
        uneven = dual_solution({"duals": [1.0, 3.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0], "cuts": []})
        same = set(_sets(list_below(problem, even, decisions, -0.5))) == set(
            _sets(list_below(problem, uneven, decisions, -0.5))
        )
        assert same is together
