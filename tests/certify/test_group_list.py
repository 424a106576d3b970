"""Lists of candidate groups."""

import numpy as np
import pytest

from certificate_cases import sse, table
from microagg.certify.claim import Decision
from microagg.certify.group_list import GroupList


def _sets(groups: GroupList) -> list[list[int]]:
    return [np.flatnonzero(row).tolist() for row in groups.groups.toarray()]


@pytest.fixture
def some() -> GroupList:
    X = table(0, 5)
    squares = np.square(X[:, None] - X).sum(axis=2)
    return GroupList.of(squares, [np.array([[0, 1], [3, 2]]), np.empty((0, 3), dtype=np.int64), np.array([[4, 0, 2]])])


def test_groups_of_several_sizes_are_gathered(some: GroupList) -> None:
    X = table(0, 5)
    assert _sets(some) == [[0, 1], [2, 3], [0, 2, 4]]
    assert some.groups.shape == (3, 5)
    assert some.size == 3
    assert some.sses == pytest.approx([sse(X, group) for group in ([0, 1], [2, 3], [0, 2, 4])])


def test_masks_select_groups(some: GroupList) -> None:
    selected = some.only(np.array([True, False, True]))
    assert _sets(selected) == [[0, 1], [0, 2, 4]]
    assert selected.sses.tolist() == some.sses[[0, 2]].tolist()


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        (Decision(0, 1, True), [[0, 1], [2, 3]]),
        (Decision(1, 0, False), [[2, 3], [0, 2, 4]]),
        (Decision(2, 4, True), [[0, 1], [0, 2, 4]]),
        (Decision(2, 4, False), [[0, 1], [2, 3]]),
        (Decision(1, 3, True), [[0, 2, 4]]),
        (Decision(1, 3, False), [[0, 1], [2, 3], [0, 2, 4]]),
    ],
)
def test_decisions_are_obeyed(some: GroupList, decision: Decision, expected: list[list[int]]) -> None:
    assert _sets(some.obeying(decision)) == expected


def test_every_record_must_be_in_a_group(some: GroupList) -> None:
    assert some.covers_all
    for left_out in range(3):
        assert not some.only(np.arange(3) != left_out).covers_all
    assert not some.only(np.zeros(3, dtype=np.bool_)).covers_all
