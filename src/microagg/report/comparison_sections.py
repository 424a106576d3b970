"""Comparisons put into words: the recommendation first, then every candidate, the map, and what could not be made."""

import re
import textwrap
from collections.abc import Sequence
from itertools import cycle
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from microagg.pareto_front import BETTER_WHEN_HIGHER
from microagg.report.section import Section
from microagg.report.text_map import MarkedPoint, text_map

_WIDTH = 100  # characters of a line
_MARKS = ascii_lowercase + ascii_uppercase
_NOTHING = "–"
_SHORT_TITLES = {"information_loss": "loss", "reidentification_marketer": "marketer"}


def comparison_sections(facts: dict[str, Any]) -> list[Section]:
    """Return the sections of a report on a comparison."""
    candidates = facts["candidates"]
    marks = [mark for mark, _ in zip(cycle(_MARKS), candidates, strict=False)]
    recommended = facts["recommended"]
    lines = {"records": f"{facts['n_records']}"}
    if facts["file"] is not None:
        lines = {"file": facts["file"], **lines}
    chosen = "none" if recommended is None else f"k = {recommended['k']} with {recommended['method']}"
    lines["recommended"] = chosen
    sections = [
        Section(_wrapped(facts["reason"]), {}),
        Section("", lines, _table(facts, marks), left=("method", "front")),
    ]
    drawn = _map(facts, marks)
    if drawn:
        sections.append(Section(drawn, {}))
    errors = {f"k = {one['k']} with {one['method']}": one["error"] for one in candidates if one["error"] is not None}
    if errors:
        sections.append(Section("candidates that could not be made", errors))
    return sections


def axis_titles(facts: dict[str, Any]) -> tuple[str, str]:
    """Return the titles of the axes, with units and directions: first what is lost, then what is risked."""
    figures = {one["name"]: one for one in facts["figures"]}
    loss, risk = (_axis_title(figures.get(facts[axis], {}), facts[axis]) for axis in ("utility", "risk"))
    return loss, risk


def short_title(figure: dict[str, Any]) -> str:
    """Return the title of a figure as the head of a column."""
    title = _SHORT_TITLES.get(figure["name"], figure["name"].replace("_", " "))
    return f"{title} {figure['unit']}".rstrip()


def value_text(value: float | None, unit: str) -> str:
    """Write the value of a figure, without its unit."""
    if value is None:
        return _NOTHING
    return f"{value:.2f}" if unit == "%" else f"{value:.4g}"


def _axis_title(figure: dict[str, Any], name: str) -> str:
    if not figure:
        return name
    unit = f" in {figure['unit']}" if figure["unit"] else ""
    return f"{figure['title']}{unit} ({'more' if figure['higher'] in BETTER_WHEN_HIGHER else 'less'} is better)"


def _table(facts: dict[str, Any], marks: Sequence[str]) -> list[list[str]]:
    figures = facts["figures"]
    rows = [["", "k", "method", *map(short_title, figures), "k reached", "seconds", "front"]]
    for mark, one in zip(marks, facts["candidates"], strict=True):
        values = [value_text(one["values"].get(figure["name"]), figure["unit"]) for figure in figures]
        reached = _NOTHING if one["k_reached"] is None else f"{one['k_reached']}"
        seconds = _NOTHING if one["seconds"] is None else f"{one['seconds']:.2f}"
        rows.append([mark, f"{one['k']}", one["method"], *values, reached, seconds, _place(one)])
    return rows


def _place(candidate: dict[str, Any]) -> str:
    if candidate["recommended"]:
        return "recommended"
    if candidate["error"] is not None:
        return "not made"
    return "front" if candidate["on_front"] else ""


def _map(facts: dict[str, Any], marks: Sequence[str]) -> str:
    """Draw the candidates that have a place on the map; nothing where there are fewer than two."""
    marked = sorted(
        zip(facts["candidates"], marks, strict=True),
        key=lambda both: (not both[0]["recommended"], not both[0]["on_front"]),
    )
    points = []
    for candidate, mark in marked:
        loss = candidate["values"].get(facts["utility"])
        risk = candidate["values"].get(facts["risk"])
        if loss is not None and risk is not None:
            points.append(MarkedPoint(loss, risk, mark))
    return text_map(points, *axis_titles(facts)) if len(points) > 1 else ""


def _wrapped(text: str) -> str:
    """Break a text into lines, but not within "k = 5" or "7.5 %"."""
    kept = re.sub(r"\bk = (?=\d)", "k\0=\0", re.sub(r"(?<=\d) %", "\0%", text))
    return textwrap.fill(kept, _WIDTH, break_long_words=False, break_on_hyphens=False).replace("\0", " ")
