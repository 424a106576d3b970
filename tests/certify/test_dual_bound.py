"""What a dual solution proves."""

import math

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
    linear_programme,
    reduced_cost,
    standardised,
    triples,
)
from microagg.certify import dual_bound
from microagg.certify.dual_bound import apply_duals, reduced_costs, rounding_error
from microagg.certify.enumeration import list_below
from microagg.model.arrays import FloatArray

EPS = 2.0**-52


def _naive_bound(X: FloatArray, k: int, proof: Json, decisions: list[tuple[int, int, bool]]) -> float:
    """Return the sum of the duals, less those of cuts times their right-hand sides, and the cheapest roots."""
    place = np.argsort(np.argsort(-np.array(proof["duals"]), kind="stable"))
    least = [0.0] * len(X)
    for group in every_group(len(X), k, decisions):
        root = min(group, key=lambda record: place[record])
        least[root] = min(least[root], reduced_cost(X, group, proof))
    sides = [cut["dual"] * (sum(cut["weights"]) // cut["denominator"]) for cut in proof["cuts"]]
    return math.fsum([*proof["duals"], *sorted(least)[: len(X) // k]]) - math.fsum(sides)


@settings(max_examples=100)
@given(st.data(), st.sampled_from([0.5, 1.0, 3.0]))
def test_bound_is_that_of_trying_every_group(draw: st.DataObject, claimed: float) -> None:
    rng, data, k = draw_data(draw, 8)
    X, decisions = standardised(data, k), []
    for _ in range(draw.draw(st.integers(0, 2))):
        one, other = rng.choice(len(X), 2, replace=False).tolist()
        decisions.append((one, other, draw.draw(st.booleans())))
    proof = draw_proof(draw, rng, X, k, decisions)
    problem = checked(X, k, claimed)
    expected = _naive_bound(X, k, proof, decisions)
    bound, left = apply_duals(problem, dual_solution(proof), decisions_of(decisions), None)
    assert expected - 1e-9 < bound <= expected  # equal where all duals are zero: nothing is rounded
    if bound >= claimed:
        return
    costs = {group: reduced_cost(X, group, proof) for group in every_group(len(X), k, decisions)}
    kept = {tuple(np.flatnonzero(row).tolist()) for row in left.groups.toarray()}
    cutoff = claimed - expected
    assert {group for group, cost in costs.items() if cost < cutoff} <= kept
    assert all(costs[group] < cutoff + 1e-9 for group in kept)
    again, fewer = apply_duals(problem, dual_solution(proof), decisions_of(decisions), left)
    assert again >= bound - 1e-12
    assert fewer.size <= left.size


@pytest.fixture
def two_pairs() -> FloatArray:
    """Two pairs of records: with duals of 1/4, each pair has a reduced cost of exactly zero."""
    return np.array([[0.0], [1.0], [10.0], [11.0]])


def test_bound_is_lowered_by_what_rounding_may_add(two_pairs: FloatArray) -> None:
    proof = dual_solution({"duals": [0.25] * 4, "cuts": []})
    # roundings: d + 12k² + 10 = 59; E(0) = 59 ε·2·(2k·¼) = 118 ε; two groups, twice each; and ε of the sum of 1
    bound = 1 - 4 * 118 * EPS - EPS
    problem = checked(two_pairs, 2, bound)
    proved, _ = apply_duals(problem, proof, [], None)
    assert proved == bound
    above = float(np.nextafter(bound, 2.0))
    proved, left = apply_duals(problem._replace(lower_bound=above), proof, [], None)
    assert proved == bound
    assert left.size == 2


def test_rounding_error_counts_every_operation(two_pairs: FloatArray) -> None:
    problem = checked(np.column_stack([two_pairs] * 3), 2)
    cut = {"records": [0, 1], "weights": [1, 1], "denominator": 2, "dual": 1.0}
    proof = {"duals": [1.0, -5.0, 2.0, 0.0], "cuts": [cut, {**cut, "records": [1, 2]}]}
    # roundings: d + 12k² + 3·(2k·2 cuts of record 1) + 10 = 3 + 48 + 24 + 10 = 85; duals: 2k·5 = 20
    assert rounding_error(problem, dual_solution(proof), 0.0) == 85 * 2 * 20 * EPS
    assert rounding_error(problem, dual_solution(proof), 1.0) == 85 * 2 * 21 * EPS
    assert rounding_error(problem, dual_solution({**proof, "cuts": []}), 1.0) == 61 * 2 * 21 * EPS
    # k = 3, without cuts: 3 + 108 + 10 = 121 roundings; duals: 2k·5 = 30
    larger = checked(np.column_stack([two_pairs] * 3), 3)
    assert rounding_error(larger, dual_solution({**proof, "cuts": []}), 1.0) == 121 * 2 * 31 * EPS


def test_groups_up_to_the_error_above_the_cutoff_are_kept(two_pairs: FloatArray) -> None:
    proof = dual_solution({"duals": [0.25] * 4, "cuts": []})
    problem = checked(two_pairs, 2, 1.0)
    every = list_below(problem, proof, [], 1000.0)
    bound, left = apply_duals(problem, proof, [], every)
    cutoff = 1.0 - bound
    assert 0.0 < cutoff < 1e-12
    assert left.sses.tolist() == [0.5, 0.5]
    costs = reduced_costs(proof, every)
    for claimed in (bound + costs.max(), float(np.nextafter(bound + costs.max(), 1e9)) + 1e-9):
        _, left = apply_duals(problem._replace(lower_bound=claimed), proof, [], every)
        assert left.size == every.size
    _, left = apply_duals(problem._replace(lower_bound=bound + costs.max() - 1e-9), proof, [], every)
    assert left.size == every.size - 2  # two groups of three cost most


def test_a_list_that_is_empty_proves_what_the_duals_add_up_to(two_pairs: FloatArray) -> None:
    proof = dual_solution({"duals": [0.25] * 4, "cuts": []})
    problem = checked(two_pairs, 2, 5.0)
    nothing = list_below(problem, proof, [], -1.0)
    assert nothing.size == 0
    bound, left = apply_duals(problem, proof, [], nothing)
    assert bound == pytest.approx(1.0, abs=1e-12)
    assert left.size == 0


def test_at_most_n_over_k_groups_are_added_up(two_pairs: FloatArray) -> None:
    problem = checked(two_pairs[:3], 2, -100.0)
    duals = {"duals": [9.0, 8.0, 7.0], "cuts": []}
    bound, _ = apply_duals(problem, dual_solution(duals), [], None)
    pairs = [reduced_cost(two_pairs, group, duals) for group in ((0, 1), (0, 2), (1, 2), (0, 1, 2))]
    assert bound == pytest.approx(24.0 + min(pairs), abs=1e-9)


def test_reduced_costs_are_computed_in_slices(branched: Branched, monkeypatch: pytest.MonkeyPatch) -> None:
    proof, _ = linear_programme(branched.X, 2, (), triples(8))
    assert proof is not None
    groups = list_below(checked(branched.X, 2), dual_solution(proof), [], 100.0)
    whole = reduced_costs(dual_solution(proof), groups)
    expected = [reduced_cost(branched.X, np.flatnonzero(row).tolist(), proof) for row in groups.groups.toarray()]
    assert whole == pytest.approx(expected, abs=1e-9)
    monkeypatch.setattr(dual_bound, "_GROUPS_PER_SLICE", 5)
    assert reduced_costs(dual_solution(proof), groups).tolist() == whole.tolist()


def test_records_that_are_together_may_share_their_duals_in_any_way(branched: Branched) -> None:
    problem = checked(branched.X, 2, branched.certificate["lower_bound"])
    fallen = []
    for node in branched.certificate["nodes"][1:]:
        decisions = decisions_of([(*node["pair"], node["together"])])
        duals = np.array(node["proofs"][0]["duals"])
        before, _ = apply_duals(problem, dual_solution({"duals": duals, "cuts": []}), decisions, None)
        duals[node["pair"]] += [10.0, -10.0]
        after, _ = apply_duals(problem, dual_solution({"duals": duals, "cuts": []}), decisions, None)
        fallen.append(before - after)
    assert fallen == pytest.approx([0.0, 10.0], abs=1e-9)
