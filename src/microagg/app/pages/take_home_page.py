"""Page with everything that is taken home from a run: files, command line and script, and whom each is for."""

from collections.abc import Sequence

from microagg.app.pages.page_frame import Frame
from microagg.app.taken_files import TakenFile
from microagg.report.facts import Facts


def take_home_page(
    frame: Frame,
    number: int,
    files: Sequence[TakenFile],
    command: str,
    script: str,
    plan_toml: str,
    release: Facts,
) -> str:
    """Return the page with what is taken home from a run; `release` is release.json["facts"]."""
    raise NotImplementedError
