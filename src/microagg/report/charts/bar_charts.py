"""Bar charts as inline SVG: histograms, bars of categories, and sizes of groups."""

from collections.abc import Sequence

from microagg.report.charts.axis_ticks import Tick, round_up, ticks
from microagg.report.charts.svg import (
    AFTER,
    BEFORE,
    FAINT,
    INK,
    LETTER,
    MARK,
    Caption,
    Scale,
    box,
    coordinate,
    label,
    path,
    picture,
)
from microagg.report.shown_text import number_text, shortened
from microagg.report.words import CHART_GROUPS, CHART_NO_VALUES, CHART_RECORDS, CHART_SIZE, NOTHING

_WIDTH = 420.0
_HEIGHT = 210.0
_TOP = 26.0
_BOTTOM = 24.0
_LEFT = 46.0
_RIGHT = 14.0
_X_TICKS = 6
_Y_TICKS = 3
_MAX_BARS = 40  # bars of single group sizes; of more sizes, ranges are counted
_FEWEST_BARS = 8
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
        return picture(caption, _WIDTH, _HEIGHT, [label(_WIDTH / 2, _HEIGHT / 2, CHART_NO_VALUES, "middle")])
    across = Scale(edges[0], edges[-1], _LEFT, _WIDTH - _RIGHT)
    up = _counting_scale(max([*after, *(before or ())], default=0))
    parts = [_grid(up), _count_axis(up, CHART_RECORDS)]
    if before is not None:
        parts.append(path(_steps(across, up, edges, before), fill=BEFORE))
    parts.append(path(_steps(across, up, edges, after), fill="none", stroke=AFTER, stroke_width="1.8"))
    parts.append(_value_axis(across, ticks(edges[0], edges[-1], _X_TICKS, unit)))
    return picture(caption, _WIDTH, _HEIGHT, parts)


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
    left = 8 + LETTER * min(_NAME_LETTERS, max((len(name) for name in names), default=0))
    most = max([*after, *(before or ())], default=0)
    right = 12 + LETTER * len(number_text(most))
    along = Scale(0.0, float(max(most, 1)), left, _WIDTH - right)
    n_bars = 1 if before is None else 2
    height = n_bars * (_BAR + 3) + 6
    parts = []
    for place, name in enumerate(names):
        y = _TOP / 2 + place * height
        middle = y + (height - 6) / 2 + 3.5
        parts.append(label(left - 6, middle, shortened(name, _NAME_LETTERS), "end"))
        if before is not None:
            parts.append(_bar(along, y, before[place], BEFORE))
        parts.append(_bar(along, y + (n_bars - 1) * (_BAR + 3), after[place], AFTER))
    return picture(caption, _WIDTH, _TOP + len(names) * height, parts)


def group_sizes(caption: Caption, sizes: Sequence[tuple[int, int]], k: int | None = None) -> str:
    """Draw how many groups have each size.

    Parameters
    ----------
    caption
        What names it.
    sizes
        Sizes of groups, and how many groups have each.
    k
        The smallest size that is allowed, which is marked.

    Returns
    -------
    str
        An SVG element.
    """
    if not sizes:
        return picture(caption, _WIDTH, _HEIGHT, [label(_WIDTH / 2, _HEIGHT / 2, CHART_NO_VALUES, "middle")])
    low, high, step = _size_bins(sizes, k)
    counts = [0] * -(-(high - low + 1) // step)
    for size, n_groups in sizes:
        counts[(size - low) // step] += n_groups
    width = 2 * _WIDTH
    across = Scale(low - 0.5, low - 0.5 + step * len(counts), _LEFT, width - _RIGHT)
    up = _counting_scale(max(counts))
    bars = []
    for place, count in enumerate(counts):
        if count:
            x = across(low - 0.5 + step * place)
            wide = across(low - 0.5 + step * (place + 1)) - x
            bars.append(box(x + 0.1 * wide, up(count), 0.8 * wide, up.start - up(count)))
    parts = [_grid(up, width), _count_axis(up, CHART_GROUPS), path("".join(bars), fill=AFTER)]
    parts.append(_value_axis(across, [one for one in ticks(low, high, 12) if one.value == round(one.value)], width))
    parts.append(label(width - _RIGHT, 12, CHART_SIZE, "end"))
    if k is not None:
        line = across(k - 0.5)
        parts.append(
            path(
                f"M{coordinate(line)} {coordinate(_TOP - 4)}V{coordinate(_HEIGHT - _BOTTOM)}",
                stroke=MARK,
                stroke_width="1.5",
                stroke_dasharray="4 3",
            )
        )
        parts.append(label(line + 4, _TOP - 6, f"k = {k}", fill=MARK))
    return picture(caption, width, _HEIGHT, parts)


def _size_bins(sizes: Sequence[tuple[int, int]], k: int | None) -> tuple[int, int, int]:
    """Return the first and the last size, and how many sizes a bar counts."""
    found = [size for size, _ in sizes]
    low = min(found) if k is None else min(*found, k)
    high = max(*found, low + _FEWEST_BARS - 1)
    step = 1 if high - low < _MAX_BARS else int(round_up((high - low + 1) / _MAX_BARS))
    return low, high, step


def _counting_scale(most: int) -> Scale:
    return Scale(0.0, float(max(most, 1)), _HEIGHT - _BOTTOM, _TOP)


def _grid(up: Scale, width: float = _WIDTH) -> str:
    """Return thin lines at the ticks of the numbers."""
    lines = [f"M{coordinate(_LEFT)} {coordinate(up(one.value))}H{coordinate(width - _RIGHT)}" for one in _counts(up)]
    return path("".join(lines), stroke=FAINT)


def _count_axis(up: Scale, title: str) -> str:
    texts = [label(_LEFT - 5, up(one.value) + 4, one.label, "end") for one in _counts(up)]
    return "".join([*texts, label(4, 12, title)])


def _counts(up: Scale) -> list[Tick]:
    return [one for one in ticks(up.low, up.high, _Y_TICKS) if one.value == round(one.value)]


def _value_axis(across: Scale, marks: Sequence[Tick], width: float = _WIDTH) -> str:
    """Return an axis below a chart; a text that would touch the one before it is left out."""
    base = _HEIGHT - _BOTTOM
    lines = [f"M{coordinate(_LEFT)} {coordinate(base)}H{coordinate(width - _RIGHT)}"]
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
