"""Small pictures of columns: histograms that fit into a row of a table."""

from collections.abc import Sequence

from microagg.report.charts.svg import Scale, box, path
from microagg.report.document_parts.html_elements import Markup

_WIDTH = 160.0
_HEIGHT = 40.0


def small_histogram(counts: Sequence[int]) -> Markup:
    """Draw the numbers of records in bins of the same width; its range is written below it by whoever shows it.

    Parameters
    ----------
    counts
        Number of records in each bin.

    Returns
    -------
    Markup
        An SVG element whose colours are those of the page; nothing where there are no bins.
    """
    if not counts:
        return Markup()
    width = _WIDTH / len(counts)
    up = Scale(0.0, float(max(max(counts), 1)), 0.0, _HEIGHT - 2)
    bars = [
        box(place * width, _HEIGHT - 1 - up(count), max(width - 1, 0.5), up(count))
        for place, count in enumerate(counts)
        if count
    ]
    ground = path(f"M0 {_HEIGHT - 0.5:g}H{_WIDTH:g}", **{"class": "ground"})
    return Markup(
        f'<svg viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" class="spark" role="img" aria-label="Histogram" '
        f'preserveAspectRatio="none">{path("".join(bars))}{ground}</svg>'
    )
