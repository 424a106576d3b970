"""Page of a release: the verdict first, then what it lost and risks, and the sections of the internal document."""

from collections.abc import Iterator, Sequence

from microagg.app.job import Event
from microagg.app.pages.page_elements import card, link_button
from microagg.app.pages.page_frame import Frame, page
from microagg.app.pages.result_cards import result_cards
from microagg.app.pages.run_progress import OVER, curve_figure, progress_section
from microagg.report import words
from microagg.report.charts import CurvePoint
from microagg.report.document import contents_list, document_sections
from microagg.report.document_parts.document_warnings import release_warnings
from microagg.report.document_parts.html_elements import Markup, element, joined, notice, section
from microagg.report.document_parts.verdict_sections import (
    TONES,
    counted_sentences,
    headline,
    release_notice,
    set_tables,
    warned,
)
from microagg.report.facts import Facts

_CHECK_LATER = "The released file is now read back, and checked by code that is independent of the code that wrote it."
_STOPPED_EARLY = "STOPPED EARLY"
_NOT_MEASURED = "THE REPORT WAS NOT MADE"
_NO_DOCUMENT = "There is a release, but it was neither measured nor checked again, and there is no report."
_ENDINGS = {"time_limit": "the time limit", "cancelled": "you"}
_SKIP = "Skip the measurement"
_CURVE = "Loss and bound during the run"
_DIVIDED = "The records were divided: at each moment, the loss is that of the records that had groups by then."


def result_page(
    frame: Frame, number: int, release: Facts, document: Facts | None, history: Sequence[Facts], last: Event
) -> str:
    """Return the page of a release.

    Parameters
    ----------
    frame
        What is around the page.
    number
        Number of the run.
    release
        Facts of the release.
    document
        Facts of its document; None until it has been measured, or where it was not.
    history
        Loss and bound at moments of the run.
    last
        What the run told last: "released" while it is still measured.

    Returns
    -------
    str
        The page; run.js loads it anew when everything is measured.
    """
    is_measuring = not last.is_over
    assessment = None if document is None else document["assessment"]
    points = [CurvePoint(one["elapsed"], one["loss"], one["bound"]) for one in history]
    live = Markup()
    if is_measuring:
        live = progress_section(number, last, _SKIP, OVER, told=("elapsed", "left"))
    elapsed = last.elapsed if not is_measuring or not points else points[-1].elapsed
    return page(
        frame,
        f"Run {number}: the release",
        _verdict(release, document, last),
        *_endings(release),
        _actions(number),
        live,
        result_cards(release, assessment, elapsed, is_measuring=is_measuring),
        curve_figure(points, _CURVE, _DIVIDED if _is_divided(release) else ""),
        _warned(release) if document is None else _document(document),
        scripts=("run.js",),
        styles=("results.css",),
    )


def _verdict(release: Facts, document: Facts | None, last: Event) -> Markup:
    """Return whether the release was verified: by the run itself, and then by an independent check."""
    if document is not None:
        return joined([release_notice(document), warned(len(release_warnings(document)))])
    verdict = release["verdict"]
    sentences = [*counted_sentences(verdict), "" if last.is_over else _CHECK_LATER]
    found = joined(
        [
            notice(TONES[verdict["tone"]], headline(verdict, is_checked=False), " ".join(sentences).strip()),
            warned(len(release_warnings(release))),
        ]
    )
    if not last.is_over:
        return found
    return joined([found, notice("warning", _NOT_MEASURED, f"{_NO_DOCUMENT} {last.sentence}".strip())])


def _endings(release: Facts) -> Iterator[Markup]:
    """Yield what a run that was ended early has to say."""
    several = len(release["sets"]) > 1
    for number, one in enumerate(release["sets"], start=1):
        where = f" Column set {number}." if several else ""
        if not one["reproducible"]:
            yield notice("warning", _STOPPED_EARLY, f"{_ending(one)} Another run may give other groups.{where}")


def _ending(one: Facts) -> str:
    """Say what ended the work on a column set."""
    if one["ended_by"] in _ENDINGS:
        return f"The search was ended by {_ENDINGS[one['ended_by']]}: this is the best that was found."
    return f"The proof of the bound was ended by {_ENDINGS[one['bound_ended_by']]}: what is proved so far holds."


def _actions(number: int) -> Markup:
    return element(
        "div",
        link_button("Take home", f"/runs/{number}/take-home", "primary"),
        link_button("Compare runs", "/compare"),
        link_button("Change the settings", "/settings"),
        class_="actions after",
    )


def _warned(release: Facts) -> Markup:
    """Return the warnings of a release that has no document, or none yet."""
    found = release_warnings(release)
    return card(words.HEADINGS["warnings"], joined(notice("warning", *one) for one in found)) if found else Markup()


def _document(document: Facts) -> Markup:
    """Return the sections of the internal document, but for the verdict, which is above."""
    sections = document_sections(document)
    sections.pop("verdict")
    details = section("details", "What each column set came to", *set_tables(document))
    warnings = sections.pop("warnings", Markup())
    shown = joined([warnings, details, *sections.values()])
    return element("div", contents_list(shown), shown, class_="document")


def _is_divided(release: Facts) -> bool:
    """Check whether the records were grouped part by part, or block by block."""
    return any(len(one["parts"]) > 1 or one["method"].endswith("in blocks") for one in release["sets"])
