"""Candidates made by hand: only their places on the map count."""

from collections.abc import Iterable

from microagg import Aim, Candidate, Figure
from microagg.pareto_front import with_front

AIM = Aim()


def figure(name: str, value: float | None, unit: str = "%", higher: str = "riskier") -> Figure:
    """Return a figure with a value."""
    topic = "utility" if name == "information_loss" else "risk"
    title = {"information_loss": "loss", "dld": "linkage"}.get(name, name)
    return Figure(name, title, topic, value, unit, higher, "A sentence.")  # type: ignore[arg-type]


def candidate(k: int, loss: float | None, risk: float | None, method: str = "mdav") -> Candidate:
    """Return a candidate at a place on the map."""
    figures = (figure("information_loss", loss, higher="loses more"), figure("dld", risk))
    return Candidate(k, method, loss, k, 0.5, figures)


def on_front(candidates: Iterable[Candidate], aim: Aim = AIM) -> tuple[Candidate, ...]:
    """Return candidates, those of the front marked."""
    return with_front(tuple(candidates), aim)
