"""Progress of a run, as elements that run.js brings up to date: phase, share, times, loss and bound, and its curve."""

from collections.abc import Sequence

from microagg.app.job import Event
from microagg.app.pages.page_elements import button
from microagg.report.charts import Caption, CurvePoint, loss_curve
from microagg.report.document_parts.html_elements import Markup, element, paragraph
from microagg.report.estimate_lines import duration_in_words
from microagg.report.shown_text import percent_text
from microagg.report.words import NOTHING

OVER = ("done", "failed", "cancelled")
"""States in which a job is over."""

STAGES = {"queued": "Waiting for its turn", "working": "Starting", "released": "Measuring risk and utility"}
"""What a job does in each state in which it is not over, as long as it tells no phase."""

_FACTS = {"elapsed": "Elapsed", "left": "Left of this phase", "loss": "Information loss", "bound": "Proved bound"}
_BOUND_DECIMALS = 2


def progress_section(number: int, event: Event, stop: str, reload_on: Sequence[str], *, told: Sequence[str]) -> Markup:
    """Return the progress of a job that is not over.

    Parameters
    ----------
    number
        Number of the job.
    event
        What it told last.
    stop
        Text of the button that ends it early.
    reload_on
        States at which the page is to be loaded anew.
    told
        What is told besides phase and share: "elapsed", "left", "loss" or "bound".

    Returns
    -------
    Markup
        A section with the ids that run.js knows.
    """
    facts = {
        "elapsed": duration_in_words(event.elapsed),
        "left": NOTHING if event.left is None else duration_in_words(event.left),
        "loss": percent_text(event.loss),
        "bound": percent_text(floored(event.bound)),
    }
    rows = [element("div", element("dt", _FACTS[name]), element("dd", facts[name], id=name)) for name in told]
    return element(
        "section",
        element("p", stage_words(event), id="stage", class_="stage", role="status"),
        _bar(event),
        element("p", event.note, id="note", class_="muted"),
        element("dl", *rows),
        element("div", button(stop, "danger", id="stop"), class_="actions"),
        class_="card job",
        data_job=f"{number}",
        data_events=f"/jobs/{number}/events",
        data_stop=f"/jobs/{number}/stop",
        data_after=f"{event.number}",
        data_reload_on=" ".join(reload_on),
        aria_label="Progress",
    )


def stage_words(event: Event) -> str:
    """Return the phase of a job in words."""
    known = STAGES.get(event.state, "")
    phase = event.stage.replace("_", " ")
    if not phase or event.state == "queued":
        return known
    return f"{known}: {phase}" if event.state == "released" else phase[0].upper() + phase[1:]


def _bar(event: Event) -> Markup:
    share = "" if event.done is None else f"{event.done:.3f}"
    return element("progress", "", id="progress", max="1", value=share, aria_labelledby="stage")


def floored(bound: float | None) -> float | None:
    """Return a bound rounded down to what is shown: rounding it up would claim more than is proved."""
    scale = 10**_BOUND_DECIMALS
    return None if bound is None else int(bound * scale) / scale


def curve_figure(points: Sequence[CurvePoint], heading: str, sentence: str = "", **attributes: str) -> Markup:
    """Return the curve of a run on white paper, with a sentence below; nothing where few moments are known."""
    known = [one for one in points if one.loss is not None or one.bound is not None]
    if len(known) < 2:
        return Markup()
    drawn = Markup(loss_curve(Caption("loss-curve", heading, curve_words(known)), known))
    caption = element("figcaption", element("h2", heading))
    return element("figure", caption, drawn, paragraph(sentence), class_="figure-card", **attributes)


def curve_words(points: Sequence[CurvePoint]) -> str:
    """Say what a curve shows: where the loss began, where it is, and what is proved."""
    losses = [one.loss for one in points if one.loss is not None]
    bounds = [one.bound for one in points if one.bound is not None]
    sentences = []
    if losses:
        duration = duration_in_words(points[-1].elapsed)
        first, last = percent_text(losses[0]), percent_text(losses[-1])
        sentences.append(f"The information loss went from {first} to {last} within {duration}.")
    if bounds:
        proved = percent_text(floored(bounds[-1]))
        sentences.append(f"It is proved that no groups of at least k records lose less than {proved}.")
    return " ".join(sentences)
