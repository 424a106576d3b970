"""Balanced assignment, against the assignment problem with as many copies of each centre as it may have records."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg.kernels.grouping.transport import transport
from microagg.model.arrays import FloatArray, IntArray
from samples import frozen


@st.composite
def _transports(draw: st.DrawFn) -> tuple[FloatArray, FloatArray, int]:
    low = draw(st.integers(1, 4))
    m = draw(st.integers(1, 6))
    n = draw(st.integers(m * low, m * (2 * low - 1)))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    if draw(st.booleans()):
        return rng.integers(0, 4, size=(n, 2)).astype(float), rng.integers(0, 4, size=(m, 2)).astype(float), low
    return rng.normal(size=(n, 3)), rng.normal(size=(m, 3)) * draw(st.sampled_from([0.1, 1.0, 3.0])), low


@given(_transports())
def test_transport_is_optimal(case: tuple[FloatArray, FloatArray, int]) -> None:
    X, centres, low = case
    labels = transport(frozen(X), frozen(centres), low, 2 * low - 1)
    sizes = np.bincount(labels, minlength=len(centres))
    assert sizes.min() >= low
    assert sizes.max() <= 2 * low - 1
    best = naive.transport(X, centres, low, 2 * low - 1)
    assert _cost(X, centres, labels) == pytest.approx(_cost(X, centres, best), rel=1e-9, abs=1e-9)


def _cost(X: FloatArray, centres: FloatArray, labels: IntArray) -> float:
    return float(np.linalg.norm(X - centres[labels], axis=1).sum())
