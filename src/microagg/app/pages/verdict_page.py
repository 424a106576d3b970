"""Page with the verdict on a release: PASS or FAIL, every finding, and the document to print."""

from collections.abc import Mapping

from microagg.app.pages.page_elements import button, link_button
from microagg.app.pages.page_frame import Frame, page
from microagg.report import words
from microagg.report.document_parts.html_elements import Markup, element, named_rows
from microagg.report.document_parts.treatment_sections import checks_section
from microagg.report.document_parts.verdict_sections import name_list, sets_sentence, verification_title
from microagg.report.facts import Facts
from microagg.report.shown_text import number_text, shown_name

_ROLES = {"released": "released file", "original": "original file", "plan": "plan"}
_PASSED = "No check failed. What was found about k:"
_FAILED = "Do not publish this file: {n} of {all} checks failed. What was found is below."
_ABOUT_K = (
    "units",
    "k-anonymity",
    "k-anonymity within strata",
    words.SETS_TOGETHER,
    words.WHOLE_FILE,
)  # checks told with a PASS
_ALONE = "The release was checked on its own: what cannot be checked without the original was not checked."


def verdict_page(frame: Frame, number: int, verification: Facts, files: Mapping[str, str]) -> str:
    """Return the verdict on a release.

    Parameters
    ----------
    frame
        What is around the page.
    number
        Number of the job that checked it.
    verification
        Facts of the verification.
    files
        Names of the files that were read, by role: "released", "original", "plan".

    Returns
    -------
    str
        The page.
    """
    document = f"/verify/{number}/document.html"
    return page(
        frame,
        "Verdict",
        _verdict(verification),
        Markup() if "original" in files else element("p", _ALONE, class_="muted"),
        element(
            "div",
            link_button("Open the document", document, "primary", target="_blank"),
            button("Print it", data_print=document, aria_label="Print the document"),
            link_button("Check another file", "/verify"),
            class_="actions after",
        ),
        element("div", _checked(verification, files), checks_section(verification["findings"]), class_="document"),
        scripts=("print_document.js",),
        styles=("results.css",),
    )


def _verdict(verification: Facts) -> Markup:
    """Return PASS or FAIL in large letters and in words; what a PASS means for k is told as it was found."""
    findings = verification["findings"]
    n_failed = sum(finding["passed"] is False for finding in findings)
    passed = verification["passed"]
    word = verification_title(verification)
    title = element("p", element("strong", word), class_="verdict-word")
    if not passed:
        sentence = _FAILED.format(n=n_failed, all=len(findings))
        return element("div", title, element("p", sentence), class_="notice bad")
    found = [element("li", one["detail"]) for one in findings if one["check"] in _ABOUT_K]
    tone = "good" if word == words.PASS else "warning"
    return element("div", title, element("p", _PASSED), element("ul", *found), class_=f"notice {tone}")


def _checked(verification: Facts, files: Mapping[str, str]) -> Markup:
    columns = verification["columns"]
    rows = [(_ROLES[role], shown_name(name)) for role, name in files.items() if role in _ROLES]
    rows.append(("columns", name_list(columns, len(columns))))
    if sentence := sets_sentence(verification["findings"]):
        rows.append(("column sets", sentence))
    rows.append(("k asked", number_text(verification["k"])))
    rows.append(("k reached", number_text(verification["k_reached"])))
    return element("section", named_rows("What was checked", rows))
