"""Reports as HTML fragments, for notebooks."""

from collections.abc import Sequence
from html import escape

from microagg.report.facts import Facts
from microagg.report.section import Section
from microagg.report.sections import sections
from microagg.report.text import harmless


def as_html(facts: Facts) -> str:
    """Render facts as HTML, one section after another; every text is escaped."""
    return "<div>" + "".join(_section(section) for section in sections(harmless(facts))) + "</div>"


def _section(section: Section) -> str:
    heading = f"<pre>{escape(section.heading)}</pre>" if section.heading else ""
    return heading + _lines(section.lines) + _table(section.table, section.left)


def _lines(lines: dict[str, str]) -> str:
    if not lines:
        return ""
    rows = (
        f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:left'>{escape(text)}</td></tr>"
        for name, text in lines.items()
    )
    return f"<table>{''.join(rows)}</table>"


def _table(rows: Sequence[Sequence[str]], left: Sequence[str]) -> str:
    if not rows:
        return ""
    head, *others = rows
    styles = [" style='text-align:left'" if title in left else "" for title in head]
    titles = "".join(_cells("th", head, styles))
    cells = "".join(f"<tr>{''.join(_cells('td', row, styles))}</tr>" for row in others)
    return f"<table><tr>{titles}</tr>{cells}</table>"


def _cells(tag: str, texts: Sequence[str], styles: Sequence[str]) -> list[str]:
    return [f"<{tag}{style}>{escape(text)}</{tag}>" for text, style in zip(texts, styles, strict=True)]
