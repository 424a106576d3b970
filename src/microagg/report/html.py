"""Reports as HTML fragments, for notebooks."""

from collections.abc import Sequence
from html import escape

from microagg.report.facts import Facts
from microagg.report.sections import Section, sections


def as_html(facts: Facts) -> str:
    """Render facts as HTML, one section after another; every text is escaped."""
    return "<div>" + "".join(_section(section) for section in sections(facts)) + "</div>"


def _section(section: Section) -> str:
    heading = f"<pre>{escape(section.heading)}</pre>" if section.heading else ""
    return heading + _lines(section.lines) + _table(section.table)


def _lines(lines: dict[str, str]) -> str:
    if not lines:
        return ""
    rows = (
        f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:left'>{escape(text)}</td></tr>"
        for name, text in lines.items()
    )
    return f"<table>{''.join(rows)}</table>"


def _table(rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    head, *others = rows
    titles = "".join(f"<th>{escape(title)}</th>" for title in head)
    cells = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in others)
    return f"<table><tr>{titles}</tr>{cells}</table>"
