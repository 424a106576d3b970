"""Axes of charts that count: numbers at the left, values below, and thin lines between."""

from collections.abc import Sequence

from microagg.report.charts.axis_ticks import Tick, ticks
from microagg.report.charts.svg import FAINT, INK, LETTER, Scale, coordinate, label, path

WIDTH = 420.0
"""Width of a chart, in pixels; a wide one is twice as wide."""

HEIGHT = 210.0
"""Height of a chart."""

TOP = 26.0
"""Room above the axes."""

BOTTOM = 24.0
"""Room below the axes."""

LEFT = 46.0
"""Room at the left of the axes."""

RIGHT = 14.0
"""Room at the right of the axes."""

_TICKS = 3


def counting_scale(most: int) -> Scale:
    """Return the scale of counts from 0 to the largest, from the bottom up."""
    return Scale(0.0, float(max(most, 1)), HEIGHT - BOTTOM, TOP)


def grid(up: Scale, width: float = WIDTH) -> str:
    """Return thin lines at the ticks of the numbers."""
    lines = [f"M{coordinate(LEFT)} {coordinate(up(one.value))}H{coordinate(width - RIGHT)}" for one in _counts(up)]
    return path("".join(lines), stroke=FAINT)


def count_axis(up: Scale, title: str) -> str:
    """Return the numbers at an axis of counts, and its title above them."""
    texts = [label(LEFT - 5, up(one.value) + 4, one.label, "end") for one in _counts(up)]
    return "".join([*texts, label(4, 12, title)])


def _counts(up: Scale) -> list[Tick]:
    return [one for one in ticks(up.low, up.high, _TICKS) if one.value == round(one.value)]


def value_axis(across: Scale, marks: Sequence[Tick], width: float = WIDTH) -> str:
    """Return an axis below a chart; a text that would touch the one before it is left out."""
    base = HEIGHT - BOTTOM
    lines = [f"M{coordinate(LEFT)} {coordinate(base)}H{coordinate(width - RIGHT)}"]
    texts = []
    free_from = 0.0
    for one in marks:
        x = across(one.value)
        half = LETTER * len(one.label) / 2
        centre = min(x, width - half)
        lines.append(f"M{coordinate(x)} {coordinate(base)}v4")
        if centre - half >= free_from:
            texts.append(label(centre, base + 16, one.label, "middle"))
            free_from = centre + half + LETTER
    return path("".join(lines), stroke=INK) + "".join(texts)
