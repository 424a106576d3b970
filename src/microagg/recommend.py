"""Recommend one of several candidates, by the front that they make and by what may be lost or risked at most."""

from collections.abc import Sequence

from microagg.model.comparison import Aim, Candidate
from microagg.model.errors import InputError
from microagg.model.figure import Figure
from microagg.pareto_front import Placed, is_better_when_higher, knee, placed
from microagg.recommendation_words import NOTHING_KNOWN, nothing_within, reason_for


def recommend(candidates: Sequence[Candidate], aim: Aim) -> tuple[Candidate | None, str]:
    """Recommend a candidate of the front.

    Without limits, it is at the knee of the front: of several about as near to that, the one with the largest k, then
    with the least loss. With a limit of the risk, it is the one that loses least within it; with a limit of the loss,
    the one that risks least within it, and of equals the one with the largest k; with both, at the knee of what stays
    within both.

    Parameters
    ----------
    candidates
        All candidates, those of the front marked.
    aim
        The axes, and the limits.

    Returns
    -------
    recommended : Candidate or None
        None where no candidate can be put on the map, or none stays within the limits.
    reason : str
        Why, in a few sentences.
    """
    places = placed(candidates, aim)
    front = [one for one in places if one.candidate.on_front]
    if not front:
        return None, NOTHING_KNOWN
    within = [one for one in front if _is_within(one, aim)]
    if not within:
        return None, nothing_within(front, aim)
    best = _best(within, aim)
    return best.candidate, reason_for(best, within, places, aim)


def check_aim(aim: Aim, utility: Figure, risk: Figure) -> None:
    """Refuse a limit of a figure that is better when it is higher.

    Raises
    ------
    InputError
        If there is one.
    """
    for name, figure in (("max_loss", utility), ("max_risk", risk)):
        if getattr(aim, name) is not None and is_better_when_higher(figure):
            raise InputError(
                f"{name} is the largest {figure.title} that is acceptable, but more of it is better: leave {name} out, "
                "or choose another figure"
            )


def _is_within(one: Placed, aim: Aim) -> bool:
    return (aim.max_loss is None or one.loss <= aim.max_loss) and (aim.max_risk is None or one.risk <= aim.max_risk)


def _best(within: Sequence[Placed], aim: Aim) -> Placed:
    if (aim.max_loss is None) == (aim.max_risk is None):
        return knee(within)
    if aim.max_loss is None:
        return min(within, key=lambda one: (one.loss, -one.candidate.k))
    return min(within, key=lambda one: (one.risk, -one.candidate.k))
