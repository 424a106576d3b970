"""The page before a run: what the plan does in sentences, and the time and memory that it is expected to take."""

import json
from collections.abc import Sequence

from microagg.app.pages.page_elements import button, card, link_button
from microagg.app.pages.page_frame import Frame, page
from microagg.report.document_parts.html_elements import Markup, element, joined
from microagg.report.estimate_lines import estimate_lines
from microagg.report.facts import Facts
from microagg.report.shown_text import as_sentence

_TITLES = {"records": "Records", "time": "Time", "memory": "Memory"}


def estimate_page(frame: Frame, plan_words: Sequence[str], estimate: Facts, plan_hash: str) -> str:
    """Return the page before a run.

    Parameters
    ----------
    frame
        What the page around it shows.
    plan_words
        What the plan does, sentence by sentence.
    estimate
        Facts of the estimate.
    plan_hash
        Which plan these are about: a run of any other is refused.

    Returns
    -------
    str
        The page.
    """
    sentences = element("ul", *(element("li", sentence) for sentence in plan_words), class_="plan-words")
    actions = element(
        "div",
        button("Run", "primary", data_post="/runs", data_body=json.dumps({"plan": plan_hash})),
        link_button("Change the settings", "/settings"),
        class_="actions",
    )
    return page(
        frame,
        "Before the run",
        element("p", "Read what will be done. Nothing is released before every group has been checked.", class_="lead"),
        _expected(estimate),
        card("What will be done", sentences),
        actions,
    )


def _expected(estimate: Facts) -> Markup:
    lines = estimate_lines(estimate)
    facts = [element("div", element("dt", _TITLES[key]), element("dd", lines[key])) for key in _TITLES]
    reasons = [element("li", as_sentence(reason)) for reason in estimate["reasons"]]
    why = element("ul", *reasons, class_="muted small") if reasons else Markup()
    return card("What it is expected to take", joined([element("dl", *facts, class_="facts"), why]))
