"""Rules of privacy in blocks: satisfied by every group, whatever values a block lacks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from divided import problem_of, solved
from microagg import InputError, Problem, Run
from microagg.block_rules import _satisfiable, is_satisfiable
from microagg.model.group_rules import Closeness, DistinctUnits, DistinctValues, GroupRules, PresentCells
from rule_strategies import rules_about
from runs import CancelledAt

N = 200


def _far_apart() -> Problem:
    """Return a problem of one cluster for each half of the records."""
    X = np.random.default_rng(0).normal(size=(N, 2))
    X[N // 2 :] += 50
    return Problem(X, 3)


@given(st.data(), st.integers(0, 2**32 - 1))
@settings(max_examples=15)
def test_every_group_satisfies_the_rules(data: st.DataObject, seed: int) -> None:
    rules = GroupRules(tuple(data.draw(st.lists(rules_about(90), min_size=1, max_size=2))))
    problem = problem_of(90, random_state=seed)
    try:
        solution = solved(problem, rules=rules, method="mdav")
    except InputError:
        assert rules.violated(np.zeros(90, dtype=np.int64)).any()
        return
    assert not rules.violated(solution.labels).any()
    assert solution.sizes.min() >= 3
    assert len(solution.rule_costs) == len(rules)


def test_blocks_that_lack_a_value_are_joined() -> None:
    codes = np.zeros(N, dtype=np.int64)
    codes[N // 2 :] = 1
    rules = GroupRules((DistinctValues("illness", codes, 2),))
    solution = solved(_far_apart(), rules=rules, method="mdav+descent")
    assert not rules.violated(solution.labels).any()
    assert solution.n_groups > 1
    (cost,) = solution.rule_costs
    assert cost.n_violating > 0
    assert cost.loss_before < cost.loss_after == pytest.approx(solution.information_loss)


def test_a_value_that_is_in_one_block_only_makes_few_groups() -> None:
    codes = np.zeros(N, dtype=np.int64)
    codes[:2] = 1
    rules = GroupRules((DistinctValues("illness", codes, 2),))
    solution = solved(_far_apart(), rules=rules, method="mdav")
    assert not rules.violated(solution.labels).any()
    assert solution.n_groups <= 2


def test_units_are_counted_in_every_block() -> None:
    units = np.random.default_rng(1).permutation(np.arange(N) // 4)
    rules = GroupRules((DistinctUnits(units, 3),))
    solution = solved(problem_of(N), rules=rules, method="mdav+descent")
    assert all(len(np.unique(units[solution.labels == label])) >= 3 for label in range(solution.n_groups))


def test_closeness_is_to_all_records() -> None:
    codes = np.argsort(np.argsort(_far_apart().X[:, 0]))
    rules = GroupRules((Closeness.to_all("income", codes, 0.15, ordered=True),))
    solution = solved(_far_apart(), rules=rules, method="mdav")
    assert not rules.violated(solution.labels).any()
    assert solution.n_groups > 1


def test_cells_that_are_there_are_counted() -> None:
    rng = np.random.default_rng(2)
    missing = rng.random((N, 3)) < 0.3
    X = np.where(missing, 0.0, rng.normal(size=(N, 3)))
    rules = GroupRules((PresentCells(~missing, 3),))
    solution = solved(Problem(X, 3, None, missing), rules=rules, method="mdav")
    assert not rules.violated(solution.labels).any()


def test_what_no_groups_can_have_is_refused_in_the_words_of_one_piece() -> None:
    rules = GroupRules((DistinctValues("illness", np.zeros(N, dtype=np.int64), 2),))
    with pytest.raises(InputError, match=f"all {N} records together reach 1"):
        solved(problem_of(N), rules=rules, method="mdav")


def test_a_proof_finds_no_groups_that_violate_a_rule() -> None:
    codes = np.random.default_rng(3).integers(0, 3, 60)
    rules = GroupRules((DistinctValues("illness", codes, 3),))
    solution = solved(problem_of(60), rules=rules, method="mdav", bound=True, block_size=20)
    assert not rules.violated(solution.labels).any()
    assert solution.bound is not None
    assert solution.bound.sse <= solution.sse
    assert solution.improved is None
    assert solved(problem_of(60), method="mdav", bound=True, block_size=20).improved is not None, (
        "else nothing is tested"
    )


@pytest.mark.parametrize("number", [1, 2, 4, 6, 8])
def test_groups_satisfy_the_rules_whenever_the_run_ends(number: int) -> None:
    codes = np.random.default_rng(4).geometric(0.6, N)
    rules = GroupRules((DistinctValues("illness", codes, 2),))
    solution = solved(problem_of(N), CancelledAt(number, workers=1), rules, method="mdav+descent")
    assert not rules.violated(solution.labels).any()


def test_the_number_of_threads_changes_nothing() -> None:
    rules = GroupRules((DistinctValues("illness", np.random.default_rng(5).geometric(0.6, N), 2),))
    one, three = (solved(problem_of(N), Run(workers=count), rules, method="mdav") for count in (1, 3))
    np.testing.assert_array_equal(one.labels, three.labels)


def test_blocks_are_joined_with_the_next_and_the_rest_with_the_last() -> None:
    codes = np.array([0, 0, 1, 1, 0, 1, 0, 0])
    rules = GroupRules((DistinctValues("illness", codes, 2),))
    blocks = [np.array([0, 1]), np.array([2, 3]), np.array([4, 5]), np.array([6, 7])]
    assert [records.tolist() for records in _satisfiable(blocks, rules)] == [[0, 1, 2, 3], [4, 5, 6, 7]]
    alone = GroupRules((DistinctValues("illness", np.zeros(8, dtype=np.int64), 2),))
    assert [records.tolist() for records in _satisfiable(blocks, alone)] == [list(range(8))]


def test_blocks_are_joined_until_the_rules_can_be_satisfied() -> None:
    # t-closeness is not monotone: the last block alone violates it, and so does the last with the one before it
    codes = np.zeros(35, dtype=np.int64)
    codes[:6] = 1
    codes[20] = 1
    rules = GroupRules((Closeness("illness", codes, 0.11, np.array([28, 7]), ordered=False),))
    blocks = [np.arange(20), np.arange(20, 30), np.arange(30, 35)]
    assert [records.tolist() for records in _satisfiable(blocks, rules)] == [list(range(35))]
    assert [len(records) for records in _satisfiable(blocks[:2], rules)] == [20, 10]


@pytest.mark.parametrize(("codes", "expected"), [([0, 0, 1], True), ([1, 1, 1], False)])
def test_rules_can_be_satisfied_where_one_group_of_all_satisfies_them(codes: list[int], expected: bool) -> None:
    assert is_satisfiable(GroupRules((DistinctValues("illness", np.array(codes), 2),))) is expected
    assert is_satisfiable(GroupRules())
