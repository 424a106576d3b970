"""Relative gaps."""

from microagg.model.gap import OPTIMALITY_TOL, relative_gap


def test_gap_is_a_share_of_the_loss() -> None:
    assert relative_gap(4.0, 3.0) == 0.25
    assert relative_gap(4.0, 0.0) == 1.0
    assert relative_gap(4.0, 4.0) == 0.0
    assert relative_gap(0.0, 0.0) == 0.0
    assert OPTIMALITY_TOL == 1e-7
