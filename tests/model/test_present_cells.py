"""Rule about cells that are there: counted by records, or by units."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from microagg import InputError
from microagg.constrain.rule_encoding import rule_arrays
from microagg.kernels.rules.rule_arrays import is_legal
from microagg.model.arrays import BoolArray, IntArray
from microagg.model.group_rules import GroupRules
from microagg.model.present_cells import PresentCells

N = 6


@given(
    hnp.arrays(np.bool_, (N, 2)),
    hnp.arrays(np.int64, N, elements=st.integers(3, 5)),
    hnp.arrays(np.int64, N, elements=st.integers(0, 1)),
    st.integers(1, 3),
)
def test_units_are_counted_column_by_column(missing: BoolArray, units: IntArray, labels: IntArray, k: int) -> None:
    labels[:2] = 0, 1
    rule = PresentCells(missing, k, units)
    arrays = rule_arrays(GroupRules((rule,)), N, 1)
    for label in (0, 1):
        members = np.flatnonzero(labels == label)
        found = [{int(units[i]) for i in members if not missing[i, column]} for column in (0, 1)]
        expected = any(0 < len(each) < k for each in found)
        assert bool(rule.violated(labels)[label]) is expected
        assert is_legal(arrays, members, len(members)) is not expected


def test_without_units_each_record_is_one() -> None:
    missing = np.array([[False], [False], [True]])
    labels = np.zeros(3, dtype=np.int64)
    assert PresentCells(missing, 2).reached(labels).tolist() == [2.0]
    assert PresentCells(missing, 2, np.array([7, 7, 8])).reached(labels).tolist() == [1.0]
    assert "of different units" in PresentCells(missing, 2, np.array([7, 7, 8])).sentence


def test_a_part_has_its_units() -> None:
    rule = PresentCells(np.zeros((3, 1), dtype=np.bool_), 2, np.array([7, 8, 9]))
    part = rule.part(np.array([2, 0]))
    assert part.units is not None
    assert part.units.tolist() == [9, 7]


def test_units_are_those_of_the_records() -> None:
    with pytest.raises(InputError, match="3 records needs their units, found 2"):
        PresentCells(np.zeros((3, 1), dtype=np.bool_), 2, np.array([7, 8]))
