"""Page of a release: the verdict first, then what it lost and risks, and the sections of the internal document."""

from collections.abc import Sequence

from microagg.app.job import Event
from microagg.app.pages.page_frame import Frame
from microagg.report.facts import Facts


def result_page(
    frame: Frame, number: int, release: Facts, document: Facts | None, history: Sequence[Facts], last: Event
) -> str:
    """Return the page of a release; `document` is None until its risk has been measured, `last` the job's last event."""
    raise NotImplementedError
