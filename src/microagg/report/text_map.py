"""Map of points as plain text, for terminals: marks at their places between two axes."""

from collections.abc import Sequence
from typing import NamedTuple

_WIDTH = 60  # characters
_HEIGHT = 14  # lines


class MarkedPoint(NamedTuple):
    """Point of a map, and the character that stands for it; where points share a place, the first is shown."""

    x: float
    y: float
    mark: str


def text_map(points: Sequence[MarkedPoint], x_title: str, y_title: str) -> str:
    """Draw points as text.

    Parameters
    ----------
    points
        The points, at least one; the most important first.
    x_title, y_title
        Titles of the axes.

    Returns
    -------
    str
        Several lines; the ends of the axes are the least and the largest value.
    """
    across = _Axis([one.x for one in points], _WIDTH)
    up = _Axis([one.y for one in points], _HEIGHT)
    lines = [[" "] * _WIDTH for _ in range(_HEIGHT)]
    for one in reversed(points):
        lines[_HEIGHT - 1 - up.place(one.y)][across.place(one.x)] = one.mark
    labels = {0: f"{up.high:.4g}", _HEIGHT - 1: f"{up.low:.4g}"}
    width = max(map(len, labels.values()))
    drawn = [f"{labels.get(number, ''):>{width}} |{''.join(line)}".rstrip() for number, line in enumerate(lines)]
    ends = f"{across.low:.4g}{f'{across.high:.4g}':>{_WIDTH - len(f'{across.low:.4g}')}}"
    blank = " " * width
    return "\n".join([y_title, *drawn, f"{blank} +{'-' * _WIDTH}", f"{blank}  {ends}", f"{blank}  {x_title:>{_WIDTH}}"])


class _Axis:
    """Axis of a map: the range of some values, in steps of characters."""

    def __init__(self, values: Sequence[float], n_places: int) -> None:
        self.low = min(values)
        self.high = max(values)
        self._n_places = n_places

    def place(self, value: float) -> int:
        """Return the place of a value, counted from 0."""
        span = self.high - self.low
        return round((value - self.low) / span * (self._n_places - 1)) if span > 0 else 0
