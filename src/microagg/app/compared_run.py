"""Run of a session beside others: what it loses and risks, and its place on the risk–utility map."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

from microagg.app.job import Event
from microagg.model.comparison import Aim, Candidate
from microagg.model.figure import Figure
from microagg.pareto_front import with_front
from microagg.report.charts import MapPoint
from microagg.report.facts import Facts

AIM = Aim()
"""Figures on the axes of the map: those that `compare` looks at where nothing else is asked for."""


@dataclass(frozen=True)
class ComparedRun:
    """Run of a session, as far as it has come.

    Parameters
    ----------
    number
        Its number.
    plan_toml
        The plan that it carries out.
    last
        What it told last.
    release
        Facts of its release; None where it has none.
    document
        Facts of the document; None where it was not made.
    """

    number: int
    plan_toml: str
    last: Event
    release: Facts | None = None
    document: Facts | None = None

    @property
    def loss(self) -> float | None:
        """Information loss of all protected columns together, in percent; that of the only set until it is measured."""
        measured = self.figure(AIM.utility)
        if measured is not None:
            return measured.value
        sets = [] if self.release is None else self.release["sets"]
        return sets[0]["information_loss"] if len(sets) == 1 else None

    @property
    def risk(self) -> float | None:
        """Share of records that record linkage finds again, in percent; None where it was not measured."""
        measured = self.figure(AIM.risk)
        return None if measured is None else measured.value

    @property
    def is_stopped_early(self) -> bool:
        """Whether the work on any column set was ended by the clock or by somebody."""
        sets = [] if self.release is None else self.release["sets"]
        return not all(one["reproducible"] for one in sets)

    def figure(self, name: str) -> Figure | None:
        """Return a figure of the assessment by its name; None where there is none."""
        assessment = None if self.document is None else self.document["assessment"]
        figures = [] if assessment is None else assessment["figures"]
        return next((Figure(**one) for one in figures if one["name"] == name), None)


class OtherRun(NamedTuple):
    """Run of a file that is not the open one: it is not compared, but found again.

    Parameters
    ----------
    number
        Number of the run.
    file
        Name of its file.
    last
        What it told last.
    """

    number: int
    file: str
    last: Event


class RunMap(NamedTuple):
    """Risk–utility map of runs.

    Parameters
    ----------
    points
        Runs of which loss and risk are known.
    axes
        Facts about the axes, as `axis_titles` takes them.
    """

    points: list[MapPoint]
    axes: Facts


def map_of_runs(runs: Sequence[ComparedRun], picked: int | None) -> RunMap:
    """Return the places of runs on the map, and which of them no other run beats.

    Parameters
    ----------
    runs
        The runs.
    picked
        Number of the run that was picked, which is marked.
    """
    places = [(one, *both) for one in runs if (both := _place(one)) is not None]
    candidates = with_front([Candidate(k=0, method="", figures=(loss, risk)) for _, loss, risk in places], AIM)
    points = [
        MapPoint(f"run {one.number}", loss.value or 0.0, risk.value or 0.0, candidate.on_front, one.number == picked)
        for (one, loss, risk), candidate in zip(places, candidates, strict=True)
    ]
    figures = [asdict(each) for _, loss, risk in places[:1] for each in (loss, risk)]
    return RunMap(points, {"utility": AIM.utility, "risk": AIM.risk, "figures": figures})


def _place(run: ComparedRun) -> tuple[Figure, Figure] | None:
    """Return what a run loses and risks; None where either is not known."""
    loss = run.figure(AIM.utility)
    risk = run.figure(AIM.risk)
    if loss is None or risk is None or loss.value is None or risk.value is None:
        return None
    return loss, risk
