"""Documents that benchmarks write: pages made from templates, tables, pictures."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent.parent / "docs"
_PLACE = re.compile(r"\{([a-z][a-z0-9_]*)\}")


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table in Markdown."""
    titles = list(header)
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def fill(template: Path, parts: Mapping[str, str]) -> str:
    """Return the text of a template, with a part in place of each name in braces.

    Raises
    ------
    KeyError
        If a part is missing, or has no place.
    """
    text = template.read_text()
    places = set(_PLACE.findall(text))
    if places != set(parts):
        raise KeyError(f"{template.name}: parts and places differ in {', '.join(sorted(places ^ set(parts)))}")
    return _PLACE.sub(lambda place: parts[place[1]], text)


def new_figure(rows: int, columns: int, width: float, height: float) -> tuple[Any, Any]:
    """Return a figure and its panels, in a two-dimensional array, to be drawn and then saved."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "microagg"  # the same picture, the same file
    figure, panels = pyplot.subplots(rows, columns, figsize=(width, height), squeeze=False, layout="constrained")
    return figure, panels


def save_figure(figure: Any, path: Path) -> None:
    """Save a figure as a file that depends on nothing but its content, and close it."""
    from matplotlib import pyplot

    if not _KEPT.pictures:
        figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


@contextmanager
def kept_pictures() -> Iterator[None]:
    """Leave pictures as they are: pages are made to be compared only."""
    _KEPT.pictures = True
    try:
        yield
    finally:
        _KEPT.pictures = False


class _Kept:
    """Whether pictures are left as they are."""

    pictures = False


_KEPT = _Kept()
