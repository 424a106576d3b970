"""Documents that an officer can sign: one HTML file with everything in it, and nothing that runs or is fetched."""

import re
from collections.abc import Callable
from typing import Literal

from microagg.model.errors import InputError
from microagg.model.names import suggestion
from microagg.report import words
from microagg.report.document_parts.chart_sections import (
    correlations_section,
    distributions_section,
    groups_of_assessment,
    groups_of_release,
    groups_section,
)
from microagg.report.document_parts.document_warnings import assessment_warnings, release_warnings, warnings_section
from microagg.report.document_parts.figure_sections import (
    domains_section,
    first_risks_table,
    regressions_section,
    risk_section,
    utility_section,
)
from microagg.report.document_parts.html_elements import Markup, element, joined, paragraph
from microagg.report.document_parts.map_section import map_section
from microagg.report.document_parts.page_style import STYLE
from microagg.report.document_parts.provenance_sections import glossary_section, provenance_section
from microagg.report.document_parts.treatment_sections import checks_section, treatment_section
from microagg.report.document_parts.verdict_sections import release_verdict, signature, verification_verdict
from microagg.report.facts import Facts
from microagg.report.public_facts import public_facts

Edition = Literal["internal", "public"]
"""Who a document is for: the owners of the original data, or everybody."""

EDITIONS: tuple[Edition, ...] = ("internal", "public")

_MINUTES = len("2026-01-31T23:59")
_HEADING = re.compile('<h2 id="([a-z-]+)-heading">(.*?)</h2>')
_SECTION_ID = re.compile('^<section id="([a-z-]+)"')
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def as_document(facts: Facts, edition: Edition = "internal") -> str:
    """Render facts as an HTML document that stands on its own.

    Parameters
    ----------
    facts
        What `document_facts` returns.
    edition
        "internal", or "public": without anything of the original data that the release itself does not show.

    Returns
    -------
    str
        The document: no script, nothing that is fetched, every text escaped; the same bytes for the same facts.

    Raises
    ------
    InputError
        If there is no such edition.
    """
    if edition not in EDITIONS:
        raise InputError(f"there is no edition {edition!r}: {suggestion(str(edition), EDITIONS)}")
    shown = facts if edition == "internal" else public_facts(facts)
    body = joined(document_sections(shown).values())
    signed = Markup() if edition == "public" else signature(shown, _n_warnings(shown))
    whole = joined([body, glossary_section(body), signed])
    return _page(shown, edition, whole)


def document_sections(facts: Facts) -> dict[str, Markup]:
    """Return the sections of an internal document, for another page to show.

    Parameters
    ----------
    facts
        What `document_facts` returns.

    Returns
    -------
    dict of Markup
        Sections by their ids, in the order of the document; those that have nothing to show are left out.
    """
    found = [one for one in _SECTIONS[facts["facts"]](facts) if one]
    return {_SECTION_ID.findall(one)[0]: one for one in found}


def _release(facts: Facts) -> list[Markup]:
    assessment = facts["assessment"]
    warnings = release_warnings(facts)
    return [
        release_verdict(facts, len(warnings), first_risks_table(assessment)),
        warnings_section(warnings, facts["exposure"] or assessment),
        treatment_section(facts),
        checks_section(facts["verification"]["findings"], _introduction(facts)),
        *_measured(assessment),
        groups_section(groups_of_release(facts)),
        map_section(facts["comparison"]),
        provenance_section(facts),
    ]


def _n_warnings(facts: Facts) -> int:
    if facts["facts"] == "release":
        return len(release_warnings(facts))
    return len(list(assessment_warnings(facts))) if facts["facts"] == "assessment" else 0


def _introduction(facts: Facts) -> str:
    return words.CHECKS_INTRODUCTION if facts["spark"] is None else words.CHECKS_INTRODUCTION_ON_SPARK


def _assessment(facts: Facts) -> list[Markup]:
    warnings = warnings_section(list(assessment_warnings(facts)), facts)
    return [warnings, *_measured(facts), groups_section(groups_of_assessment(facts)), provenance_section(facts)]


def _measured(assessment: Facts | None) -> list[Markup]:
    """Return the sections about all that was measured."""
    return [
        risk_section(assessment),
        utility_section(assessment),
        distributions_section(assessment),
        correlations_section(assessment),
        regressions_section(assessment),
        domains_section(assessment),
    ]


def _verification(facts: Facts) -> list[Markup]:
    return [verification_verdict(facts), checks_section(facts["findings"]), provenance_section(facts)]


def _comparison(facts: Facts) -> list[Markup]:
    return [map_section(facts), provenance_section(facts)]


_SECTIONS: dict[str, Callable[[Facts], list[Markup]]] = {
    "release": _release,
    "assessment": _assessment,
    "verification": _verification,
    "comparison": _comparison,
}

KINDS = tuple(_SECTIONS)
"""Facts that documents can be made of."""


def _page(facts: Facts, edition: Edition, sections: Markup) -> str:
    """Return the page around the sections: head, banner, title, contents and footer."""
    title = words.TITLES[facts["facts"]]
    file = next((one["file"] for one in facts["provenance"]["files"] if one["role"] == "release" and one["file"]), None)
    if file is not None:
        title = words.TITLE_OF_FILE.format(title=title, file=file)
    made = facts.get("made") or facts["provenance"]["reported"]
    date = words.UTC.format(date=made[:_MINUTES].replace("T", " "))
    head, sentence = words.BANNERS["comparison" if facts["facts"] == "comparison" else edition]
    banner = element("div", element("p", element("strong", head)), paragraph(sentence), class_=f"banner {edition}")
    maker = words.MADE if facts.get("spark") is None else words.MADE_ON_SPARK
    dated = paragraph(maker.format(date=date, version=facts["version"], spark=facts.get("spark")))
    footer = words.FOOTER.format(version=facts["version"], edition=edition, date=date)
    return (
        f'<!DOCTYPE html>\n<html lang="{words.LANGUAGE}">\n<head>\n<meta charset="utf-8"/>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f"{element('title', title)}\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"{element('header', banner, element('h1', title), dated)}\n{contents_list(sections)}\n"
        f"{element('main', sections)}\n{element('footer', footer)}\n</body>\n</html>"
    )


def contents_list(sections: Markup) -> Markup:
    """Return links to the sections, by their headings."""
    links = [
        element("li", element("a", Markup(heading), href=f"#{key}")) for key, heading in _HEADING.findall(sections)
    ]
    return element("nav", element("ul", *links), aria_label=words.CONTENTS)
