"""Pareto front of candidates: those that no other beats on both axes, and the knee between its ends."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from microagg.model.comparison import Aim, Candidate
from microagg.model.figure import Figure

BETTER_WHEN_HIGHER = ("keeps more", "safer")
"""What a higher value of a figure may mean where it is better."""

ABOUT_AS_FAR = 0.05
"""Difference of 1 − x − y that is not taken seriously, on axes that go from 0 to 1."""


class Placed(NamedTuple):
    """Candidate at its place on the map.

    Parameters
    ----------
    candidate
        The candidate.
    loss, risk
        What it loses and risks, such that less is better: the negative of a figure that is better when it is higher.
    """

    candidate: Candidate
    loss: float
    risk: float

    def beats(self, other: "Placed") -> bool:
        """Check whether this is as good as another on both axes, and better on one."""
        mine = (self.loss, self.risk)
        theirs = (other.loss, other.risk)
        return mine[0] <= theirs[0] and mine[1] <= theirs[1] and mine != theirs


def is_better_when_higher(figure: Figure) -> bool:
    """Check whether more of a figure is better."""
    return figure.higher in BETTER_WHEN_HIGHER


def placed(candidates: Sequence[Candidate], aim: Aim) -> list[Placed]:
    """Return the candidates of which both figures are known, at their places."""
    places = []
    for one in candidates:
        if one.error is None:
            loss = _cost(one.figure(aim.utility))
            risk = _cost(one.figure(aim.risk))
            if loss is not None and risk is not None:
                places.append(Placed(one, loss, risk))
    return places


def with_front(candidates: Sequence[Candidate], aim: Aim) -> tuple[Candidate, ...]:
    """Return the candidates with those marked that are on the front."""
    places = placed(candidates, aim)
    front = [one.candidate for one in places if not any(other.beats(one) for other in places)]
    return tuple(replace(one, on_front=any(one is other for other in front)) for one in candidates)


def near_knee(front: Sequence[Placed]) -> list[Placed]:
    """Return the candidate that is farthest below the chord between the ends of a front, and those about as far.

    Both axes are scaled to the range of the front, so that the chord goes from (0, 1) to (1, 0), and the distance of a
    point from it is in proportion to 1 − x − y. Where that differs by less than `ABOUT_AS_FAR`, it is no reason to
    prefer one candidate to another: measures of risk count a few records more or less.

    Parameters
    ----------
    front
        Candidates of which none beats another; at least one.
    """
    losses = _shares([one.loss for one in front])
    risks = _shares([one.risk for one in front])
    heights = [loss + risk for loss, risk in zip(losses, risks, strict=True)]
    lowest = min(heights) + ABOUT_AS_FAR
    return [one for one, height in zip(front, heights, strict=True) if height <= lowest]


def knee(front: Sequence[Placed]) -> Placed:
    """Return the candidate at the knee of a front: of several about as near to it, the largest k, then the least loss.

    Parameters
    ----------
    front
        Candidates of which none beats another; at least one.
    """
    return min(near_knee(front), key=lambda one: (-one.candidate.k, one.loss, one.risk))


def _cost(figure: Figure) -> float | None:
    if figure.value is None:
        return None
    return -figure.value if is_better_when_higher(figure) else figure.value


def _shares(values: Sequence[float]) -> list[float]:
    """Return values scaled so that the least is 0 and the largest 1; all are 0 if they are equal."""
    least = min(values)
    span = max(values) - least
    return [(value - least) / span if span > 0 else 0.0 for value in values]
