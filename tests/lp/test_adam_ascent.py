"""Steps of the subgradient ascent."""

import numpy as np
import pytest

from microagg.lp.adam_ascent import AdamAscent


def test_the_first_step_is_one_length_and_steps_decay_geometrically() -> None:
    scales = np.array([1.0, 10.0])
    ascent = AdamAscent(scales, 4, 0.3, 0.03, 0.0)
    steps = [ascent(np.array([2.0, -5.0])) for _ in range(5)]  # of a constant subgradient, a step is its length
    lengths = [0.3 * 0.1 ** (number / 4) for number in range(5)]
    for step, length in zip(steps, lengths, strict=True):
        assert step == pytest.approx(length * scales * [1.0, -1.0])
    assert lengths[-1] == pytest.approx(0.03)


def test_epsilon_damps_small_subgradients() -> None:
    step = AdamAscent(np.ones(2), 1, 1.0, 1.0, 0.1)(np.array([0.1, 1000.0]))
    assert step == pytest.approx([0.5, 1.0], rel=1e-3)


def test_moments_are_those_of_the_paper() -> None:
    rng = np.random.default_rng(0)
    ascent = AdamAscent(np.ones(3), 10, 1.0, 1.0, 1e-8)
    first, second = np.zeros(3), np.zeros(3)
    for t in range(1, 6):
        gradient = rng.normal(size=3)
        first = 0.9 * first + 0.1 * gradient
        second = 0.99 * second + 0.01 * gradient**2
        expected = first / (1 - 0.9**t) / (np.sqrt(second / (1 - 0.99**t)) + 1e-8)
        assert ascent(gradient) == pytest.approx(expected)
