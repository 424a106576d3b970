"""Cards above a result: what each column set lost and what is proved of that, the risk, and the run itself."""

from collections.abc import Iterator, Sequence

from microagg.app.compared_run import AIM
from microagg.app.pages.page_elements import card
from microagg.app.pages.run_progress import floored
from microagg.report.document_parts.figure_sections import first_risks
from microagg.report.document_parts.html_elements import Markup, element, paragraph
from microagg.report.document_parts.verdict_sections import name_list
from microagg.report.estimate_lines import duration_in_words
from microagg.report.facts import Facts
from microagg.report.shown_text import as_sentence, bound_advice, number_text, percent_text
from microagg.report.words import FIRST_RISKS

_MOST_NAMES = 6
_RISK_LATER = "Risk is being measured …"
_RISK_NEVER = "Risk was not measured."


def result_cards(release: Facts, assessment: Facts | None, elapsed: float, *, is_measuring: bool) -> Markup:
    """Return the cards of a release.

    Parameters
    ----------
    release
        Facts of the release.
    assessment
        What was measured; None where nothing was, or not yet.
    elapsed
        Seconds that the run has taken.
    is_measuring
        Whether the assessment is still to come.

    Returns
    -------
    Markup
        Cards beside each other.
    """
    sets = release["sets"]
    titles = ["Loss and groups"] if len(sets) == 1 else [f"Column set {number}" for number in range(1, len(sets) + 1)]
    measured = _measured_loss(assessment) if len(sets) == 1 else None
    cards = [_set_card(title, one, measured) for title, one in zip(titles, sets, strict=True)]
    cards.append(_risk_card(assessment, is_measuring=is_measuring))
    cards.append(_run_card(release, elapsed))
    return element("div", *cards, class_="cards result-cards")


def _measured_loss(assessment: Facts | None) -> float | None:
    """Return the loss of the released values, which the comparison of runs shows: weights and medians add to it."""
    figures = [] if assessment is None else assessment["figures"]
    return next((one["value"] for one in figures if one["name"] == AIM.utility), None)


def _set_card(title: str, one: Facts, measured: float | None) -> Markup:
    loss = percent_text(one["information_loss"])
    differs = measured is not None and percent_text(measured) != loss
    rows = {
        "Information loss": loss,
        **({"… of the released values": percent_text(measured)} if differs else {}),
        **dict(_proved(one)),
        "Groups": number_text(one["n_groups"]),
        "Smallest group": f"{number_text(one['smallest_group'])} (k = {number_text(one['k'])})",
        "Method": one["method"],
    }
    return card(title, paragraph(name_list(one["columns"], _MOST_NAMES)), figure_list(list(rows.items())))


def _proved(one: Facts) -> Iterator[tuple[str, str]]:
    """Yield bound and gap, where something is proved."""
    if one["gap"] is None:
        return
    least = one["information_loss"] * (1 - one["gap"])
    yield "Proved bound", "optimal" if one["status"] == "optimal" else percent_text(floored(least))
    yield "Gap", percent_text(100.0 * one["gap"])
    if one["bound_ended_by"] == "effort":
        yield "To prove more", as_sentence(bound_advice(one["bound_kind"]))
    if one["improved"] is not None:
        yield (
            "Better groups exist",
            f"{percent_text(one['improved']['information_loss'])}: 'search' with this bound takes such groups",
        )


def _risk_card(assessment: Facts | None, *, is_measuring: bool) -> Markup:
    if assessment is None:
        return card("Risk", element("p", _RISK_LATER if is_measuring else _RISK_NEVER, class_="muted"))
    rows = [(title[0].upper() + title[1:], value) for title, value in first_risks(assessment)]
    introduction = paragraph(f"How well somebody could find records or values again. More is riskier. {FIRST_RISKS}")
    return card("Risk", introduction, figure_list(rows))


def _run_card(release: Facts, elapsed: float) -> Markup:
    rows = [
        ("Records", number_text(release["n_records"])),
        ("Left out", number_text(release["n_suppressed"]) if release["n_suppressed"] else ""),
        ("Protected columns", number_text(len(release["columns"]))),
        ("Time", duration_in_words(elapsed)),
        ("Can be repeated", "yes" if is_repeatable(release) else "not exactly"),
    ]
    return card("Run", figure_list([row for row in rows if row[1]]))


def is_repeatable(release: Facts) -> bool:
    """Check whether the same plan on the same file gives the same release again."""
    return all(one["reproducible"] for one in release["sets"])


def figure_list(rows: Sequence[tuple[str, str]]) -> Markup:
    """Return figures by their names, one below another."""
    parts = [element("div", element("dt", name), element("dd", value)) for name, value in rows]
    return element("dl", *parts, class_="figure-list")
