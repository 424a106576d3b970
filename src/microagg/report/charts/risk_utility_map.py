"""Risk–utility map as inline SVG: what each choice loses, what risk it leaves, and which choices no other beats."""

from collections.abc import Sequence
from typing import NamedTuple

from microagg.report.charts.axis_ticks import ticks
from microagg.report.charts.svg import (
    AFTER,
    BEFORE,
    FAINT,
    INK,
    LETTER,
    MARK,
    Caption,
    Scale,
    coordinate,
    label,
    path,
    picture,
)
from microagg.report.shown_text import letters, shortened
from microagg.report.words import CHART_NO_VALUES, CHART_RECOMMENDED

_WIDTH = 680.0
_HEIGHT = 400.0
_LEFT = 60.0
_RIGHT = 24.0
_TOP = 30.0
_BOTTOM = 46.0
_RADIUS = 4.5
_LETTERS = 30  # of a label
_LINE = 13.0  # height of a label
_MARGIN = 0.06  # of the range of the points, around them


class MapPoint(NamedTuple):
    """One choice.

    Parameters
    ----------
    name
        What was chosen.
    loss, risk
        Where it is in the map: both are better when they are smaller.
    on_front
        Whether no other choice is better in one and no worse in the other.
    recommended
        Whether it is the choice that is marked.
    """

    name: str
    loss: float
    risk: float
    on_front: bool = False
    recommended: bool = False


class _Box(NamedTuple):
    """Place that a label or a point takes."""

    left: float
    top: float
    right: float
    bottom: float

    def touches(self, other: "_Box") -> bool:
        """Check whether two places overlap."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def risk_utility_map(
    caption: Caption,
    points: Sequence[MapPoint],
    loss_title: str,
    risk_title: str,
    mark: str = CHART_RECOMMENDED,
) -> str:
    """Draw the choices by what they lose and what they risk, the front as a line, and the recommended one marked.

    Parameters
    ----------
    caption
        What names it.
    points
        The choices.
    loss_title, risk_title
        Titles of the axes.
    mark
        What stands beside the name of the choice that is marked.

    Returns
    -------
    str
        An SVG element. A name for which there is no room is left out: put a table beside it.
    """
    if not points:
        return picture(caption, _WIDTH, _HEIGHT, [label(_WIDTH / 2, _HEIGHT / 2, CHART_NO_VALUES, "middle")])
    across = _scale([one.loss for one in points], _LEFT, _WIDTH - _RIGHT)
    up = _scale([one.risk for one in points], _HEIGHT - _BOTTOM, _TOP)
    front = sorted((one.loss, one.risk) for one in points if one.on_front)
    parts = [_axes(across, up), label(4, 14, risk_title), label(_WIDTH - _RIGHT, _HEIGHT - 6, loss_title, "end")]
    if len(front) > 1:
        places = " ".join(f"{coordinate(across(loss))} {coordinate(up(risk))}" for loss, risk in front)
        parts.append(path(f"M{places}", fill="none", stroke=AFTER, stroke_width="1.5"))
    parts += [_dot(across(one.loss), up(one.risk), one) for one in points]
    return picture(caption, _WIDTH, _HEIGHT, [*parts, *_names(across, up, points, mark)])


def _scale(values: Sequence[float], start: float, end: float) -> Scale:
    low = min(values)
    high = max(values)
    margin = _MARGIN * (high - low) or _MARGIN * abs(high) or 1.0
    return Scale(max(0.0, low - margin) if low >= 0 else low - margin, high + margin, start, end)


def _axes(across: Scale, up: Scale) -> str:
    grid = []
    texts = []
    for one in ticks(up.low, up.high, 6):
        y = up(one.value)
        grid.append(f"M{coordinate(_LEFT)} {coordinate(y)}H{coordinate(_WIDTH - _RIGHT)}")
        texts.append(label(_LEFT - 6, y + 4, one.label, "end"))
    for one in ticks(across.low, across.high, 8):
        x = across(one.value)
        grid.append(f"M{coordinate(x)} {coordinate(_TOP)}V{coordinate(_HEIGHT - _BOTTOM)}")
        texts.append(label(x, _HEIGHT - _BOTTOM + 16, one.label, "middle"))
    frame = f"M{coordinate(_LEFT)} {coordinate(_TOP)}V{coordinate(_HEIGHT - _BOTTOM)}H{coordinate(_WIDTH - _RIGHT)}"
    return path("".join(grid), stroke=FAINT) + path(frame, fill="none", stroke=INK) + "".join(texts)


def _dot(x: float, y: float, point: MapPoint) -> str:
    colour = AFTER if point.on_front else BEFORE
    ring = ""
    if point.recommended:
        ring = _circle(x, y, _RADIUS + 4, f'fill="none" stroke="{MARK}" stroke-width="2"')
    return ring + _circle(x, y, _RADIUS, f'fill="{colour}" stroke="{INK}"')


def _circle(x: float, y: float, radius: float, attributes: str) -> str:
    return f'<circle cx="{coordinate(x)}" cy="{coordinate(y)}" r="{coordinate(radius)}" {attributes}/>'


def _names(across: Scale, up: Scale, points: Sequence[MapPoint], mark: str) -> list[str]:
    """Return names beside their points, the most important first, where they hide neither points nor each other."""
    taken = []
    for one in points:
        x = across(one.loss)
        y = up(one.risk)
        taken.append(_Box(x - _RADIUS, y - _RADIUS, x + _RADIUS, y + _RADIUS))
    texts = []
    for one in sorted(points, key=lambda point: (not point.recommended, not point.on_front)):
        name = shortened(one.name, _LETTERS)
        if one.recommended:
            name = f"{name} ({mark})"
        found = _room(across(one.loss), up(one.risk), LETTER * letters(name), taken)
        if found is not None:
            taken.append(found)
            marked = {"fill": MARK, "font_weight": "bold"} if one.recommended else {}
            texts.append(label(found.left, found.bottom - 3, name, **marked))
    return texts


def _room(x: float, y: float, width: float, taken: Sequence[_Box]) -> _Box | None:
    """Return a free place for a name: right of its point, left of it, above or below, or at its corners."""
    away = _RADIUS + 6
    corners = (
        (x + away, y - _LINE / 2),
        (x - away - width, y - _LINE / 2),
        (x - width / 2, y - away - _LINE),
        (x - width / 2, y + away),
        (x - _RADIUS, y - away - _LINE),
        (x - _RADIUS, y + away),
    )
    for left, top in corners:
        place = _Box(left, top, left + width, top + _LINE)
        inside = place.left >= _LEFT and place.right <= _WIDTH and place.top >= 0 and place.bottom <= _HEIGHT - _BOTTOM
        if inside and not any(place.touches(other) for other in taken):
            return place
    return None
