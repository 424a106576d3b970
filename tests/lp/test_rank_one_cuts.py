"""Rank-1 cuts as arrays, and duals of them."""

import numpy as np

import naive
from lp_cases import columns_of, every_group, no_records, random_cuts, random_problem
from microagg.lp.duals import Duals
from microagg.lp.rank_one_cuts import RankOneCuts


def test_right_hand_sides_are_rounded_down() -> None:
    cuts = RankOneCuts(6, np.array([0, 3, 5]), np.array([0, 1, 2, 3, 4]), np.array([1, 1, 1, 2, 2]), np.array([2, 4]))
    assert cuts.n_cuts == 2
    assert cuts.right_hand_sides.tolist() == [1, 1]
    assert RankOneCuts.empty(6).right_hand_sides.tolist() == []


def test_cuts_are_selected_and_joined() -> None:
    cuts = random_cuts(np.random.default_rng(0), 9, 5)
    parts = [cuts.select(np.array([number])) for number in range(5)]
    joined = RankOneCuts.empty(9)
    for part in parts:
        joined = joined.extended(part)
    for field, again in zip(cuts[1:], joined[1:], strict=True):
        np.testing.assert_array_equal(field, again)
    assert cuts.select(no_records()).n_cuts == 0


def test_coefficients_and_reduced_costs_are_those_of_the_definition() -> None:
    problem = random_problem(1, 8, 2)
    groups = every_group(8, 2)
    columns = columns_of(problem, groups)
    rng = np.random.default_rng(2)
    cuts = random_cuts(rng, 8, 6)
    duals = Duals(np.concatenate([rng.normal(size=8), -rng.uniform(size=6)]), cuts)
    coefficients = np.array([naive.counted(cuts, group) for group in groups])
    np.testing.assert_array_equal(columns.cut_coefficients(cuts).toarray(), coefficients)
    of_records = np.array([duals.of_records[list(group)].sum() for group in groups])
    expected = columns.sses - of_records - coefficients @ duals.of_cuts
    np.testing.assert_allclose(columns.reduced_costs(duals), expected, atol=1e-12)


def test_duals_of_cuts_that_do_not_bind_are_dropped() -> None:
    cuts = random_cuts(np.random.default_rng(0), 4, 3)
    duals = Duals(np.array([1.0, 2.0, 3.0, 4.0, -0.5, 0.0, -2.0]), cuts)
    binding = duals.binding()
    assert binding.values.tolist() == [1.0, 2.0, 3.0, 4.0, -0.5, -2.0]
    np.testing.assert_array_equal(binding.cuts.denominators, cuts.denominators[[0, 2]])
    objective = 10.0 - 0.5 * cuts.right_hand_sides[0] - 2.0 * cuts.right_hand_sides[2]
    assert sum(duals.objective_terms()) == sum(binding.objective_terms()) == objective
