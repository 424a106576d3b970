"""Merging of parts that are too small: which joins which, by hand and whatever the order of the records."""

import numpy as np
import pytest

from microagg.merge_parts import Members, PartTally, merge_small_parts, parts_joined
from microagg.model.exact_sum import ExactSum


def tally(
    stratum: int, points: list[float], members: Members | None = None, present: Members | None = None
) -> PartTally:
    """Return the tally of a part of points on a line, by default counted in records that have all cells."""
    counted = len(points) if members is None else members
    return PartTally(
        stratum,
        len(points),
        (ExactSum.of(np.array(points)),),
        counted,
        (counted if present is None else present,),
    )


def test_the_smallest_part_joins_the_nearest_first() -> None:
    parts = [tally(0, [0.0, 0.0, 0.0]), tally(1, [5.0, 5.0]), tally(2, [9.0]), tally(3, [20.0] * 3)]
    pairs = merge_small_parts(parts, 3)
    assert pairs == [(2, 1)]
    assert parts_joined(4, pairs).tolist() == [0, 1, 1, 3]


def test_a_part_that_has_been_joined_and_is_still_small_joins_another() -> None:
    parts = [tally(0, [0.0]), tally(1, [1.0]), tally(2, [9.0] * 5)]
    pairs = merge_small_parts(parts, 3)
    assert pairs == [(0, 1), (1, 2)]
    assert parts_joined(3, pairs).tolist() == [2, 2, 2]


def test_parts_of_the_same_stratum_come_before_nearer_ones() -> None:
    parts = [tally(0, [100.0] * 3), tally(0, [0.0]), tally(1, [0.0] * 3)]
    assert merge_small_parts(parts, 2) == [(1, 0)]


def test_the_last_part_is_left_however_small_it_is() -> None:
    assert merge_small_parts([tally(0, [0.0]), tally(1, [1.0])], 9) == [(0, 1)]


@pytest.mark.parametrize(("units", "pairs"), [([1, 2], []), ([1], [(1, 0)])])
def test_units_are_counted_once(units: list[int], pairs: list[tuple[int, int]]) -> None:
    parts = [tally(0, [0.0] * 3, np.array([5, 6])), tally(1, [1.0] * 3, np.array(units))]
    assert merge_small_parts(parts, 2) == pairs


def test_units_of_both_parts_are_counted_together() -> None:
    both = tally(0, [0.0, 2.0], np.array([1, 3])).joined_by(tally(1, [7.0], np.array([2, 3])))
    assert both.n_members == 3
    assert both.mean.tolist() == [3.0]
    assert both.stratum == 0


@pytest.mark.parametrize(("n_present", "pairs"), [(0, []), (1, [(1, 0)]), (2, [])])
def test_few_cells_of_a_column_make_a_part_small_but_none_do_not(n_present: int, pairs: list[tuple[int, int]]) -> None:
    parts = [tally(0, [0.0] * 3), tally(1, [1.0] * 3, present=n_present)]
    assert merge_small_parts(parts, 2) == pairs


def test_means_do_not_depend_on_the_order_of_the_records() -> None:
    points = [1e16, 1.0, -1e16, 1.0]
    assert tally(0, points).mean.tolist() == [0.5]
    assert tally(0, sorted(points)).mean.tolist() == [0.5]
