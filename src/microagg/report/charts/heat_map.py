"""Heat map of a symmetric matrix as inline SVG: correlations, or their changes."""

import math
from collections.abc import Sequence

from microagg.report.charts.axis_ticks import round_up
from microagg.report.charts.svg import INK, LETTER, Caption, box, label, path, picture
from microagg.report.shown_text import letters, number_text, shortened
from microagg.report.words import CHART_UNDEFINED, NOTHING

_COLOURS = ("#7f3b08", "#c0690c", "#eda444", "#fbd9ab", "#f5f5f5", "#d3d6e8", "#aba3cd", "#7a6aa6", "#3c1466")
"""Orange, white, violet: people who cannot tell red from green can tell these, and greys on paper show their size."""

_DARK = (0, 1, 7, 8)  # colours on which a text must be white
_UNDEFINED = "#d9d9d9"
_WIDTH = 680.0
_NAME_LETTERS = 24
_LARGEST_CELL = 40.0
_SMALLEST_CELL = 7.0
_CELL_OF_NUMBERS = 28.0  # smaller cells show their colour only
_LEGEND = 46.0  # height


def heat_map(caption: Caption, names: Sequence[str], values: Sequence[Sequence[float | None]]) -> str:
    """Draw the lower triangle of a symmetric matrix, by colours and, where there is room, by numbers.

    Parameters
    ----------
    caption
        What names it.
    names
        Names of the rows, and of the columns.
    values
        The matrix; None where a value is not defined. What is above the diagonal, and the diagonal, is not looked at.

    Returns
    -------
    str
        An SVG element; its colours reach from −s to s, for the least round number s that no value exceeds.
    """
    number_width = LETTER * len(str(len(names))) + 8
    left = number_width + LETTER * min(_NAME_LETTERS, max(map(letters, names), default=0)) + 10
    n = max(1, len(names) - 1)
    cell = max(_SMALLEST_CELL, min(_LARGEST_CELL, (_WIDTH - left) / n))
    limit = _limit(values)
    parts = []
    for row, name in enumerate(names):
        y = row * cell + cell / 2
        parts.append(label(number_width, y, str(row + 1), "end", dominant_baseline="central"))
        parts.append(label(number_width + 8, y, shortened(name, _NAME_LETTERS), dominant_baseline="central"))
    parts += _cells(left, cell, values, limit)
    bottom = len(names) * cell
    every = math.ceil(LETTER * (len(str(len(names))) + 1) / cell)
    for column in range(0, n, every):
        parts.append(label(left + column * cell + cell / 2, bottom + 14, str(column + 1), "middle"))
    parts += _legend(left, bottom + 26, limit, any(each is None for row in values for each in row))
    return picture(caption, max(_WIDTH, left + n * cell), bottom + 26 + _LEGEND, parts)


def _limit(values: Sequence[Sequence[float | None]]) -> float:
    below = [abs(each) for row, line in enumerate(values) for each in line[:row] if each is not None]
    return round_up(max(below, default=0.0)) or 1.0


def _cells(left: float, cell: float, values: Sequence[Sequence[float | None]], limit: float) -> list[str]:
    """Return the cells, those of one colour as one path, and their numbers where there is room."""
    boxes: dict[str, list[str]] = {}
    texts = []
    for row, line in enumerate(values):
        for column, each in enumerate(line[:row]):
            x = left + column * cell
            place = None if each is None else _class_of(each, limit)
            colour = _UNDEFINED if place is None else _COLOURS[place]
            boxes.setdefault(colour, []).append(box(x, row * cell, cell - 1, cell - 1))
            ink = {"fill": "#fff"} if place in _DARK else {}
            texts.append(label(x + cell / 2 - 0.5, row * cell + cell / 2, _cell_text(each), **ink))
    drawn = [path("".join(cells), fill=colour) for colour, cells in sorted(boxes.items())]
    if cell < _CELL_OF_NUMBERS:
        return drawn
    return [*drawn, f'<g text-anchor="middle" dominant-baseline="central">{"".join(texts)}</g>']


def _cell_text(value: float | None) -> str:
    """Write a number between −1 and 1 in a cell, without the zero before its point."""
    if value is None:
        return NOTHING
    written = f"{abs(value):.2f}".removeprefix("0")
    sign = "−" if value < 0 and float(f"{value:.2f}") != 0 else ""
    return "0" if written == ".00" else f"{sign}{written}"


def _class_of(value: float, limit: float) -> int:
    """Return which colour a value has: the middle one stands for those next to 0."""
    share = (value + limit) / (2.0 * limit)
    return min(len(_COLOURS) - 1, max(0, math.floor(share * len(_COLOURS))))


def _legend(left: float, y: float, limit: float, undefined: bool) -> list[str]:
    wide = 28.0
    parts = [path(box(left + place * wide, y, wide, 12), fill=colour) for place, colour in enumerate(_COLOURS)]
    parts.append(path(box(left, y, wide * len(_COLOURS), 12), fill="none", stroke=INK, stroke_width=".5"))
    ends = ((0.0, -limit, "start"), (0.5, 0.0, "middle"), (1.0, limit, "end"))
    for share, value, anchor in ends:
        parts.append(label(left + share * wide * len(_COLOURS), y + 26, number_text(value), anchor))
    if undefined:
        x = left + wide * (len(_COLOURS) + 1)
        parts += [path(box(x, y, wide, 12), fill=_UNDEFINED), label(x + wide + 6, y + 10, CHART_UNDEFINED)]
    return parts
