"""The gap between what is lost and what must be lost."""

NO_GAP = 1e-7
"""What the tolerances of solvers and rounding may leave of a gap that is none."""


def gap_between(sse: float, lower_bound: float) -> float:
    """Give the share of what is lost that lies above the bound."""
    return (sse - lower_bound) / sse if sse else 0.0
