"""Page that compares the runs of a session: the risk–utility map, a table, and what can be done with each run."""

from collections.abc import Sequence
from dataclasses import dataclass

from microagg.app.job import Event
from microagg.app.pages.page_frame import Frame
from microagg.report.facts import Facts


@dataclass(frozen=True)
class ComparedRun:
    """Run of a session, as far as it has come."""

    number: int
    plan_toml: str
    last: Event
    release: Facts | None = None  # release.json["facts"]
    document: Facts | None = None  # document.json


def compare_page(frame: Frame, runs: Sequence[ComparedRun], picked: int | None, can_undo: bool) -> str:
    """Return the page that compares runs, in the order given."""
    raise NotImplementedError
