"""Page with everything that is taken home from a run: files, command line and script, and whom each is for."""

from collections.abc import Sequence

from microagg.app.page_words import size_in_words
from microagg.app.pages.page_elements import button, card, hidden_text, link_button
from microagg.app.pages.page_frame import Frame, page
from microagg.app.pages.result_cards import is_repeatable
from microagg.app.taken_files import TakenFile
from microagg.report.document_parts.document_warnings import Shout, release_warnings
from microagg.report.document_parts.html_elements import Markup, element, joined, notice, paragraph, preformatted, table
from microagg.report.document_parts.verdict_sections import TONES, counted, counted_sentences, headline
from microagg.report.facts import Facts
from microagg.report.shown_text import shown_name
from microagg.report.words import WARNINGS_BELOW

_LEAD = "Download what you need: the files are removed when the session ends."
_GIVEN = ("release", "public")
_ROLES = {
    "release": ("Released file", "What you publish or hand over."),
    "public": ("Public report", "Goes with the release: figures of the released table, and of the loss, rounded."),
    "internal": (
        "Internal report",
        "To read, print and sign. It shows figures of the original data: protect it as you protect them.",
    ),
    "plan": ("Plan", "All settings, for this page or the command line."),
    "command": ("Command line", "Makes the same release again without this page."),
    "script": ("Python script", "Makes the same release in Python, as a start for a script of your own."),
}
_HEAD = ("file", "what it is", "size", "download")
_DIFFER = (
    "The internal report shows quantiles, extremes and correlations before and after, and every check in detail; the "
    "public one only what can be counted in the release, and rounded figures of the loss."
)
_QUESTION = (
    "I have read the warning above: show the files to give away",
    "I have read the {n} warnings above: show the files to give away",
)
_KEPT = "These reveal something about the original data, or how the release was made."
_NOT_REPEATABLE = "THIS RUN CANNOT BE REPEATED EXACTLY"
_WHY_NOT = (
    "It was stopped by a time limit or by you, so another run of the same plan may give other groups. Keep the "
    "released file itself. A limit on iterations instead of a time limit makes runs repeatable."
)
_NOT_CHECKED = "NOT YET CHECKED"
_CHECK_FIRST = (
    "The released file is read back and checked before it can be downloaded. If the run is still going, reload this "
    "page in a moment; if it is over, run the plan again."
)
_NO_REPORTS = "THERE IS NO REPORT"
_WAIT = "Reports are made once everything has been measured. If the run is still going, reload this page later."


def take_home_page(
    frame: Frame,
    number: int,
    files: Sequence[TakenFile],
    command: str,
    script: str,
    plan_toml: str,
    release: Facts,
    document: Facts | None = None,
) -> str:
    """Return the page with what is taken home from a run.

    Parameters
    ----------
    frame
        What is around the page.
    number
        Number of the run.
    files
        Files of the run that are there; without the release, as long as its file is not checked.
    command
        Command line that makes the release again.
    script
        The same in Python.
    plan_toml
        The plan of the release.
    release
        Facts of the release.
    document
        Facts of its document; None where there is none, or not yet.

    Returns
    -------
    str
        The page.
    """
    given = [one for one in files if one.role in _GIVEN]
    kept = [one for one in files if one.role not in _GIVEN]
    texts = {"command": command, "script": script, "plan": plan_toml}
    is_checked = any(one.role == "release" for one in files)
    warnings = release_warnings(document or release)
    has_reports = any(one.role == "internal" for one in files)
    return page(
        frame,
        f"Run {number}: take home",
        element("p", _LEAD, class_="lead"),
        Markup() if is_repeatable(release) else notice("warning", _NOT_REPEATABLE, _WHY_NOT),
        Markup() if is_checked else notice("warning", _NOT_CHECKED, _CHECK_FIRST),
        Markup() if has_reports else notice("warning", _NO_REPORTS, _WAIT),
        _verdict(release, warnings, is_checked=is_checked),
        _confirmed(
            len(warnings), card("To give away", _file_table("Files to give away", number, given), _checksum(release))
        ),
        card("To keep", paragraph(_KEPT), _file_table("Files to keep", number, kept), paragraph(_DIFFER)),
        *(_text_card(number, files, role, content) for role, content in texts.items()),
        element("div", link_button("Back to the result", f"/runs/{number}"), class_="actions"),
        scripts=("take_home.js",),
        styles=("results.css",),
    )


def _verdict(release: Facts, warnings: Sequence[Shout], *, is_checked: bool) -> Markup:
    """Return the verdict and every warning once more, before anything can be downloaded."""
    verdict = release["verdict"]
    title = headline(verdict, is_checked=is_checked)
    box = notice(TONES[verdict["tone"]], title, " ".join(counted_sentences(verdict)))
    listed = [element("li", element("strong", title), f": {sentence}") for title, sentence in warnings]
    return joined([box, card(counted(len(listed), WARNINGS_BELOW), element("ul", *listed)) if listed else ""])


def _confirmed(n_warnings: int, files: Markup) -> Markup:
    """Return what is to be given away: where there are warnings, behind the question whether they were read."""
    if not n_warnings:
        return files
    question = counted(n_warnings, _QUESTION)
    return element("details", element("summary", question), files, class_="confirmed")


def _file_table(caption: str, number: int, files: Sequence[TakenFile]) -> Markup:
    rows = [
        [
            joined([_ROLES[one.role][0], element("span", shown_name(one.name), class_="file-name")]),
            _ROLES[one.role][1],
            size_in_words(one.n_bytes),
            _links(number, one),
        ]
        for one in files
    ]
    return table(hidden_text(caption), _HEAD, rows, (2,))


def _links(number: int, file: TakenFile) -> Markup:
    address = f"/runs/{number}/files/{file.name}"
    title = _ROLES[file.role][0].lower()
    kind = "primary small" if file.role == "release" else "small"
    load = link_button("Download", address, kind, download=file.name, aria_label=f"Download the {title}")
    if file.role not in ("public", "internal"):
        return load
    show = element("a", "Read", href=f"{address}?show", target="_blank", aria_label=f"Read the {title} in a new tab")
    return element("span", load, show, class_="links")


def _checksum(release: Facts) -> Markup:
    output = release["output"]
    if output is None or output["sha256"] is None:
        return Markup()
    code = element("code", output["sha256"], id="checksum")
    return element(
        "p",
        "SHA-256 of the released file: ",
        code,
        " ",
        button("Copy", "small", data_copy="checksum", aria_label="Copy the SHA-256"),
        class_="checksum",
    )


def _text_card(number: int, files: Sequence[TakenFile], role: str, content: str) -> Markup:
    """Return a text to read and to copy, as its file has it; nothing where there is no such file."""
    name = next((one.name for one in files if one.role == role), None)
    if name is None:
        return Markup()
    title = _ROLES[role][0]
    copy = button("Copy", "small", data_copy_file=f"/runs/{number}/files/{name}", aria_label=f"Copy: {title}")
    heading = element("div", element("h2", title), copy, class_="card-head")
    return element("section", heading, preformatted(content), class_="card")
