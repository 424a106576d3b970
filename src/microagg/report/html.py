"""Facts as a piece of HTML, for notebooks."""

from collections.abc import Sequence
from html import escape

from microagg.report.facts import Facts
from microagg.report.text import Section, sections


def as_html(facts: Facts) -> str:
    """Write the sections one after another; every text is escaped."""
    return "<div>" + "".join(_section(section) for section in sections(facts)) + "</div>"


def _section(section: Section) -> str:
    heading = f"<pre>{escape(section.heading)}</pre>" if section.heading else ""
    rows = [(f"<th style='text-align:left'>{escape(name)}</th>", text) for name, text in section.lines.items()]
    lines = "".join(f"<tr>{head}<td style='text-align:left'>{escape(text)}</td></tr>" for head, text in rows)
    return heading + (f"<table>{lines}</table>" if lines else "") + (_table(section.table) if section.table else "")


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *others = rows
    titles = "".join(f"<th>{escape(title)}</th>" for title in head)
    cells = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in others)
    return f"<table><tr>{titles}</tr>{cells}</table>"
