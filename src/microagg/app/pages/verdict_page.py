"""Page with the verdict on a release: PASS or FAIL, every finding, and the document to print."""

from collections.abc import Mapping

from microagg.app.pages.page_frame import Frame
from microagg.report.facts import Facts


def verdict_page(frame: Frame, number: int, verification: Facts, files: Mapping[str, str]) -> str:
    """Return the verdict of job `number`; `files` are the names of the files by role: "released", "original"."""
    raise NotImplementedError
