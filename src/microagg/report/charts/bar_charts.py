"""Bar charts as inline SVG: histograms, and bars of categories."""

from collections.abc import Sequence

from microagg.report.charts.axis_ticks import ticks
from microagg.report.charts.chart_axes import (
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    count_axis,
    counting_scale,
    grid,
    value_axis,
)
from microagg.report.charts.svg import (
    AFTER,
    BEFORE,
    LETTER,
    Caption,
    Scale,
    box,
    coordinate,
    label,
    path,
    picture,
)
from microagg.report.shown_text import letters, number_text, shortened
from microagg.report.words import CHART_NO_VALUES, CHART_RECORDS, NOTHING

_TICKS = 6
_NAME_LETTERS = 18  # of a category
_BAR = 9.0  # height of a bar of categories


def histogram(
    caption: Caption,
    edges: Sequence[float],
    after: Sequence[int],
    before: Sequence[int] | None = None,
    unit: str | None = None,
) -> str:
    """Draw how values are distributed: those of the release as a line, the original ones as an area behind it.

    Parameters
    ----------
    caption
        What names it.
    edges
        Edges of the bins, one more than there are bins.
    after, before
        Number of values in each bin; without `before` the release alone is drawn.
    unit
        Of dates, the unit of the edges, which are days since 1970.

    Returns
    -------
    str
        An SVG element.
    """
    if len(edges) < 2:
        return picture(caption, WIDTH, HEIGHT, [label(WIDTH / 2, HEIGHT / 2, CHART_NO_VALUES, "middle")])
    across = Scale(edges[0], edges[-1], LEFT, WIDTH - RIGHT)
    up = counting_scale(max([*after, *(before or ())], default=0))
    parts = [grid(up), count_axis(up, CHART_RECORDS)]
    if before is not None:
        parts.append(path(_steps(across, up, edges, before), fill=BEFORE))
    parts.append(path(_steps(across, up, edges, after), fill="none", stroke=AFTER, stroke_width="1.8"))
    parts.append(value_axis(across, ticks(edges[0], edges[-1], _TICKS, unit)))
    return picture(caption, WIDTH, HEIGHT, parts)


def category_bars(
    caption: Caption, names: Sequence[str], after: Sequence[int], before: Sequence[int] | None = None
) -> str:
    """Draw how often categories occur: in the release, and above that in the original.

    Parameters
    ----------
    caption
        What names it.
    names
        Categories.
    after, before
        How often each occurs; without `before` the release alone is drawn.

    Returns
    -------
    str
        An SVG element.
    """
    left = 10 + LETTER * min(_NAME_LETTERS, max(map(letters, names), default=0))
    most = max([*after, *(before or ())], default=0)
    right = 12 + LETTER * len(number_text(most))
    along = Scale(0.0, float(max(most, 1)), left, WIDTH - right)
    n_bars = 1 if before is None else 2
    height = n_bars * (_BAR + 3) + 6
    parts = []
    for place, name in enumerate(names):
        y = TOP / 2 + place * height
        middle = y + (height - 6) / 2 + 3.5
        parts.append(label(left - 6, middle, shortened(name, _NAME_LETTERS), "end"))
        if before is not None:
            parts.append(_bar(along, y, before[place], BEFORE))
        parts.append(_bar(along, y + (n_bars - 1) * (_BAR + 3), after[place], AFTER))
    return picture(caption, WIDTH, TOP + len(names) * height, parts)


def _steps(across: Scale, up: Scale, edges: Sequence[float], counts: Sequence[int]) -> str:
    """Return the outline of a histogram: up and down at the edges of its bins."""
    commands = [f"M{coordinate(across(edges[0]))} {coordinate(up.start)}"]
    level = 0
    for edge, count in zip(edges, counts, strict=False):
        if count != level:
            commands.append(f"H{coordinate(across(edge))}V{coordinate(up(count))}")
            level = count
    commands.append(f"H{coordinate(across(edges[-1]))}V{coordinate(up.start)}")
    return "".join(commands)


def _bar(along: Scale, y: float, count: int, colour: str) -> str:
    written = NOTHING if count == 0 else number_text(count)
    text = label(along(count) + 5, y + _BAR - 0.5, written)
    return path(box(along.start, y, along(count) - along.start, _BAR), fill=colour) + text
