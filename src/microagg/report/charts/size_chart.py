"""Chart of group sizes as inline SVG: how many groups have each size, with k marked."""

from collections.abc import Sequence
from typing import NamedTuple

from microagg.report.charts.axis_ticks import Tick, round_up, ticks
from microagg.report.charts.chart_axes import (
    BOTTOM,
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
from microagg.report.charts.svg import AFTER, MARK, Caption, Scale, box, coordinate, label, path, picture
from microagg.report.words import CHART_AND_MORE, CHART_GROUPS, CHART_NO_VALUES, CHART_SIZE

_MAX_BARS = 40  # bars of single sizes; of more sizes, ranges are counted
_FEWEST_BARS = 8
_POOLED = 0.05  # share of the groups that one last bar may count
_TICKS = 12


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
        return picture(caption, WIDTH, HEIGHT, [label(WIDTH / 2, HEIGHT / 2, CHART_NO_VALUES, "middle")])
    bars = _size_bars(sizes, k)
    width = 2 * WIDTH
    first = bars.low - 0.5
    across = Scale(first, first + bars.step * len(bars.counts), LEFT, width - RIGHT)
    up = counting_scale(max(bars.counts))
    wide = across(first + bars.step) - across(first)
    boxes = [
        box(across(first + bars.step * place) + 0.1 * wide, up(count), 0.8 * wide, up.start - up(count))
        for place, count in enumerate(bars.counts)
        if count
    ]
    parts = [grid(up, width), count_axis(up, CHART_GROUPS), path("".join(boxes), fill=AFTER)]
    parts.append(value_axis(across, _size_ticks(bars), width))
    parts.append(label(width - RIGHT, 12, CHART_SIZE, "end"))
    if k is not None:
        line = across(k - 0.5)
        parts.append(
            path(
                f"M{coordinate(line)} {coordinate(TOP - 4)}V{coordinate(HEIGHT - BOTTOM)}",
                stroke=MARK,
                stroke_width="1.5",
                stroke_dasharray="4 3",
            )
        )
        parts.append(label(line + 4, TOP - 6, f"k = {k}", fill=MARK))
    return picture(caption, width, HEIGHT, parts)


class _SizeBars(NamedTuple):
    """Bars of group sizes.

    Parameters
    ----------
    low
        The smallest size of the first bar.
    step
        Number of sizes that a bar counts.
    counts
        Number of groups of each bar.
    pooled
        Whether the last bar counts all larger sizes, too.
    """

    low: int
    step: int
    counts: list[int]
    pooled: bool


def _size_bars(sizes: Sequence[tuple[int, int]], k: int | None) -> _SizeBars:
    """Count groups size by size, the few that are much larger in one bar; in ranges where there are many of those."""
    found = [size for size, _ in sizes]
    low = min(found) if k is None else min(*found, k)
    high = max(*found, low + _FEWEST_BARS - 1)
    n_large = sum(n_groups for size, n_groups in sizes if size >= low + _MAX_BARS)
    pooled = 0 < n_large <= _POOLED * sum(n_groups for _, n_groups in sizes)
    step = 1 if pooled or high - low < _MAX_BARS else int(round_up((high - low + 1) / _MAX_BARS))
    n_bars = _MAX_BARS if pooled else -(-(high - low + 1) // step)
    counts = [0] * n_bars
    for size, n_groups in sizes:
        counts[min((size - low) // step, n_bars - 1)] += n_groups
    return _SizeBars(low, step, counts, pooled)


def _size_ticks(bars: _SizeBars) -> list[Tick]:
    high = bars.low + bars.step * len(bars.counts) - 1
    marks = [one for one in ticks(bars.low, high, _TICKS) if one.value == round(one.value)]
    if not bars.pooled:
        return marks
    return [
        *(one for one in marks if one.value < high - len(bars.counts) / 8),
        Tick(high, CHART_AND_MORE.format(n=high)),
    ]
