"""Weights relative to their mean, from facts of parts: the same bits as of the whole."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg import InputError, Problem
from microagg.model.arrays import FloatArray
from microagg.model.exact_sum import ExactSum
from microagg.model.relative_weights import check_weights, relative_weights
from strategies import weights_of


@given(st.integers(1, 30).flatmap(weights_of), st.integers(0, 30))
def test_parts_have_the_weights_of_the_whole(weights: FloatArray, cut: int) -> None:
    n = len(weights)
    parts = [part for part in (weights[:cut], weights[cut:]) if len(part)]
    largest = max(float(part.max()) for part in parts)
    total = ExactSum()
    for part in reversed(parts):
        total = total.merged(ExactSum.of(part / largest))
    relative = np.concatenate([relative_weights(part, largest, total, n) for part in parts])
    np.testing.assert_array_equal(relative, Problem(np.zeros((n, 1)), 1, weights).weights)
    assert relative.sum() == pytest.approx(n)


@given(st.integers(1, 30).flatmap(weights_of), st.randoms(use_true_random=False))
def test_the_order_of_the_records_changes_no_weight(weights: FloatArray, random: Any) -> None:
    order = random.sample(range(len(weights)), len(weights))
    X = np.zeros((len(weights), 1))
    whole = Problem(X, 1, weights).weights
    assert whole is not None
    np.testing.assert_array_equal(Problem(X, 1, weights[order]).weights, whole[order])


def test_weights_that_differ_too_much_are_refused() -> None:
    check_weights(0, 1e-9, 1.0, 2)
    with pytest.raises(InputError, match="found 9e-10 of it"):
        check_weights(0, 9e-10, 1.0, 2)
    with pytest.raises(InputError, match="found 1 of 2 that are not"):
        check_weights(1, 1.0, 1.0, 2)
