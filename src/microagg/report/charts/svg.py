"""Elements of SVG pictures: escaped texts, compact coordinates, and the frame that names a picture."""

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from microagg.report.shown_text import plain_text

INK = "#1d2733"
"""Colour of texts and axes."""

FAINT = "#c9d0d8"
"""Colour of lines that only guide the eye."""

BEFORE = "#b4bcc6"
"""Colour of the original: an area or a bar."""

AFTER = "#0a4d8c"
"""Colour of the release: a line or a bar."""

MARK = "#a33b00"
"""Colour of what is to be noticed."""

LETTER = 6.8
"""Width of a letter at the size of the charts' texts, in pixels; most are narrower."""

_SIZE = 11  # pixels


class Caption(NamedTuple):
    """What names a picture, for people who do not see it and for the document around it.

    Parameters
    ----------
    key
        Beginning of the ids of its elements: letters and digits, used once in a document.
    title
        What it is, in a few words.
    description
        What can be seen in it, in a sentence or two.
    """

    key: str
    title: str
    description: str


class Scale(NamedTuple):
    """Linear scale from values to coordinates.

    Parameters
    ----------
    low, high
        Values at its ends.
    start, end
        Coordinates of these.
    """

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the coordinate of a value."""
        span = self.high - self.low
        share = 0.5 if span == 0 else (value - self.low) / span
        return self.start + share * (self.end - self.start)


def picture(caption: Caption, width: float, height: float, parts: Iterable[str]) -> str:
    """Return a picture with its name and description; nothing in it refers to anything outside."""
    key = caption.key
    return (
        f'<svg viewBox="0 0 {coordinate(width)} {coordinate(height)}" width="{coordinate(width)}" '
        f'height="{coordinate(height)}" role="img" aria-labelledby="{key}-t {key}-d" font-size="{_SIZE}" '
        f'fill="{INK}"><title id="{key}-t">{_escaped(caption.title)}</title>'
        f'<desc id="{key}-d">{_escaped(caption.description)}</desc>{"".join(parts)}</svg>'
    )


def coordinate(number: float) -> str:
    """Write a coordinate, rounded to one decimal."""
    written = f"{number:.1f}".removesuffix(".0")
    return "0" if written == "-0" else written


def label(x: float, y: float, text: str, anchor: str = "start", **attributes: str) -> str:
    """Return a text whose start, middle or end is at a place."""
    aligned = "" if anchor == "start" else f' text-anchor="{anchor}"'
    others = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<text x="{coordinate(x)}" y="{coordinate(y)}"{aligned}{others}>{_escaped(text)}</text>'


def path(commands: str, **attributes: str) -> str:
    """Return a path with presentation attributes: `stroke_width` is stroke-width."""
    others = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<path d="{commands}"{others}/>'


def box(x: float, y: float, width: float, height: float) -> str:
    """Return the commands of a rectangle: many of them make one path."""
    return f"M{coordinate(x)} {coordinate(y)}h{coordinate(width)}v{coordinate(height)}h{coordinate(-width)}z"


def _escaped(text: str) -> str:
    return escape(plain_text(text))
