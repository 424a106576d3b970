"""Relative gap between a loss and its lower bound."""

OPTIMALITY_TOL = 1e-7
"""Largest relative gap that counts as none: solver tolerances and rounding leave that much."""


def relative_gap(sse: float, lower_bound: float) -> float:
    """Return the share of `sse` that lies above the bound; 0 where nothing is lost."""
    return (sse - lower_bound) / sse if sse else 0.0
