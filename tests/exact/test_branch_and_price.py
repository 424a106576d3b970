"""Branching trees that are ended, and what they have proved by then."""

import pytest

from lp_cases import one_group, random_problem
from microagg import Run
from microagg.exact.branch_node import BranchNode
from microagg.exact.exact_bound import Exact
from microagg.exact.node_relaxation import NodeRelaxation
from microagg.exact.strong_branching import choose_pair
from proofs import certified


@pytest.fixture(autouse=True)
def _only_branches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no integer programme and no cuts end a node."""
    for name in ("ROOT_MIP_LIMITS", "NODE_MIP_LIMITS"):
        monkeypatch.setattr(f"microagg.exact.branch_and_price.{name}", (0, 0))
    for module in ("branch_and_price", "optimality_proof"):
        monkeypatch.setattr(f"microagg.exact.{module}.MAX_STALLED_ROUNDS", 0)


def test_a_stop_while_a_pair_is_chosen_leaves_a_proof_that_can_be_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, run = random_problem(2, 80, 3, d=3), Run()
    calls: list[BranchNode] = []

    def stopped(relaxation: NodeRelaxation, node: BranchNode) -> tuple[int, int]:
        calls.append(node)
        if len(calls) == 3:
            run.cancel()
            relaxation.context.tick()
        return choose_pair(relaxation, node)

    monkeypatch.setattr("microagg.exact.branch_and_price.choose_pair", stopped)
    bound, partition = Exact()(problem, one_group(problem), run)
    assert (len(calls), bound.ended_by) == (3, "cancelled")
    assert certified(problem, bound, partition).passed


@pytest.mark.parametrize("branches", [1, 4])
def test_no_more_nodes_are_visited_than_there_may_be(branches: int, monkeypatch: pytest.MonkeyPatch) -> None:
    visited: list[BranchNode] = []

    def counting(relaxation: NodeRelaxation, node: BranchNode) -> tuple[int, int]:
        visited.append(node)
        return choose_pair(relaxation, node)

    monkeypatch.setattr("microagg.exact.branch_and_price.choose_pair", counting)
    problem = random_problem(2, 80, 3, d=3)
    bound, partition = Exact(branches=branches)(problem, one_group(problem), Run())
    assert bound.ended_by == "effort"
    assert 1 <= len(visited) <= branches
    assert certified(problem, bound, partition).passed
