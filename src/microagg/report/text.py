"""Reports as plain text, for people."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from microagg.model.names import quantity, shown_on_terminal
from microagg.report.document_parts.document_warnings import release_warnings
from microagg.report.facts import Facts
from microagg.report.section import Section
from microagg.report.sections import sections

_MIN_NAME_WIDTH = 18  # characters, the same in most reports
_SUMMARISED = (
    *("verdict", "whole file", "records", "protected", "unchanged", "column sets", "together", "groups"),
    *("information loss", "bound", "to go on", "better groups"),
)


def as_text(facts: Facts, max_columns: int | None = None) -> str:
    """Render facts as text, one section after another; tables of columns are cut after so many lines."""
    return "\n\n".join(_section(section, max_columns) for section in sections(harmless(facts)))


def as_summary(facts: Facts) -> str:
    """Render the lines of a measured release that matter most; the rest stands in its document."""
    summary = []
    facts = harmless(facts)
    for section in sections({**facts, "assessment": None}):
        lines = {name: text for name, text in section.lines.items() if name in _SUMMARISED}
        if lines:
            summary.append(Section(section.heading, lines))
    values = {figure["name"]: figure["value"] for figure in facts["assessment"]["figures"]}
    if values["dld"] is not None:
        summary[-1].lines["risk"] = f"{values['dld']:.1f} % of the records are linked to their own release by distance"
    for number, (_, sentence) in enumerate(release_warnings(facts), start=1):
        summary[-1].lines[f"warning {number}"] = sentence
    return "\n\n".join(map(_section, summary))


def harmless(fact: Any) -> Any:
    """Return facts in which no name, of a column, a category or a file, steers a terminal or pretends to be a line."""
    if isinstance(fact, str):
        return shown_on_terminal(fact)
    if isinstance(fact, Mapping):
        return {harmless(name): harmless(value) for name, value in fact.items()}
    return [harmless(one) for one in fact] if isinstance(fact, list | tuple) else fact


def _section(section: Section, max_columns: int | None = None) -> str:
    parts = [section.heading] if section.heading else []
    if section.lines:
        width = max(_MIN_NAME_WIDTH, *(len(name) + 2 for name in section.lines))
        parts.append("\n".join(f"{name + ':':<{width}}{text}" for name, text in section.lines.items()))
    if section.table:
        n_more = len(section.table) - 1 - (max_columns or len(section.table))
        is_cut = n_more > 0 and section.table[0][0] == "column"
        rows = section.table[:-n_more] if is_cut else section.table
        more = f"\n… and {quantity(n_more, 'more line')}: --verbose prints all" if is_cut else ""
        parts.append(_aligned(rows, section.left) + more)
    between = "\n\n" if section.lines and section.table else "\n"
    return between.join(parts)


def _aligned(rows: Sequence[Sequence[str]], left: Sequence[str]) -> str:
    """Align the first column of a table, and those with some titles, to the left, the others to the right.

    A cell may have several lines.
    """
    columns = []
    whole = [line for row in rows for line in zip_longest(*(cell.split("\n") for cell in row), fillvalue="")]
    for number, column in enumerate(zip(*whole, strict=True)):
        width = max(map(len, column))
        to_left = number == 0 or column[0] in left
        columns.append([text.ljust(width) if to_left else text.rjust(width) for text in column])
    ends_left = rows[0][-1] in left
    lines = ("  ".join(cells) for cells in zip(*columns, strict=True))
    return "\n".join(line.rstrip() if ends_left else line for line in lines)
