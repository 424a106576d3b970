"""The best partition into candidate groups."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from microagg.certify.group_list import GroupList
from microagg.certify.set_partitioning import select_groups

SQUARES = np.square(np.subtract.outer(np.array([0.0, 1.0, 10.0, 12.0]), np.array([0.0, 1.0, 10.0, 12.0])))


@pytest.fixture
def pairs() -> GroupList:
    """Two partitions into pairs, of sse 0.5 + 2 and 50 + 60.5."""
    return GroupList.of(SQUARES, [np.array([[0, 1], [2, 3], [0, 2], [1, 3]])])


def test_the_best_partition_is_found(pairs: GroupList) -> None:
    found = select_groups(pairs, 2.5)
    assert found.none_below
    assert found.detail == "the best of 4 candidate groups have sse 2.5, proved to 2.5"


def test_a_partition_one_ulp_below_the_bound_is_seen(pairs: GroupList) -> None:
    found = select_groups(pairs, float(np.nextafter(2.5, 3.0)))
    assert not found.none_below
    assert found.detail == "the best of 4 candidate groups have sse 2.5, proved to 2.5"


def test_groups_that_make_no_partition_are_below_nothing(pairs: GroupList) -> None:
    assert select_groups(pairs.only(np.array([True, False, True, False])), 1e9) == (
        True,
        "no selection of candidate groups is a partition",
    )


def test_groups_without_loss_are_selected(pairs: GroupList) -> None:
    free = GroupList.of(np.zeros((4, 4)), [np.array([[0, 1], [2, 3]])])
    assert select_groups(free, 0.0).none_below
    assert not select_groups(free, 1e-300).none_below


class _Solver:
    """Stand-in for `milp` that returns a given result and keeps what it was called with."""

    def __init__(self, status: int, relative_bound: float = 1.0) -> None:
        self.status = status
        self.relative_bound = relative_bound
        self.called_with: dict[str, Any] = {}

    def __call__(self, c: Any, **options: Any) -> SimpleNamespace:
        self.called_with = {"c": c, **options}
        x = np.array([1.0 - 1e-7, 1.0, 1e-7, 0.0])
        bound = self.relative_bound * float(c[:2].sum())
        return SimpleNamespace(status=self.status, x=x, mip_dual_bound=bound, message="out of luck")


def test_what_the_solver_leaves_unproved_is_allowed_for(pairs: GroupList, monkeypatch: pytest.MonkeyPatch) -> None:
    for relative_bound, none_below in ((1 - 0.9e-9, True), (1 - 1.1e-9, False), (2.0, True)):
        monkeypatch.setattr("scipy.optimize.milp", _Solver(0, relative_bound))
        found = select_groups(pairs, 2.5)
        assert found.none_below is none_below
        proved = min(2.5, 2.5 * relative_bound)
        assert found.detail == f"the best of 4 candidate groups have sse 2.5, proved to {proved:.12g}"


def test_a_programme_that_is_not_solved_proves_nothing(pairs: GroupList, monkeypatch: pytest.MonkeyPatch) -> None:
    for status in (1, 3, 4):
        monkeypatch.setattr("scipy.optimize.milp", _Solver(status))
        assert select_groups(pairs, 0.0) == (False, "the integer programme was not solved: out of luck")
    monkeypatch.setattr("scipy.optimize.milp", _Solver(2))
    assert select_groups(pairs, 0.0).none_below


def test_the_programme_is_exact_and_scaled(pairs: GroupList, monkeypatch: pytest.MonkeyPatch) -> None:
    solver = _Solver(0)
    monkeypatch.setattr("scipy.optimize.milp", solver)
    for lower_bound, scale in ((2.5, 1e6 / 60.5), (100.0, 1e4)):
        select_groups(pairs, lower_bound)
        asked = solver.called_with
        assert asked["c"] == pytest.approx(scale * pairs.sses)
        assert asked["integrality"].tolist() == [1.0] * 4
        assert (asked["bounds"].lb, asked["bounds"].ub) == (0.0, 1.0)
        assert asked["constraints"].A.toarray().tolist() == pairs.groups.toarray().T.tolist()
        assert [*np.ravel(asked["constraints"].lb), *np.ravel(asked["constraints"].ub)] == [1.0] * 8
        assert asked["options"] == {"mip_rel_gap": 0.0}
