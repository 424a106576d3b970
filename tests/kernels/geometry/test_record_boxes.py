"""Boxes around runs of records."""

import numpy as np
import pytest
from hypothesis import given

from microagg.kernels.geometry.record_boxes import BOX, make_boxes, split_order
from microagg.model.arrays import FloatArray
from strategies import points


@given(points())
def test_the_order_holds_every_record_once(X: FloatArray) -> None:
    assert sorted(split_order(X, 4).tolist()) == list(range(len(X)))


@pytest.mark.parametrize("n", [1, BOX, BOX + 1, 5 * BOX + 7])
def test_every_record_is_in_its_box(n: int) -> None:
    X = np.random.default_rng(0).normal(size=(n, 3))
    boxes = make_boxes(X)
    assert len(boxes.low) == len(boxes.high) == -(-n // BOX)
    for number in range(len(boxes.low)):
        inside = X[boxes.order[number * BOX : (number + 1) * BOX]]
        np.testing.assert_array_equal(boxes.low[number], inside.min(axis=0))
        np.testing.assert_array_equal(boxes.high[number], inside.max(axis=0))


def test_boxes_are_small() -> None:
    X = np.random.default_rng(0).uniform(size=(64 * BOX, 2))
    boxes = make_boxes(X)
    assert np.prod(boxes.high - boxes.low, axis=1).sum() < 1.1


def test_equal_records_stand_by_index() -> None:
    assert split_order(np.zeros((300, 2)), BOX).tolist() == list(range(300))
