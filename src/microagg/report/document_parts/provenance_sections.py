"""Sections at the end of a document: the plan, the command, files and versions, and the words that it uses."""

import re

from microagg.report import words
from microagg.report.document_parts.html_elements import Markup, element, paragraph, preformatted, section, table
from microagg.report.facts import Facts
from microagg.report.provenance_lines import read_as_line
from microagg.report.shown_text import number_text


def provenance_section(facts: Facts) -> Markup:
    """Return what led to the result; of a public edition, the released file and the versions."""
    provenance = facts["provenance"]
    parts = [_files(provenance)]
    lines = read_as_line(provenance.get("read_as", {}))
    parts += [paragraph(words.ORIGINAL_READ_AS.format(read_as=read_as)) for read_as in lines.values()]
    if facts.get("random_state") is not None:
        parts.append(paragraph(words.RANDOM_STATE.format(random_state=facts["random_state"])))
    if "command" in provenance:
        command = provenance["command"]
        parts.append(element("h3", words.COMMAND_HEADING))
        parts.append(preformatted(command) if command else paragraph(words.COMMAND_NONE))
    if provenance.get("plan"):
        parts += [element("h3", words.PLAN_HEADING), preformatted(provenance["plan"])]
    parts.append(element("h3", words.VERSIONS_HEADING))
    parts.append(paragraph(", ".join(f"{name} {version}" for name, version in provenance["versions"].items())))
    if facts.get("stages"):
        parts += [element("h3", words.STAGES_HEADING), _stages(facts)]
    return section("provenance", words.HEADINGS["provenance"], *parts)


def _files(provenance: Facts) -> Markup:
    rows = [
        [
            words.FILE_ROLES[one["role"]],
            one["file"] or words.NOT_A_FILE,
            element("code", one["sha256"]) if one["sha256"] else words.NOTHING,
        ]
        for one in provenance["files"]
    ]
    return table(words.FILES_CAPTION, words.FILES_HEAD, rows, names=(1, 2))


def _stages(facts: Facts) -> Markup:
    rows = [
        [one["name"], number_text(one["tasks"]), words.SECONDS.format(seconds=one["seconds"])]
        for one in facts["stages"]
    ]
    return table(words.STAGES_CAPTION.format(version=facts["spark"]), words.STAGES_HEAD, rows, (1, 2))


def glossary_section(document: str) -> Markup:
    """Return the meaning of those words of the glossary that occur in a document."""
    shown = re.sub(r"<[^>]*>", " ", document)
    terms = [
        element("div", element("dt", word), element("dd", meaning))
        for word, meaning in words.GLOSSARY.items()
        if any(re.search(rf"\b{re.escape(form)}s?\b", shown) for form in word.split(", "))
    ]
    return section("glossary", words.HEADINGS["glossary"], element("dl", *terms, class_="glossary") if terms else "")
