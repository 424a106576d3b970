"""Page of a run that is not released yet: its place in the queue, its progress and its curve, or why it failed."""

from collections.abc import Sequence

from microagg.app.job import Event
from microagg.app.pages.page_frame import Frame


def run_page(frame: Frame, number: int, plan_toml: str, events: Sequence[Event]) -> str:
    """Return the page of a run that has no release: it waits, works, has failed or was cancelled."""
    raise NotImplementedError
