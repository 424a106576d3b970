"""Curve of a run as inline SVG: the loss reached and the bound proved, over time."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from microagg.report.charts.axis_ticks import Tick, ticks
from microagg.report.charts.chart_axes import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, value_axis
from microagg.report.charts.svg import AFTER, FAINT, LETTER, MARK, Caption, Scale, coordinate, label, path, picture
from microagg.report.shown_text import percent_text
from microagg.report.words import (
    CHART_BOUND,
    CHART_LOSS,
    CHART_LOSS_AXIS,
    CHART_NO_VALUES,
    CHART_TIME,
    CHART_TIME_UNITS,
)

_WIDTH = 2 * WIDTH
_TICKS_ACROSS = 10
_TICKS_UP = 6
_MARGIN = 0.08  # of the range of the values, above and below them
_LINE = 13.0  # height of a label
_UNITS = ((3 * 3600, 3600), (300, 60))  # seconds from which a unit is used, and its seconds


class CurvePoint(NamedTuple):
    """What was known at one moment of a run.

    Parameters
    ----------
    elapsed
        Seconds since the run began.
    loss
        Information loss reached, in percent; None where there is no partition yet.
    bound
        Loss that no partition can be below, in percent; None where nothing is proved.
    """

    elapsed: float
    loss: float | None = None
    bound: float | None = None


def loss_curve(caption: Caption, points: Sequence[CurvePoint]) -> str:
    """Draw how the loss fell and how the bound rose during a run.

    Parameters
    ----------
    caption
        What names it.
    points
        What was known, in the order of time.

    Returns
    -------
    str
        An SVG element. Between two points, what was known before still holds: the lines are steps.
    """
    values = [each for one in points for each in (one.loss, one.bound) if each is not None]
    if not values:
        return picture(caption, _WIDTH, HEIGHT, [label(_WIDTH / 2, HEIGHT / 2, CHART_NO_VALUES, "middle")])
    end = points[-1].elapsed
    unit, seconds = _time_unit(end)
    across = Scale(0.0, end or 1.0, LEFT, _WIDTH - RIGHT)
    up = _percent_scale(values)
    losses = _known(points, lambda one: one.loss)
    bounds = _known(points, lambda one: one.bound)
    parts = [_grid(up), label(4, 12, CHART_LOSS_AXIS)]
    parts += [
        path(_steps(across, up, bounds), fill="none", stroke=MARK, stroke_width="1.8", stroke_dasharray="5 3"),
        path(_steps(across, up, losses), fill="none", stroke=AFTER, stroke_width="1.8"),
    ]
    parts += [_dot(across, up, known, colour) for known, colour in ((bounds, MARK), (losses, AFTER)) if known]
    parts.append(value_axis(across, _time_ticks(end, seconds), _WIDTH))
    parts.append(label(_WIDTH - RIGHT, 12, CHART_TIME.format(unit=unit), "end"))
    return picture(caption, _WIDTH, HEIGHT, [*parts, *_last_values(up, losses, bounds)])


def _time_unit(end: float) -> tuple[str, int]:
    """Return the unit of the axis of time, and how many seconds it has."""
    seconds = next((size for beginning, size in _UNITS if end >= beginning), 1)
    return CHART_TIME_UNITS[seconds], seconds


def _time_ticks(end: float, seconds: int) -> list[Tick]:
    marks = ticks(0.0, end / seconds, _TICKS_ACROSS)
    return [Tick(one.value * seconds, one.label) for one in marks]


def _percent_scale(values: Sequence[float]) -> Scale:
    low = min(values)
    high = max(values)
    margin = _MARGIN * (high - low) or _MARGIN * high or 1.0
    return Scale(max(0.0, low - margin), high + margin, HEIGHT - BOTTOM, TOP)


def _known(points: Sequence[CurvePoint], value_of: Callable[[CurvePoint], float | None]) -> list[tuple[float, float]]:
    """Return the moments at which a value was told, and the last moment with the last value."""
    found = [(one.elapsed, value) for one in points if (value := value_of(one)) is not None]
    return [*found, (points[-1].elapsed, found[-1][1])] if found else []


def _steps(across: Scale, up: Scale, known: Sequence[tuple[float, float]]) -> str:
    """Return a line that is level until the next value is known."""
    if not known:
        return ""
    (elapsed, value), *others = known
    commands = [f"M{coordinate(across(elapsed))} {coordinate(up(value))}"]
    commands += [f"H{coordinate(across(later))}V{coordinate(up(other))}" for later, other in others]
    return "".join(commands)


def _dot(across: Scale, up: Scale, known: Sequence[tuple[float, float]], colour: str) -> str:
    """Return the end of a line: all that is seen of a value that was told only then."""
    elapsed, value = known[-1]
    return f'<circle cx="{coordinate(across(elapsed))}" cy="{coordinate(up(value))}" r="3" fill="{colour}"/>'


def _grid(up: Scale) -> str:
    lines = []
    texts = []
    for one in ticks(up.low, up.high, _TICKS_UP):
        y = up(one.value)
        lines.append(f"M{coordinate(LEFT)} {coordinate(y)}H{coordinate(_WIDTH - RIGHT)}")
        texts.append(label(LEFT - 5, y + 4, one.label, "end"))
    return path("".join(lines), stroke=FAINT) + "".join(texts)


def _last_values(up: Scale, losses: Sequence[tuple[float, float]], bounds: Sequence[tuple[float, float]]) -> list[str]:
    """Return what was known in the end: the loss above its line, the bound below its own."""
    right = _WIDTH - RIGHT - LETTER / 2
    texts = []
    if losses:
        value = losses[-1][1]
        texts.append(label(right, up(value) - 5, CHART_LOSS.format(value=percent_text(value)), "end", fill=AFTER))
    if bounds:
        value = bounds[-1][1]
        below = min(up(value) + _LINE, HEIGHT - BOTTOM - 3)
        proved = math.floor(100.0 * value) / 100.0  # rounding it up would claim more than is proved
        texts.append(label(right, below, CHART_BOUND.format(value=percent_text(proved)), "end", fill=MARK))
    return texts
