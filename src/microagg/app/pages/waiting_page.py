"""The page of a short job that is not over: its progress, and a way to stop it."""

from microagg.app.job import Event
from microagg.app.pages.page_elements import button
from microagg.app.pages.page_frame import Frame, page
from microagg.report.document_parts.html_elements import Markup, element


def waiting_page(frame: Frame, job_number: int, heading: str, event: Event) -> str:
    """Return the page of a job that is not over; a script keeps it up to date, and loads the result.

    Parameters
    ----------
    frame
        What the page around it shows.
    job_number
        Number of the job in its session.
    heading
        What is done, such as "Looking at the columns".
    event
        The last that was heard of it.

    Returns
    -------
    str
        The page.
    """
    stage = element("p", event.stage or "starting", id="stage", class_="stage")
    told = element("p", element("span", event.note, id="note"), " ", element("span", id="left"), class_="muted")
    without = element("p", "This page needs JavaScript to go on by itself: reload it after a while.")
    job = element(
        "section",
        stage,
        _bar(event.done),
        told,
        element("noscript", without),
        element("div", button("Stop", id="stop"), class_="actions"),
        class_="card job",
        data_job=str(job_number),
        data_stop=f"/jobs/{job_number}/stop",
        aria_label=heading,
    )
    return page(frame, heading, job, scripts=("run.js",))


def _bar(done: float | None) -> Markup:
    share = "" if done is None else f"{done:.3f}"
    return element("progress", id="progress", max="1", value=share, aria_label="Share done")
