"""Page of a run that is not released yet: its place in the queue, its progress and its curve, or why it failed."""

from collections.abc import Sequence

from microagg.app.job import Event
from microagg.app.pages.page_elements import button, link_button
from microagg.app.pages.page_frame import Frame, page
from microagg.app.pages.run_progress import OVER, curve_figure, progress_section
from microagg.report.charts import CurvePoint
from microagg.report.document_parts.html_elements import Markup, element, notice, paragraph, preformatted

_LEAD = (
    "You can close this page, or work on another run: this one goes on, and you find it here again. When it is done, "
    "the result appears here."
)
_STARTING = "The run starts in a moment."
_QUEUED = "Another run is being worked on. This one starts by itself as soon as it is its turn."
_STOP = "Stop and keep the best so far"
_CANCEL = "Take it out of the queue"
_FAILED = "THE RUN FAILED"
_CANCELLED = "THE RUN WAS CANCELLED"
_NO_SENTENCE = "The process that carried it out ended without a word: it may have been short of memory."
_NOTHING_KEPT = "It was stopped before there were any groups, so there is nothing to release."
_NEWS = ("released", *OVER)  # states of which another page is shown
_NO_CURVE = (
    "Loss and bound are drawn here as soon as the run tells them. Where the records are divided, into strata for "
    "instance, the loss is that of the records that have groups so far; with several column sets it is told at the end."
)
_CURVE = "Loss and bound so far"


def run_page(frame: Frame, number: int, plan_toml: str, events: Sequence[Event]) -> str:
    """Return the page of a run that has no release: it waits, works, has failed or was cancelled.

    Parameters
    ----------
    frame
        What is around the page.
    number
        Number of the run.
    plan_toml
        The plan that is carried out.
    events
        All that the run has told so far.

    Returns
    -------
    str
        The page; run.js brings it up to date while the run is not over.
    """
    last = events[-1] if events else Event("queued")
    parts = _over(number, last) if last.is_over else _under_way(number, last, events)
    plan = element("details", element("summary", "The plan of this run"), preformatted(plan_toml))
    title = f"Run {number}"
    return page(frame, title, *parts, plan, scripts=("run.js",), styles=("results.css",))


def _under_way(number: int, last: Event, events: Sequence[Event]) -> list[Markup]:
    waits = last.state == "queued"
    told = () if waits else ("elapsed", "left", "loss", "bound")
    news = ("working", *_NEWS) if waits else _NEWS
    points = [CurvePoint(one.elapsed, one.loss, one.bound) for one in events]
    drawn = curve_figure(points, _CURVE)
    return [
        element("p", _lead(last), class_="lead"),
        progress_section(number, last, _CANCEL if waits else _STOP, news, told=told),
        element("div", drawn or element("p", "" if waits else _NO_CURVE, class_="muted"), id="live-curve"),
    ]


def _lead(last: Event) -> str:
    """Say what a run waits for: a run that has a place in the queue waits for another one."""
    if last.state != "queued":
        return _LEAD
    return _QUEUED if last.note else _STARTING


def _over(number: int, last: Event) -> list[Markup]:
    """Return why there is no release, and what can be done about it."""
    if last.state == "cancelled":
        told = notice("warning", _CANCELLED, last.sentence or _NOTHING_KEPT)
    else:
        told = notice("bad", _FAILED, last.sentence or _NO_SENTENCE)
    return [
        told,
        paragraph("Nothing was released. The file that you opened is as it was."),
        element(
            "div",
            button("Open its plan in the settings", "primary", data_post=f"/runs/{number}/reopen"),
            link_button("Compare runs", "/compare"),
            class_="actions after",
        ),
    ]
