"""Reports as plain text, for people."""

from collections.abc import Sequence

from microagg.report.facts import Facts
from microagg.report.sections import Section, sections

_MIN_NAME_WIDTH = 18  # characters, the same in most reports


def as_text(facts: Facts) -> str:
    """Render facts as text, one section after another."""
    return "\n\n".join(_section(section) for section in sections(facts))


def _section(section: Section) -> str:
    parts = [section.heading] if section.heading else []
    if section.lines:
        width = max(_MIN_NAME_WIDTH, *(len(name) + 2 for name in section.lines))
        parts.append("\n".join(f"{name + ':':<{width}}{text}" for name, text in section.lines.items()))
    if section.table:
        parts.append(_aligned(section.table))
    between = "\n\n" if section.lines and section.table else "\n"
    return between.join(parts)


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Align the first column of a table to the left, the others to the right."""
    widths = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
    lines = []
    for first, *others in rows:
        cells = [first.ljust(widths[0]), *(text.rjust(width) for text, width in zip(others, widths[1:], strict=True))]
        lines.append("  ".join(cells))
    return "\n".join(lines)
