"""The page of a short job that is not over: its progress, and a way to stop it."""

from microagg.app.job import Event
from microagg.app.pages.page_frame import Frame, page
from microagg.app.pages.run_progress import OVER, progress_section
from microagg.report.document_parts.html_elements import element

_NO_SCRIPT = "This page needs JavaScript to go on by itself: reload it after a while."


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
    without = element("noscript", element("p", _NO_SCRIPT))
    progress = progress_section(job_number, event, "Stop", OVER, told=("elapsed", "left"))
    return page(frame, heading, progress, without, scripts=("run.js",), styles=("results.css",))
