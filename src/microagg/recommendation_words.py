"""Recommendation put into words: what is recommended, by which rule, and what others would gain and cost."""

from collections.abc import Sequence

from microagg.model.comparison import Aim, Candidate
from microagg.model.figure import Figure
from microagg.pareto_front import Placed, near_knee

_MAX_METHODS = 2  # that are compared with the recommended one

NOTHING_KNOWN = "Nothing is recommended: of no candidate are both loss and risk known."


def reason_for(best: Placed, within: Sequence[Placed], places: Sequence[Placed], aim: Aim) -> str:
    """Say why a candidate is recommended.

    Parameters
    ----------
    best
        The recommended candidate.
    within
        Candidates of the front that stay within the limits of the aim.
    places
        All candidates.
    aim
        The axes, and the limits.
    """
    sentences = [
        f"{best.candidate.name}: {_both(best.candidate, aim)}.",
        _rule(best.candidate, within, aim),
        *_other_methods(best, places, aim),
        *_next_on_front(best, [one for one in places if one.candidate.on_front], aim),
    ]
    return " ".join(sentences)


def nothing_within(front: Sequence[Placed], aim: Aim) -> str:
    """Say that no candidate stays within the limits, and which one is nearest."""
    if aim.max_risk is None:
        nearest = min(front, key=lambda one: one.loss).candidate
        advice = "compare smaller k, or allow more loss"
    else:
        nearest = min(front, key=lambda one: one.risk).candidate
        advice = "compare larger k, or allow more"
    return (
        f"Nothing is recommended: no candidate has {_limits(nearest, aim)}. The nearest is {nearest.name}: "
        f"{_both(nearest, aim)}; {advice}."
    )


def _rule(best: Candidate, within: Sequence[Placed], aim: Aim) -> str:
    """Say by which rule a candidate was chosen."""
    limits = _limits(best, aim)
    inside = f" with {limits}" if limits else ""
    if len(within) == 1:
        return f"It is the only candidate of the front{inside}." if limits else "It is the best on both axes."
    candidates = f"Of the {len(within)} candidates of the front{inside}, it"
    if (aim.max_loss is None) != (aim.max_risk is None):
        axis = aim.utility if aim.max_loss is None else aim.risk
        return f"{candidates} has the lowest {best.figure(axis).title}."
    near = [one.candidate for one in near_knee(within)]
    if len(near) == 1:
        return f"{candidates} is the knee: from there, less of the one costs most of the other."
    return f"{candidates} is one of {len(near)} that are about as near to the knee, with {_advantage(best, near, aim)}."


def _advantage(best: Candidate, near: Sequence[Candidate], aim: Aim) -> str:
    """Say what a candidate has before others that are about as near to the knee."""
    same = [one for one in near if one.k == best.k]
    least = f"the least {best.figure(aim.utility).title}"
    if len(same) == len(near):
        return least
    return "the largest k" if len(same) == 1 else f"the largest k, and of that {least}"


def _other_methods(best: Placed, places: Sequence[Placed], aim: Aim) -> list[str]:
    """Compare the recommended candidate with other methods at the same k, the best of them first."""
    mine = best.candidate
    others = [one for one in places if one.candidate.k == mine.k and one.candidate.method != mine.method]
    nearest = sorted(others, key=lambda one: (one.loss, one.risk))[:_MAX_METHODS]
    texts = [_other_method(one.candidate, mine, aim) for one in nearest]
    return [f"At the same k, {'; '.join(texts)}."] if texts else []


def _other_method(other: Candidate, mine: Candidate, aim: Aim) -> str:
    if _both(other, aim) == _both(mine, aim):
        return f"{other.method} does as well"
    return f"{other.method} has {_compared(other, mine, aim.utility)} and {_compared(other, mine, aim.risk)}"


def _next_on_front(best: Placed, front: Sequence[Placed], aim: Aim) -> list[str]:
    """Say what the next candidates of the front would gain and cost: the safer one, and the one that loses less."""
    safer = [one for one in front if one.loss > best.loss]
    closer = [one for one in front if one.loss < best.loss]
    sentences = []
    if safer:
        sentences.append(_step(min(safer, key=lambda one: one.loss).candidate, best.candidate, aim.risk, aim.utility))
    if closer:
        sentences.append(_step(max(closer, key=lambda one: one.loss).candidate, best.candidate, aim.utility, aim.risk))
    return sentences


def _step(other: Candidate, best: Candidate, gained: str, paid: str) -> str:
    """Say what a step to another candidate would gain on one axis and cost on the other."""
    figure = other.figure(gained)
    return (
        f"{other.name} would bring {figure.title} from {in_words(best.figure(gained))} to {in_words(figure)}, for "
        f"{_difference(other.figure(paid), best.figure(paid))} {other.figure(paid).title}."
    )


def _compared(other: Candidate, best: Candidate, name: str) -> str:
    """Write the figure of another candidate, and by how many percent it differs."""
    theirs = other.figure(name)
    mine = best.figure(name)
    text = f"{theirs.title} {in_words(theirs)}"
    if theirs.value is None or not mine.value or in_words(theirs) == in_words(mine):
        return text
    change = 100.0 * (theirs.value - mine.value) / abs(mine.value)
    return f"{text} ({abs(change):.0f} % {'more' if change > 0 else 'less'})"


def _difference(theirs: Figure, mine: Figure) -> str:
    """Write by how much the figure of another candidate is higher or lower, in its unit."""
    change = (theirs.value or 0.0) - (mine.value or 0.0)
    direction = "more" if change > 0 else "less"
    if mine.unit == "%":
        return f"{abs(change):.2f} points {direction}"
    return f"{abs(change):.4g} {mine.unit}".rstrip() + f" {direction}"


def _limits(candidate: Candidate, aim: Aim) -> str:
    """Write the limits of an aim; nothing where there are none."""
    limits = ((aim.utility, aim.max_loss), (aim.risk, aim.max_risk))
    return " and ".join(
        f"{figure.title} of at most {limit:g} {figure.unit}".rstrip()
        for figure, limit in ((candidate.figure(name), limit) for name, limit in limits)
        if limit is not None
    )


def _both(candidate: Candidate, aim: Aim) -> str:
    return ", ".join(f"{one.title} {in_words(one)}" for one in map(candidate.figure, (aim.utility, aim.risk)))


def in_words(figure: Figure) -> str:
    """Write the value of a figure with its unit."""
    if figure.value is None:
        return "unknown"
    number = f"{figure.value:.2f}" if figure.unit == "%" else f"{figure.value:.4g}"
    return f"{number} {figure.unit}".rstrip()
